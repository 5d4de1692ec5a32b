import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Player } from "../documents/player.ts";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { at, type Board, play, refusal, submit, table } from "../../../test/support/submissions.ts";
import { applySubmission, keepingIds, needsId } from "./apply.ts";

describe("a first submission", () => {
  test("makes a player with the time of the submission and all that it carries", () => {
    const metadata = { level: 3 };
    const first = submit({}, undefined, { score: 5, submission_id: "a", display_name: "Ann", metadata });
    expect(first).toStrictEqual({
      player: {
        attempts: 1,
        status: "active",
        score: 5,
        achieved_at: at(0),
        display_name: "Ann",
        metadata,
        last_submission_at: at(0),
        submission_ids: ["a"],
      },
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
    expect(Object.is(submit({}, undefined, { score: -0 }).player.score, 0)).toBe(true);
    expect(submit(table, undefined, { columns: { points: -0, seconds: -0 } }).player.columns).toEqual({
      points: 0,
      seconds: 0,
    });
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

  test("is counted where the board limits attempts", () => {
    const before = play({ max_attempts: 3 }, [{ score: 5 }]);
    expect(submit({ max_attempts: 3 }, before, { score: 1 }, 9)).toMatchObject({
      changed: true,
      improved: false,
      player: { score: 5, attempts: 2, achieved_at: at(0), last_submission_at: at(9) },
    });
  });

  test("is remembered by its id where a retry would count: on boards that take the latest or the sum", () => {
    for (const aggregation of ["latest", "sum"] as const) {
      const before = play({ aggregation }, [{ score: 0 }]);
      expect(submit({ aggregation }, before, { score: 0, submission_id: "a" }).player.submission_ids).toEqual(
        ["a"],
      );
    }
  });
});

describe("what comes with a score", () => {
  test("metadata of an old score does not stay with a new one that has none", () => {
    const submissions = [{ score: 5, metadata: { replay: "five" } }, { score: 7 }];
    expect(play({}, submissions)?.metadata).toBeUndefined();
    expect(play({ aggregation: "latest" }, submissions)?.metadata).toBeUndefined();
    expect(play({ aggregation: "sum" }, submissions)?.metadata).toEqual({ replay: "five" });
  });

  test("metadata stays with the best score, and follows each submission on other boards", () => {
    const submissions = [
      { score: 5, metadata: { replay: "five" } },
      { score: 3, metadata: { replay: "three" } },
    ];
    expect(play({}, submissions)?.metadata).toEqual({ replay: "five" });
    expect(play({ order: "ascending" }, submissions)?.metadata).toEqual({ replay: "three" });
    expect(play({ aggregation: "latest" }, submissions)?.metadata).toEqual({ replay: "three" });
    expect(play({ aggregation: "sum" }, submissions)?.metadata).toEqual({ replay: "three" });
  });

  test("a display name follows every submission, a worse one too, and stays where none is sent", () => {
    const renamed = play({}, [
      { score: 5, display_name: "Ann" },
      { score: 3, display_name: "Anne" },
      { score: 1 },
    ]);
    expect(renamed).toMatchObject({ score: 5, display_name: "Anne", achieved_at: at(0), attempts: 2 });
  });

  test("the time of the score moves when the score does, and only then", () => {
    const times = (board: Board, ...scores: number[]) =>
      play(
        board,
        scores.map((score) => ({ score })),
      )?.achieved_at;
    expect(times({}, 5, 7, 6, 7)).toEqual(at(1));
    expect(times({ aggregation: "latest" }, 5, 7, 7)).toEqual(at(1));
    expect(times({ aggregation: "sum" }, 5, 2, 0)).toEqual(at(1));
    expect(times({ aggregation: "latest" }, 5, 7, 5)).toEqual(at(2));
  });
});

describe("a repeated submission", () => {
  test("is counted once on a board that takes the sum, even after others", () => {
    const one = { score: 5, submission_id: "a", display_name: "Ann" };
    const two = { score: 2, submission_id: "b", display_name: "Bo" };
    expect(play({ aggregation: "sum" }, [one, one, two, one])).toMatchObject({
      score: 7,
      attempts: 2,
      display_name: "Bo",
    });
  });

  test("does not bring an older score back on a board that takes the latest", () => {
    const old = { score: 5, submission_id: "a" };
    expect(play({ aggregation: "latest" }, [old, { score: 2 }, old])?.score).toBe(2);
  });

  test("is recognised among the last twenty, and forgotten after the twenty-first", () => {
    const numbered = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ score: 1, submission_id: `id ${i}` }));
    const first = { score: 1, submission_id: "id 0" };
    const twenty = play({ aggregation: "sum" }, numbered(20));
    expect(submit({ aggregation: "sum" }, twenty, first)).toEqual({
      player: twenty,
      changed: false,
      improved: false,
      repeated: true,
    });
    const more = play({ aggregation: "sum" }, numbered(21));
    expect(more?.submission_ids?.length).toBe(20);
    expect(submit({ aggregation: "sum" }, more, first)).toMatchObject({
      player: { score: 22 },
      repeated: false,
    });
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
    const anyCase = fc.tuple(
      fc.array(anySubmission, { maxLength: 20 }),
      fc.array(anyRetry, { maxLength: 15 }),
    );
    const anyAggregation = fc.constantFrom("best" as const, "latest" as const, "sum" as const);
    fc.assert(
      fc.property(anyOrder, anyAggregation, anyCase, (order, aggregation, [submissions, retries]) => {
        const once = submissions.map((submission, index) => {
          // On a board that keeps the best, a submission that changes nothing is not remembered, so its name would
          // count again.
          const name = aggregation === "best" ? "Ann" : submission.display_name;
          return {
            submission: { ...submission, display_name: name, submission_id: `id ${index}` },
            at: index,
          };
        });
        const again = retries.flatMap(({ index, secondsLater }) =>
          once
            .slice(index, index + 1)
            .map(({ submission }) => ({ submission, at: index + secondsLater + 0.5 })),
        );
        const end = (list: typeof once) =>
          list
            .toSorted((a, b) => a.at - b.at)
            .reduce<Player | undefined>((player, { submission, at: seconds }) => {
              return submit({ order, aggregation }, player, submission, seconds).player;
            }, undefined);
        expect(end([...once, ...again])).toStrictEqual(end(once));
      }),
      { numRuns: 300 },
    );
  });
});

describe("the ids that a call names", () => {
  const player = (submissionIds?: string[]) => ({
    attempts: 1,
    status: "active" as const,
    ...(submissionIds === undefined ? {} : { submission_ids: submissionIds }),
  });

  test("are the last to be forgotten, and all keep their order", () => {
    const kept = keepingIds(player(["a", "b", "c", "d"]), new Set(["c", "a", "x"]));
    expect(kept).toEqual(player(["b", "d", "a", "c"]));
    expect(keepingIds(player(["a", "b"]), new Set())).toEqual(player(["a", "b"]));
    expect(keepingIds(player(["a", "b"]), new Set(["a", "b"]))).toEqual(player(["a", "b"]));
  });

  test("change nothing without a player or remembered ids", () => {
    expect(keepingIds(undefined, new Set(["a"]))).toBeUndefined();
    expect(keepingIds(player(), new Set(["a"]))).toEqual(player());
  });
});

describe("a submission that leaves the score as it is", () => {
  const bare = { score: 5, attempts: 0, status: "active" as const };

  test("completes a trusted server's score with a time", () => {
    expect(submit({}, bare, { score: 4 }, 7)).toMatchObject({
      changed: true,
      improved: false,
      player: { score: 5, achieved_at: at(7) },
    });
  });

  test("counts where attempts or their frequency are limited, and not elsewhere", () => {
    const known = { ...bare, achieved_at: at(0) };
    expect(submit({}, known, { score: 4 }).changed).toBe(false);
    expect(submit({ min_seconds_between: 5 }, known, { score: 4 }, 60)).toMatchObject({
      changed: true,
      player: { attempts: 1, last_submission_at: at(60) },
    });
    expect(submit({ max_attempts: 5 }, known, { score: 4 }).changed).toBe(true);
  });

  test("takes its metadata along, unless only the best submission's counts", () => {
    const known = { ...bare, achieved_at: at(0), metadata: { level: 1 } };
    const metadata = { level: 2 };
    expect(submit({ aggregation: "latest" }, known, { score: 5, metadata }).player.metadata).toEqual(
      metadata,
    );
    expect(submit({ aggregation: "sum" }, known, { score: 0, metadata }).player.metadata).toEqual(metadata);
    expect(submit({}, known, { score: 5, metadata }).player.metadata).toEqual({ level: 1 });
  });
});

test("the error for a score out of range names its field, whichever range it is", () => {
  const known = { score: 2 ** 53 - 1, attempts: 0, status: "active" as const };
  const field = { details: { fields: [{ path: "score" }] } };
  expect(refusal({ aggregation: "sum" }, known, { score: 1 })).toMatchObject(field);
  expect(refusal({ aggregation: "latest", max_change: 5 }, known, { score: 1 })).toMatchObject(field);
});

describe("a submission without an id", () => {
  test.for([
    { aggregation: "sum" },
    { aggregation: "latest" },
    { max_attempts: 3 },
    { min_seconds_between: 5 },
  ] as const)(
    "needs one on a board with %o, as it would count twice, be refused the second time or replace a later one",
    (definition) => {
      expect(needsId(definitionOf(definition))).toBe(true);
    },
  );

  test("needs none on a board of the best scores", () => {
    expect(needsId(definitionOf({ aggregation: "best" }))).toBe(false);
  });

  test.for(["latest", "sum"] as const)(
    "of a board of %s writes nothing for ours if nothing changes",
    (aggregation) => {
      const player = { score: 7, attempts: 1, status: "active", achieved_at: at(1) } as const;
      const submission = { score: aggregation === "sum" ? 0 : 7, submission_id: "made" };
      const isWritten = (isOwnId: boolean) =>
        applySubmission(definitionOf({ aggregation }), player, submission, at(2), isOwnId).changed;
      expect([isWritten(true), isWritten(false)]).toEqual([false, true]);
    },
  );
});
