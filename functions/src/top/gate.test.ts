import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Order } from "../model/score.ts";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { type Gate, gateIn, isLowered, shownChange, showsInTop } from "./gate.ts";

type Data = Record<string, unknown>;
interface GateOrder {
  order: Order;
  ties: "first" | "last";
  decimals?: number;
}

const at = (ms: number) => Timestamp.fromMillis(ms);
const player = (score: number, rest: Data = {}) => ({ score, status: "active", achieved_at: at(0), ...rest });
const gateAt = (score: number | null | undefined, atMs?: number): Gate =>
  typeof score === "number" ? { score, atMs } : score;
const descending: GateOrder = { order: "descending", ties: "first" };

type Score = number | null | undefined;
const later = { achieved_at: at(1) };
test.each<[what: string, Partial<GateOrder>, gate: Score, before: Data | undefined, after: Data]>([
  ["if it stays below", {}, 10, player(5), player(9, later)],
  ["if it comes to equal the gate later", {}, 10, player(5), player(10, later)],
  ["if a higher one is worse", { order: "ascending" }, 10, undefined, player(11)],
  ["if one below is renamed", {}, 10, player(9), player(9, { display_name: "Ann" })],
  ["of a hidden player", {}, 10, player(9, { status: "hidden" }), player(12, { status: "hidden" })],
  ["to a score that cannot be ranked", {}, 10, undefined, { score: "12" }],
  ["to one that cannot be ranked, though there is room", {}, null, undefined, { score: "12" }],
  ["before there is a top", {}, undefined, undefined, player(99)],
])("a change does not show in the top %s", (_, ordering, gate, before, after) => {
  expect(showsInTop({ ...descending, ...ordering }, gateAt(gate, 0), { before, after })).toBe(false);
});

test("a server's score shows where its nearest step of the board does", () => {
  const change = { before: undefined, after: player(0.26) };
  expect(showsInTop(descending, gateAt(0.3, 0), change)).toBe(false);
  expect(showsInTop({ ...descending, decimals: 1 }, gateAt(0.3, 0), change)).toBe(true);
  expect(showsInTop({ ...descending, decimals: 1 }, gateAt(0.4, 0), change)).toBe(false);
});

/** Gates from the highest to the lowest; an open one is lower than any, and one that nobody knows counts as higher. */
test.each<[GateOrder, gates: Gate[]]>([
  [descending, [undefined, gateAt(10, 1), gateAt(10, 2), gateAt(10), gateAt(9, 0), null]],
  [{ ...descending, ties: "last" }, [undefined, gateAt(10, 2), gateAt(10, 1), gateAt(10), null]],
  [{ ...descending, order: "ascending" }, [undefined, gateAt(9, 0), gateAt(10, 1), gateAt(10, 2), null]],
])("with %o a gate is lowered by each that comes after it in %j, and by no other", (ordering, gates) => {
  for (const [i, before] of gates.entries())
    for (const [j, after] of gates.entries())
      expect([before, after, isLowered(ordering, before, after)]).toEqual([before, after, i < j]);
});

/** The top by plain sorting: its entries and its gate. */
function topOf({ order, ties }: GateOrder, players: ReadonlyMap<string, Data>, size: number) {
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
      kind: fc.constant("set" as const),
      id,
      status: fc.constantFrom("active", "hidden", "banned"),
    }),
    fc.record({ kind: fc.constant("set" as const), id, display_name: fc.constantFrom("A", "B") }),
    fc.record({ kind: fc.constant("delete" as const), id }),
  );
  const changes = fc.array(change, { maxLength: 40 });
  const ties = fc.constantFrom("first" as const, "last" as const);
  fc.assert(
    fc.property(anyOrder, ties, fc.integer({ min: 1, max: 4 }), changes, (order, ties, size, list) => {
      const players = new Map<string, Data>();
      list.forEach((change, step) => {
        const top = topOf({ order, ties }, players, size);
        const before = players.get(change.id);
        if (change.kind === "delete") players.delete(change.id);
        else if (change.kind === "score") {
          const scored = { score: change.score, achieved_at: at(step - change.delay) };
          players.set(change.id, { status: "active", ...before, ...scored });
        } else if (before !== undefined) {
          const { id: _, kind: __, ...fields } = change;
          players.set(change.id, { ...before, ...fields });
        }
        const after = players.get(change.id);
        const next = topOf({ order, ties }, players, size);
        if (next.shown.join() === top.shown.join()) return;
        expect(shownChange({ before, after })).toBeDefined();
        expect(showsInTop({ order, ties }, top.gate, { before, after })).toBe(true);
      });
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["first", [true, true, false]],
  ["last", [false, true, true]],
] as const)("with ties %s an equal score passes by its time, and where a time is unknown", (ties, shows) => {
  const passes = (gateMs: number | undefined, ms?: number) => {
    const after = { score: 5, ...(ms === undefined ? {} : { achieved_at: at(ms) }) };
    return showsInTop({ order: "descending", ties }, gateAt(5, gateMs), { before: undefined, after });
  };
  expect([999, 1_000, 1_001].map((ms) => passes(1_000, ms))).toEqual(shows);
  expect([passes(undefined, 9_000), passes(undefined), passes(1_000)]).toEqual([true, true, true]);
});

test("a top document has its gate in two fields, and is open without a score", () => {
  expect(gateIn({ lowest_score: 5, lowest_at: at(7) })).toEqual({ score: 5, atMs: 7 });
  expect(gateIn({ lowest_score: 5, lowest_at: null })).toEqual({ score: 5, atMs: undefined });
  expect(gateIn(undefined)).toBeNull();
  for (const score of [null, "5"]) expect(gateIn({ lowest_score: score, lowest_at: at(7) })).toBeNull();
});

const ann = player(5, { display_name: "Ann", metadata: { level: 1 } });
const changes = {
  score: { ...ann, score: 6 },
  time: { ...ann, achieved_at: at(1) },
  status: { ...ann, status: "hidden" },
  completed: { score: 5, achieved_at: ann.achieved_at, display_name: "Ann", metadata: { level: 1 } },
  gone: undefined,
  name: { ...ann, display_name: "Anna" },
  metadata: { ...ann, metadata: { level: 2 } },
};
const names = ["name", "metadata", "time"];

test.each(Object.entries(changes))("a change of %s shows, from either side", (what, other) => {
  for (const change of [
    { before: ann, after: other },
    { before: other, after: ann },
  ]) {
    expect(shownChange(change)).toBe(names.includes(what) ? "names" : "change");
  }
});

test.each<[string, Data | undefined, Data | undefined]>([
  ["another submission of no use", ann, { ...ann, attempts: 9, team: "blue" }],
  [
    "a change of a player who stays hidden",
    { ...ann, status: "hidden" },
    { ...ann, status: "banned", score: 9 },
  ],
  ["a player who was and is not ranked", undefined, { ...ann, status: "banned" }],
])("%s does not show", (_, before, after) => {
  expect(shownChange({ before, after })).toBeUndefined();
});
