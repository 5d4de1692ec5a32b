import { describe, expect, test } from "vitest";
import type { Player } from "../documents/player.ts";
import type { ErrorCode } from "../model/errors.ts";
import { at, type Board, play, refusal, submit, table } from "../../../test/support/submissions.ts";
import type { Submission } from "./schema.ts";

function holds(board: Board, player: Player | undefined, submission: Submission, code: ErrorCode) {
  const { code: found, details } = refusal(board, player, submission);
  expect(found).toBe(code);
  if (code === "score_out_of_range") expect(details.fields?.map(({ path }) => path)).toEqual(["score"]);
}

describe("a limit", () => {
  test("on the score accepts the bounds themselves and nothing beyond", () => {
    const board: Board = { min_score: -1.5, max_score: 10 };
    for (const score of [-1.5, 10]) expect(submit(board, undefined, { score }).player.score).toBe(score);
    for (const score of [-1.6, 10.1]) holds(board, undefined, { score }, "score_out_of_range");
    // A worse score would not be stored, but is refused all the same.
    holds(board, { score: 5, attempts: 1, status: "active" }, { score: -2 }, "score_out_of_range");
  });

  test("on the score bounds the total where the board takes the sum, and not what is added", () => {
    const board: Board = { aggregation: "sum", min_score: 0, max_score: 10 };
    const nine = play(board, [{ score: 9 }]);
    expect(submit(board, nine, { score: 1 }).player.score).toBe(10);
    expect(submit(board, nine, { score: -9 }).player.score).toBe(0);
    expect(refusal(board, nine, { score: 2 }).message).toBe("score: the total 11 is above max_score, 10");
    expect(refusal(board, nine, { score: -10 }).message).toBe("score: the total -1 is below min_score, 0");
  });

  test("on the change counts from the stored score, in both directions, and from zero for a first sum", () => {
    const latest: Board = { aggregation: "latest", max_change: 5 };
    const ten = play(latest, [{ score: 10 }]);
    for (const score of [5, 15]) expect(submit(latest, ten, { score }).player.score).toBe(score);
    for (const score of [4, 16]) holds(latest, ten, { score }, "score_out_of_range");
    holds({ aggregation: "sum", max_change: 5 }, undefined, { score: 6 }, "score_out_of_range");
    // A worse score changes nothing on a board that keeps the best, however far it is.
    expect(submit({ max_change: 5 }, ten, { score: -100 }).player.score).toBe(10);
  });

  test("on the time between submissions lets the next in at exactly that time, and says how long to wait", () => {
    const board: Board = { min_seconds_between: 2.5 };
    const player = submit(board, undefined, { score: 1 }).player;
    expect(submit(board, player, { score: 2 }, 2.5).player.score).toBe(2);
    expect(refusal(board, player, { score: 2 }, 2.499)).toMatchObject({
      code: "too_frequent",
      details: { retry_after_seconds: 1 },
    });
    expect(refusal(board, player, { score: 2 }, 0).details.retry_after_seconds).toBe(3);
  });

  test("on attempts accepts exactly that many, including those that are not better", () => {
    const board: Board = { max_attempts: 3 };
    const three = play(board, [{ score: 5 }, { score: 1 }, { score: 1 }]);
    expect(three?.attempts).toBe(3);
    holds(board, three, { score: 100 }, "too_many_attempts");
  });

  test("of 2^53 - 1 applies to every sum, so that no sum is rounded to its neighbour", () => {
    const sum: Board = { aggregation: "sum" };
    const full = play(sum, [{ score: 2 ** 53 - 3 }, { score: 2 }]);
    expect(full?.score).toBe(2 ** 53 - 1);
    // 2^53 + 1 would be read and stored as 2^53.
    expect(refusal(sum, full, { score: 2 }).message).toContain("would be larger in size than 2^53 - 1");
    holds(sum, play(sum, [{ score: 1 - 2 ** 53 }]), { score: -1 }, "score_out_of_range");
  });
});

