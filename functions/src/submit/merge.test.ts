import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { Player } from "../documents/player.ts";
import { packColumns } from "../model/columns.ts";
import { submissionIdsMax } from "../model/limits.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { mergePlayer } from "./merge.ts";

const at = (ms: number) => Timestamp.fromMillis(ms);
const player = (fields: Partial<Player> = {}): Player => ({ attempts: 1, status: "active", ...fields });
/** A score achieved and submitted at a millisecond. */
const scored = (score: number, ms: number, fields: Partial<Player> = {}): Player =>
  player({ score, achieved_at: at(ms), last_submission_at: at(ms), ...fields });
const boards = {
  best: definitionOf({}),
  lowest: definitionOf({ order: "ascending" }),
  newcomers: definitionOf({ ties: "last" }),
  latest: definitionOf({ aggregation: "latest" }),
  sum: definitionOf({ aggregation: "sum", max_score: 10, max_attempts: 2 }),
};

/** The player that comes of two, whichever of them stays. */
const eitherWay = (board: keyof typeof boards, a: Player, b: Player) => [
  merge(board, a, b),
  merge(board, b, a),
];

const merge = (board: keyof typeof boards, from: Player, to: Player) =>
  mergePlayer(boards[board], from, to).player;
const refused = (path: string) =>
  expect.objectContaining({
    code: "score_out_of_range",
    details: { fields: [expect.objectContaining({ path })] },
  }) as Error;

test("a player without a counterpart moves as it is", () => {
  const from = scored(5, 1, { metadata: { a: 1 }, submission_ids: ["x"], status: "hidden" });
  for (const board of Object.values(boards))
    expect(mergePlayer(board, from, undefined)).toEqual({ player: from, repeated: [] });
});

describe("of two scores", () => {
  const low = scored(3, 7, { metadata: { of: "low" } });
  const high = scored(8, 2, { metadata: { of: "high" } });

  test.each([
    ["best", high],
    ["lowest", low],
    ["latest", low],
  ] as const)("on a board of the %s, the one that counts keeps its time and metadata", (name, winner) => {
    const { score, achieved_at: achievedAt, metadata } = winner;
    const expected = { score, achieved_at: achievedAt, metadata, attempts: 2, last_submission_at: at(7) };
    for (const merged of eitherWay(name, low, high)) expect(merged).toMatchObject(expected);
  });

  test("that are equal, the one counts which ranks higher", () => {
    const [early, late] = [scored(5, 1, { metadata: { is: "early" } }), scored(5, 2)];
    for (const merged of eitherWay("best", early, late))
      expect(merged).toMatchObject({ achieved_at: at(1), metadata: early.metadata });
    for (const merged of eitherWay("newcomers", early, late)) {
      expect(merged.achieved_at).toEqual(at(2));
      expect(merged).not.toHaveProperty("metadata");
    }
    // One without a time, which only a trusted server can have written, comes last.
    for (const merged of eitherWay("best", player({ score: 5 }), early))
      expect(merged.achieved_at).toEqual(at(1));
  });

  test("the last submission counts on a board of the latest, even if its score is older", () => {
    const again = scored(5, 1, { last_submission_at: at(9) });
    for (const merged of eitherWay("latest", again, scored(7, 8)))
      expect(merged).toMatchObject({ score: 5, achieved_at: at(1) });
    // Of a trusted server's documents only the time of the score is known.
    const bare = player({ score: 6, achieved_at: at(10) });
    const latestOf = (a: Player, b: Player) => eitherWay("latest", a, b).map(({ score }) => score);
    expect(latestOf(bare, again)).toEqual([6, 6]);
    expect(latestOf(player({ score: 6 }), again)).toEqual([5, 5]);
    // That of the player who stays, where nothing tells them apart.
    expect(latestOf(player({ score: 1 }), player({ score: 2 }))).toEqual([2, 1]);
  });

  test("that nothing tells apart, that of the player who stays counts", () => {
    const of = (who: string) => scored(5, 1, { metadata: { of: who } });
    for (const name of ["best", "newcomers", "latest"] as const)
      expect(merge(name, of("from"), of("to")).metadata).toEqual({ of: "to" });
  });

  test("a board of sums adds them, whatever the limits of submissions, and takes the later time", () => {
    const { player: sum } = mergePlayer(boards.sum, scored(8, 2, { metadata: { of: "from" } }), scored(7, 1));
    expect(sum).toMatchObject({ score: 15, achieved_at: at(2), attempts: 2, metadata: { of: "from" } });
    const { player: other } = mergePlayer(boards.sum, high, low);
    expect(other).toMatchObject({ score: 11, achieved_at: at(7), metadata: { of: "low" } });
  });

  test("on a board of sums the time of a player without a usable score does not count", () => {
    const unusable = player({ achieved_at: at(9), last_submission_at: at(9) });
    for (const merged of eitherWay("sum", low, unusable))
      expect(merged).toMatchObject({ score: 3, achieved_at: at(7) });
  });

  test("a sum that cannot be stored is refused", () => {
    const most = 2 ** 53 - 1;
    expect(merge("sum", scored(most - 1, 1), scored(1, 1)).score).toBe(most);
    expect(() => mergePlayer(boards.sum, scored(most, 1), scored(1, 1))).toThrow(refused("score"));
  });
});

