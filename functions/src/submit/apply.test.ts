import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Player } from "../documents/player.ts";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { at, type Board, play, refusal, submit, table } from "../../../test/support/submissions.ts";
import { applySubmission, keepingIds, needsId } from "./apply.ts";

describe("a first submission", () => {
  test("makes a player with the time of the submission and all that it carries", () => {
    const sent = { score: 5, display_name: "Ann", metadata: { level: 3 } };
    const times = { achieved_at: at(0), last_submission_at: at(0) };
    expect(submit({}, undefined, { ...sent, submission_id: "a" })).toStrictEqual({
      player: { attempts: 1, status: "active", ...sent, ...times, submission_ids: ["a"] },
      changed: true,
      improved: true,
      repeated: false,
    });
  });

  test("completes a document that has no score yet, whatever status it has", () => {
    const { player, improved } = submit({}, { attempts: 0, status: "hidden" }, { score: 0 });
    expect(player).toMatchObject({ score: 0, achieved_at: at(0), attempts: 1, status: "hidden" });
    expect(improved).toBe(true);
  });

  test("of minus zero is stored as zero", () => {
    expect(submit({}, undefined, { score: -0 }).player.score).toBe(0);
    const { columns } = submit(table, undefined, { columns: { points: -0, seconds: -0 } }).player;
    expect(columns).toEqual({ points: 0, seconds: 0 });
  });
});

describe("a submission that changes nothing", () => {
  test("costs no write: an unchanged score is not counted, and the time of the score stays", () => {
    for (const aggregation of ["best", "latest"] as const) {
      const before = play({ aggregation }, [{ score: 5 }]);
      // Where the best counts, a retry changes nothing either, so its id is not kept.
      const id = aggregation === "best" ? { submission_id: "a" } : {};
      const { player, ...done } = submit({ aggregation }, before, { score: 5, ...id }, 9);
      expect(done).toEqual({ changed: false, improved: false, repeated: false });
      expect(player).toStrictEqual(before);
    }
  });

  test("is counted where the board limits attempts or their frequency", () => {
    const before = play({}, [{ score: 5 }]);
    const counted = { score: 5, attempts: 2, achieved_at: at(0), last_submission_at: at(9) };
    for (const limit of [{ max_attempts: 3 }, { min_seconds_between: 5 }])
      expect(submit(limit, before, { score: 1 }, 9)).toMatchObject({ improved: false, player: counted });
  });

  test("completes a trusted server's score with a time", () => {
    const bare = { score: 5, attempts: 0, status: "active" as const };
    const expected = { changed: true, improved: false, player: { score: 5, achieved_at: at(7) } };
    expect(submit({}, bare, { score: 4 }, 7)).toMatchObject(expected);
  });

  test.for(["latest", "sum"] as const)(
    "is remembered by its id on a board of %s, where a retry would count, unless the id is ours",
    (aggregation) => {
      const before = play({ aggregation }, [{ score: 0 }]);
      const idsAfter = (isOwnId: boolean) => {
        const sent = { score: 0, submission_id: "a" };
        const applied = applySubmission(definitionOf({ aggregation }), before, sent, at(2), { isOwnId });
        return [applied.changed, applied.player.submission_ids];
      };
      expect([idsAfter(true), idsAfter(false)]).toEqual([
        [false, undefined],
        [true, ["a"]],
      ]);
    },
  );
});

describe("what comes with a score", () => {
  test.each<[Board, first: number, then: [score: number, level?: number], level?: number]>([
    // A new score does not keep the metadata of the old one, except in a sum.
    [{}, 5, [7]],
    [{ aggregation: "latest" }, 5, [7]],
    [{ aggregation: "sum" }, 5, [7], 1],
    // Of the best it stays; on other boards it follows each submission.
    [{}, 5, [3, 2], 1],
    [{}, 5, [5, 2], 1],
    [{ order: "ascending" }, 5, [3, 2], 2],
    [{ aggregation: "latest" }, 5, [3, 2], 2],
    [{ aggregation: "latest" }, 5, [5, 2], 2],
    [{ aggregation: "sum" }, 5, [0, 2], 2],
  ])("on a board with %o, metadata of %d is followed by that of %j: level %s", (board, first, then, kept) => {
    const [score, level] = then;
    const submissions = [
      { score: first, metadata: { level: 1 } },
      { score, ...(level === undefined ? {} : { metadata: { level } }) },
    ];
    expect(play(board, submissions)?.metadata?.["level"]).toBe(kept);
  });

  test("a display name follows every submission, a worse one too, and stays where none is sent", () => {
    const sent = ["Ann", "Anne", undefined].map((name, i) => ({ score: -i, display_name: name }));
    const renamed = play({}, sent);
    expect(renamed).toMatchObject({ score: 0, display_name: "Anne", achieved_at: at(0), attempts: 2 });
  });

  test.each<[Board, scores: number[], second: number]>([
    [{}, [5, 7, 6, 7], 1],
    [{ aggregation: "latest" }, [5, 7, 7], 1],
    [{ aggregation: "latest" }, [5, 7, 5], 2],
    [{ aggregation: "sum" }, [5, 2, 0], 1],
  ])("the time of the score moves only when the score does: with %o, %j", (board, scores, second) => {
    const submissions = scores.map((score) => ({ score }));
    expect(play(board, submissions)?.achieved_at).toEqual(at(second));
  });
});

