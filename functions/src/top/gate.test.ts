import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Order } from "../model/score.ts";
import { type Gate, gateIn, isLowered, shownChange, showsInTop } from "./gate.ts";

type Data = Record<string, unknown>;
interface Ordering {
  order: Order;
  ties: "first" | "last";
}

const at = (ms: number) => Timestamp.fromMillis(ms);
const player = (score: number, rest: Data = {}) => ({
  score,
  status: "active",
  achieved_at: at(0),
  ...rest,
});
const gateAt = (score: number | null | undefined, atMs: number): Gate =>
  typeof score === "number" ? { score, atMs } : score;
const descending: Ordering = { order: "descending", ties: "first" };

describe("a change shows in the top", () => {
  const cases: [
    string,
    Partial<Ordering>,
    number | null | undefined,
    Data | undefined,
    Data | undefined,
    boolean,
  ][] = [
    ["if a new score is better than the gate", {}, 10, player(5), player(11, { achieved_at: at(1) }), true],
    ["not if it stays below", {}, 10, player(5), player(9, { achieved_at: at(1) }), false],
    ["not if it comes to equal the gate", {}, 10, player(5), player(10, { achieved_at: at(1) }), false],
    [
      "if it does on a board whose ties is last",
      { ties: "last" },
      10,
      player(5),
      player(10, { achieved_at: at(1) }),
      true,
    ],
    ["if a lower one is better", { order: "ascending" }, 10, undefined, player(9), true],
    ["not if a higher one is not", { order: "ascending" }, 10, undefined, player(11), false],
    ["if a listed player falls", {}, 10, player(10), player(9), true],
    ["if a listed player is renamed", {}, 10, player(10), player(10, { display_name: "Ann" }), true],
    ["not if one below is renamed", {}, 10, player(9), player(9, { display_name: "Ann" }), false],
    ["if a listed player is hidden", {}, 10, player(12), player(12, { status: "hidden" }), true],
    ["if a listed player's document is deleted", {}, 10, player(12), undefined, true],
    [
      "if a player with the lowest score is no longer hidden",
      {},
      10,
      player(10, { status: "banned" }),
      player(10),
      true,
    ],
    [
      "not for a hidden player",
      {},
      10,
      player(9, { status: "hidden" }),
      player(12, { status: "hidden" }),
      false,
    ],
    ["not for a score that cannot be ranked", {}, 10, undefined, { score: "12" }, false],
    ["whatever the score, while there is room", {}, null, undefined, player(-5), true],
    ["not before there is a top", {}, undefined, undefined, player(99), false],
  ];
  test.each(cases)("%s", (_, ordering, gate, before, after, shows) => {
    expect(showsInTop({ ...descending, ...ordering }, gateAt(gate, 0), { before, after })).toBe(shows);
  });
});

describe("nothing that is shown changes", () => {
  test.each<[string, Data | undefined, Data | undefined]>([
    ["with another submission of no use", player(5, { attempts: 1 }), player(5, { attempts: 2 })],
    ["for a player who stays hidden", player(5, { status: "hidden" }), player(9, { status: "banned" })],
    ["where there was and is nothing", undefined, undefined],
  ])("%s", (_, before, after) => {
    expect(shownChange({ before, after })).toBeUndefined();
  });
});

test.each<[Order, number | null | undefined, number | null | undefined, boolean]>([
  ["descending", 10, 9, true],
  ["descending", 10, 10, false],
  ["descending", 9, 10, false],
  ["ascending", 9, 10, true],
  ["descending", 10, null, true],
  ["descending", null, 10, false],
  ["descending", undefined, 10, true],
  ["descending", undefined, null, true],
  ["descending", 10, undefined, false],
])("on a board that is %s a gate of %s and then of %s is lowered: %s", (order, before, after, lowered) => {
  const ordering = { order, ties: "first" as const };
  expect(isLowered(ordering, gateAt(before, 0), gateAt(after, 0))).toBe(lowered);
});

test("among equal scores a gate is lowered when the last one listed is a later player, or an earlier one where ties is last", () => {
  const [early, late] = [gateAt(10, 1), gateAt(10, 2)];
  expect(isLowered(descending, early, late)).toBe(true);
  expect(isLowered(descending, late, early)).toBe(false);
  expect(isLowered({ ...descending, ties: "last" }, early, late)).toBe(false);
  expect(isLowered({ ...descending, ties: "last" }, late, early)).toBe(true);
});

/** The top by plain sorting: its entries and its gate. */
function topOf({ order, ties }: Ordering, players: ReadonlyMap<string, Data>, size: number) {
  const sign = order === "descending" ? -1 : 1;
  const tie = ties === "first" ? 1 : -1;
  const time = (data: Data) => (data["achieved_at"] as Timestamp).toMillis();
  const listed = [...players]
    .filter(([, data]) => data["status"] === "active")
    .sort(
      ([a, one], [b, other]) =>
        sign * ((one["score"] as number) - (other["score"] as number)) ||
        tie * (time(one) - time(other)) ||
        (a < b ? -tie : tie),
    )
    .slice(0, size);
  const last = listed[size - 1]?.[1];
  const shown = listed.map(([id, { score, display_name: name }]) => JSON.stringify([id, score, name]));
  return {
    shown,
    gate: gateAt((last?.["score"] as number | undefined) ?? null, last === undefined ? 0 : time(last)),
  };
}