test("columns are added one by one, and each must stay in its range", () => {
  const columns = [
    { name: "wins", min: 0, max: 9 },
    { name: "seconds", min: 0, max: 99, order: "ascending" as const },
  ];
  const board = definitionOf({ aggregation: "sum", columns });
  const wanted = board.columns ?? [];
  const of = (wins: number, seconds: number) => {
    const values = { wins, seconds };
    return scored(packColumns(board.order, wanted, values), 1, { columns: values });
  };
  expect(mergePlayer(board, of(4, 30), of(5, 40)).player).toMatchObject({
    score: of(9, 70).score,
    columns: { wins: 9, seconds: 70 },
  });
  expect(() => mergePlayer(board, of(5, 30), of(5, 40))).toThrow(refused("columns.wins"));
  // A server's score that no columns make cannot be added, whoever has it.
  const spoilt = scored(0.5, 1);
  expect(() => mergePlayer(board, spoilt, of(5, 30))).toThrow(refused("score"));
  expect(() => mergePlayer(board, of(5, 30), spoilt)).toThrow(refused("score"));
  expect(() => mergePlayer(board, scored(-7, 1), of(5, 40))).toThrow(refused("score"));
});

test.each(Object.keys(boards) as (keyof typeof boards)[])(
  "%s: a player who never scored leaves the other's score alone",
  (name) => {
    const none = player({ attempts: 0, status: "banned" });
    const late = player({ last_submission_at: at(9) });
    const ann = scored(5, 1, { metadata: { a: 1 }, display_name: "Ann" });
    for (const merged of eitherWay(name, none, ann)) expect(merged).toEqual({ ...ann, status: "banned" });
    expect(merge(name, none, player({ attempts: 0 }))).toEqual(none);
    expect(merge(name, late, ann)).toMatchObject({ score: 5, achieved_at: at(1) });
  },
);

test.each([
  ["active", "active", "active"],
  ["active", "hidden", "hidden"],
  ["hidden", "banned", "banned"],
  ["active", "banned", "banned"],
] as const)("%s and %s make %s", (a, b, merged) => {
  for (const { status } of eitherWay("best", scored(1, 1, { status: a }), scored(2, 1, { status: b })))
    expect(status).toBe(merged);
});

test("the name is that of the player who stays, if there is one", () => {
  const named = (name: string) => scored(5, 1, { display_name: name });
  expect(merge("best", named("Guest"), named("Ann")).display_name).toBe("Ann");
  expect(merge("best", named("Guest"), scored(9, 1)).display_name).toBe("Guest");
  // Also where it brings nothing else.
  const ids = { submission_ids: ["a"] };
  expect(merge("best", { ...named("Guest"), ...ids }, scored(9, 1, ids)).display_name).toBe("Guest");
});