describe("a repeated submission", () => {
  test("is recognised among the last twenty, and forgotten after the twenty-first", () => {
    const numbered = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ score: 1, submission_id: `id ${i}` }));
    const again = (count: number) => {
      const player = play({ aggregation: "sum" }, numbered(count));
      const first = { score: 1, submission_id: "id 0" };
      const { player: after, ...done } = submit({ aggregation: "sum" }, player, first);
      return { ids: player?.submission_ids?.length, score: after.score, ...done };
    };
    expect(again(20)).toEqual({ ids: 20, score: 20, changed: false, improved: false, repeated: true });
    expect(again(21)).toEqual({ ids: 20, score: 22, changed: true, improved: true, repeated: false });
  });

  test("is answered even if attempts are used up and the next one would be too early, but not for a banned player", () => {
    const board: Board = { max_attempts: 1, min_seconds_between: 60 };
    const submission = { score: 5, submission_id: "a" };
    const player = submit(board, undefined, submission).player;
    expect(submit(board, player, submission, 1).repeated).toBe(true);
    expect(refusal(board, { ...player, status: "banned" }, submission).code).toBe("player_banned");
  });

  test("changes nothing, whenever it comes, as long as its id is remembered", () => {
    const anySubmission = fc.record({
      score: anyScore.map((score) => score % 2 ** 40),
      metadata: fc.option(fc.record({ level: fc.nat(2) }), { nil: undefined }),
      display_name: fc.option(fc.constantFrom("Ann", "Bo"), { nil: undefined }),
    });
    const anyRetry = fc.record({ index: fc.nat(19), secondsLater: fc.integer({ min: 1, max: 20 }) });
    const submitted = fc.array(anySubmission, { maxLength: 20 });
    const repeated = fc.array(anyRetry, { maxLength: 15 });
    const anyBoard = fc.record({ order: anyOrder, aggregation: fc.constantFrom("best", "latest", "sum") });
    fc.assert(
      fc.property(anyBoard, submitted, repeated, (board, submissions, retries) => {
        const once = submissions.map((submission, index) => {
          // On a board that keeps the best, a submission that changes nothing is not remembered, so its name would
          // count again.
          const name = board.aggregation === "best" ? "Ann" : submission.display_name;
          const sent = { ...submission, display_name: name, submission_id: `id ${index}` };
          return { submission: sent, at: index };
        });
        const again = retries.flatMap(({ index, secondsLater }) =>
          once.slice(index, index + 1).map((one) => ({ ...one, at: index + secondsLater + 0.5 })),
        );
        const end = (list: typeof once) =>
          list
            .toSorted((a, b) => a.at - b.at)
            .reduce<Player | undefined>(
              (player, one) => submit(board, player, one.submission, one.at).player,
              undefined,
            );
        expect(end([...once, ...again])).toStrictEqual(end(once));
      }),
      { numRuns: 300 },
    );
  });
});

test("the ids that a call names are the last to be forgotten, and all keep their order", () => {
  const player = (ids?: string[]) => ({
    attempts: 1,
    status: "active" as const,
    ...(ids === undefined ? {} : { submission_ids: ids }),
  });
  const kept = keepingIds(player(["a", "b", "c", "d"]), new Set(["c", "a", "x"]));
  expect(kept).toEqual(player(["b", "d", "a", "c"]));
  expect(keepingIds(player(), new Set(["a"]))).toEqual(player());
  expect(keepingIds(undefined, new Set(["a"]))).toBeUndefined();
});

test.for([
  [{ aggregation: "sum" }, true],
  [{ aggregation: "latest" }, true],
  [{ max_attempts: 3 }, true],
  [{ min_seconds_between: 5 }, true],
  [{ aggregation: "best" }, false],
] as const)("whether a submission needs an id on a board with %o: %s", ([definition, isNeeded]) => {
  expect(needsId(definitionOf(definition))).toBe(isNeeded);
});