test("whatever happens to players, the top does not change unless the gate is passed", () => {
  const id = fc.constantFrom("ann", "bob", "cyd", "dan", "eve");
  const score = fc.integer({ min: 0, max: 4 });
  const change = fc.oneof(
    fc.record({ kind: fc.constant("score" as const), id, score, delay: fc.nat(9) }),
    fc.record({
      kind: fc.constant("status" as const),
      id,
      status: fc.constantFrom("active", "hidden", "banned"),
    }),
    fc.record({ kind: fc.constant("name" as const), id, display_name: fc.constantFrom("A", "B") }),
    fc.record({ kind: fc.constant("delete" as const), id }),
  );
  const order = fc.constantFrom<Order>("descending", "ascending");
  const ties = fc.constantFrom("first" as const, "last" as const);
  fc.assert(
    fc.property(
      order,
      ties,
      fc.integer({ min: 1, max: 4 }),
      fc.array(change, { maxLength: 40 }),
      (...drawn) => {
        const [order, ties, size, changes] = drawn;
        const players = new Map<string, Data>();
        changes.forEach((change, step) => {
          const top = topOf({ order, ties }, players, size);
          const before = players.get(change.id);
          if (change.kind === "delete") players.delete(change.id);
          else if (change.kind === "score")
            players.set(change.id, {
              status: "active",
              ...before,
              score: change.score,
              achieved_at: at(step - change.delay),
            });
          else if (before !== undefined) {
            const { id: _, kind: __, ...fields } = change;
            players.set(change.id, { ...before, ...fields });
          }
          const after = players.get(change.id);
          const next = topOf({ order, ties }, players, size);
          if (next.shown.join() === top.shown.join()) return;
          expect(shownChange({ before, after })).toBeDefined();
          expect(showsInTop({ order, ties }, top.gate, { before, after })).toBe(true);
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

describe("a gate of unknown time", () => {
  const first: Ordering = { order: "descending", ties: "first" };
  const last: Ordering = { order: "descending", ties: "last" };

  test("lets every equal pass, and so does a player of unknown time", () => {
    const known = { score: 5, atMs: 1_000 };
    const equal = (achievedMs?: number) => ({
      before: undefined,
      after: { score: 5, ...(achievedMs === undefined ? {} : { achieved_at: at(achievedMs) }) },
    });
    for (const ordering of [first, last]) {
      expect(showsInTop(ordering, { score: 5, atMs: undefined }, equal(9_000))).toBe(true);
      expect(showsInTop(ordering, { score: 5, atMs: undefined }, equal())).toBe(true);
      expect(showsInTop(ordering, known, equal())).toBe(true);
      expect(showsInTop(ordering, known, equal(1_000))).toBe(true);
    }
    expect([showsInTop(first, known, equal(1_001)), showsInTop(first, known, equal(999))]).toEqual([
      false,
      true,
    ]);
    expect([showsInTop(last, known, equal(1_001)), showsInTop(last, known, equal(999))]).toEqual([
      true,
      false,
    ]);
  });

  test("is lower than one of the same score whose time is known", () => {
    const [known, unknown] = [
      { score: 5, atMs: 1_000 },
      { score: 5, atMs: undefined },
    ];
    for (const ordering of [first, last]) {
      expect(isLowered(ordering, known, unknown)).toBe(true);
      expect(isLowered(ordering, unknown, known)).toBe(false);
      expect(isLowered(ordering, unknown, unknown)).toBe(false);
      expect(isLowered(ordering, known, known)).toBe(false);
    }
    expect(isLowered(last, known, { score: 5, atMs: 999 })).toBe(true);
    expect(isLowered(first, known, { score: 5, atMs: 999 })).toBe(false);
  });
});

test("a player who cannot be ranked passes no gate, not even an open one", () => {
  const nobody = { before: undefined, after: { score: "5" } };
  expect(showsInTop({ order: "descending", ties: "first" }, null, nobody)).toBe(false);
  expect(showsInTop({ order: "descending", ties: "first" }, { score: 1, atMs: 1 }, nobody)).toBe(false);
});

test("a top document has its gate in two fields, and is open without a score", () => {
  expect(gateIn({ lowest_score: 5, lowest_at: at(7) })).toEqual({ score: 5, atMs: 7 });
  expect(gateIn({ lowest_score: 5, lowest_at: null })).toEqual({ score: 5, atMs: undefined });
  expect(gateIn(undefined)).toBeNull();
  expect([null, "5", undefined].map((score) => gateIn({ lowest_score: score, lowest_at: at(7) }))).toEqual([
    null,
    null,
    null,
  ]);
});