describe("submission ids", () => {
  const sent = (ids: string[], ms: number, attempts = ids.length) =>
    scored(1, ms, { submission_ids: ids, attempts });

  test("are kept of both, those of the last to submit at the end, where they stay longest", () => {
    const ids = (from: Player, to: Player) => merge("best", from, to).submission_ids;
    expect(ids(sent(["a"], 2), sent(["b"], 1))).toEqual(["b", "a"]);
    expect(ids(sent(["a"], 1), sent(["b"], 2))).toEqual(["a", "b"]);
    expect(ids(sent(["a", "b"], 1), sent(["b", "c"], 2))).toEqual(["a", "b", "c"]);
  });

  test("of each player stay as many as are remembered of any, also of one who was merged before", () => {
    const many = (name: string, length: number) => Array.from({ length }, (_, i) => `${name}${i}`);
    const a = many("a", 2 * submissionIdsMax);
    for (const b of [many("b", submissionIdsMax), many("b", 2 * submissionIdsMax)])
      for (const msOfB of [0, 2])
        for (const { submission_ids: kept = [] } of eitherWay("best", sent(a, 1), sent(b, msOfB))) {
          const ofEach = [a, b].flatMap((ids) => ids.slice(-submissionIdsMax));
          expect([...kept].sort()).toEqual(ofEach.sort());
        }
    const few = many("b", 3);
    const kept = merge("best", sent(few, 1), sent(a, 2)).submission_ids ?? [];
    expect(kept.filter((id) => few.includes(id))).toEqual(few);
    expect(kept.filter((id) => a.includes(id))).toEqual(a.slice(3));
    // The few may still be repeated after as many submissions as those of a.
    expect(kept.indexOf("b0")).toBeGreaterThan(submissionIdsMax);
  });

  test("that both have are told, as such a submission may have counted twice", () => {
    const { player: sum, repeated } = mergePlayer(boards.sum, sent(["a", "b"], 1), sent(["b"], 2));
    expect([sum.score, sum.attempts, repeated]).toEqual([2, 3, ["b"]]);
  });

  test("show a document in which nothing is new: what a late repetition left after a merge adds nothing", () => {
    const to = sent(["a", "b", "c"], 9);
    for (const board of Object.values(boards))
      expect(mergePlayer(board, { ...sent(["b", "a"], 10), status: "hidden" }, to)).toEqual({
        player: { ...to, status: "hidden" },
        repeated: ["b", "a"],
      });
    // Two players may also have used the same id, "level 7" say: the better score is never dropped.
    const better = scored(900, 10, { submission_ids: ["a"], attempts: 1, metadata: { level: 7 } });
    const kept = { score: 900, attempts: 3, achieved_at: at(10), metadata: { level: 7 } };
    expect(merge("best", better, to)).toMatchObject(kept);
    expect(merge("best", sent(["a"], 10), { ...to, ...kept })).toMatchObject(kept);
    for (const name of ["latest", "sum"] as const) expect(merge(name, better, to)).toEqual(to);
    const shown = scored(1, 9, { submission_ids: ["a"], attempts: 1, metadata: { of: "the worse" } });
    expect(merge("best", scored(900, 10, { submission_ids: ["a"], attempts: 1 }), shown)).toEqual({
      ...scored(900, 10, { submission_ids: ["a"], attempts: 1 }),
      last_submission_at: at(9),
    });
    // One attempt more, which came without an id or whose id is forgotten, may be new.
    expect(merge("sum", sent(["b", "a"], 10, 3), to).score).toBe(2);
  });

  test("that are all known bring their score to a player without one, and nothing if there is none", () => {
    const without = player({ submission_ids: ["a"], metadata: { of: "to" } });
    const better = scored(7, 10, { submission_ids: ["a"], metadata: { of: "from" } });
    expect(merge("best", better, without)).toMatchObject({ score: 7, achieved_at: at(10) });
    const nothing = player({ submission_ids: ["a"], metadata: { of: "from" } });
    expect(merge("best", nothing, without)).toEqual(without);
  });
});