describe("scores with fractions", () => {
  const steps: Board[] = [{}, { decimals: 1 }];

  test("add up as people write them", () => {
    for (const board of steps) {
      const sum = { ...board, aggregation: "sum" as const, min_score: 0, max_score: 0.3 };
      expect(play(sum, [{ score: 0.1 }, { score: 0.2 }])?.score).toBe(0.3);
      expect(play(sum, [{ score: 0.3 }, { score: -0.1 }, { score: -0.2 }])?.score).toBe(0);
      expect(refusal(sum, play(sum, [{ score: 0.3 }]), { score: 0.1 }).message).toBe(
        "score: the total 0.4 is above max_score, 0.3",
      );
    }
  });

  test("that a client has added up are within a limit that they reach", () => {
    for (const board of steps) {
      const most = { ...board, max_score: 0.3 };
      const { score } = submit(most, undefined, { score: 0.1 + 0.2 }).player;
      // Without decimals a score is kept as it was submitted.
      expect(score).toBe(board.decimals === undefined ? 0.1 + 0.2 : 0.3);
      holds(most, undefined, { score: 0.4 }, "score_out_of_range");
      const least = { ...board, min_score: 0.8 };
      expect(submit(least, undefined, { score: 1.1 - 0.3 }).player.score).toBeCloseTo(0.8);
    }
  });

  test("may change by as much as max_change says", () => {
    for (const board of steps) {
      const change = { ...board, aggregation: "latest" as const, max_change: 0.7 };
      const before = play(change, [{ score: 0.1 }]);
      expect(submit(change, before, { score: 0.8 }).player.score).toBe(0.8);
      expect(refusal(change, before, { score: 0.9 }).message).toBe(
        "score: changes the stored score by 0.8, more than max_change, 0.7",
      );
      const far = play({ ...change, max_change: undefined }, [{ score: 1_000_000.2 }]);
      const near = { ...change, max_change: 0.1 };
      expect(submit(near, far, { score: 1_000_000.3 }).player.score).toBe(1_000_000.3);
    }
  });

  test("are rounded to the board's step before they are compared or stored", () => {
    const board: Board = { decimals: 1 };
    const first = submit(board, undefined, { score: 0.26 }).player;
    expect(first.score).toBe(0.3);
    expect(submit(board, first, { score: 0.34 })).toMatchObject({ changed: false, improved: false });
    expect(submit(board, first, { score: 0.35 + 1e-9 }).player.score).toBe(0.4);
    expect(Object.is(submit(board, undefined, { score: -0.04 }).player.score, 0)).toBe(true);
  });

  test("of 15 digits are the largest on a board with decimals", () => {
    const board: Board = { decimals: 2, aggregation: "sum" };
    const full = play(board, [{ score: 9_999_999_999_999.98 }, { score: 0.01 }]);
    expect(full?.score).toBe(9_999_999_999_999.99);
    expect(refusal(board, full, { score: 0.01 }).message).toBe(
      "score: the total 10000000000000 would be larger in size than 9999999999999.99, as 15 digits are stored",
    );
  });

  test("that a trusted server has stored with noise are the board's step", () => {
    const noisy = { score: 0.1 + 0.2, achieved_at: at(0), attempts: 1, status: "active" as const };
    expect(submit({ decimals: 1 }, noisy, { score: 0.3 })).toMatchObject({
      changed: false,
      improved: false,
      player: { score: 0.3, achieved_at: at(0) },
    });
  });
});

describe("columns", () => {
  test("are compared as a tuple, and added column by column", () => {
    const of = (points: number, seconds: number) => ({ columns: { points, seconds } });
    const submissions = [of(3, 40), of(3, 10), of(2, 0)];
    const best = { columns: { points: 3, seconds: 10 }, score: 3 * 60 + 49, achieved_at: at(1) };
    expect(play(table, submissions)).toMatchObject(best);
    expect(play({ ...table, aggregation: "sum" }, submissions)?.columns).toEqual({ points: 8, seconds: 50 });
  });

  test.each<[Submission, string]>([
    [{}, "columns: is missing; send {points, seconds}"],
    [{ score: 1 }, "score: this leaderboard has columns; send columns: {points, seconds}"],
    [{ columns: { points: 1.5, seconds: 1 } }, "columns.points: is 1.5, not a whole number"],
    [{ columns: { points: 1, seconds: 1, goals: 2 } }, "columns.goals: is not a column of this leaderboard"],
    [{ columns: { goals: 2 } }, "columns.points: is missing; columns.seconds: is missing"],
    [{ columns: { points: -1, seconds: 1 } }, "columns.points: -1 is not from 0 to 300, the column's range"],
    [{ columns: { points: 1, seconds: 60 } }, "columns.seconds: 60 is not from 0 to 59"],
  ])("%j are refused with the path of what is wrong", (submission, message) => {
    expect(refusal(table, undefined, submission).message).toContain(message);
  });

  test("are refused on a board without any, and so is a submission without a value", () => {
    expect(refusal({}, undefined, { columns: { points: 1 } }).message).toBe(
      "columns: this leaderboard has no columns; send score",
    );
    expect(refusal({}, undefined, {}).message).toBe("score: is missing");
  });

  test("are refused if their sum leaves a range, and may be large on their own if the sum is within it", () => {
    const board: Board = { ...table, aggregation: "sum" };
    const most = play(board, [{ columns: { points: 300, seconds: 0 } }]);
    const refused = refusal(board, most, { columns: { points: 1, seconds: 0 } });
    expect(refused.message).toContain("columns.points: 301 is not from 0 to 300");
    const { columns } = submit(board, most, { columns: { points: -300, seconds: 59 } }).player;
    expect(columns).toEqual({ points: 0, seconds: 59 });
  });
});
