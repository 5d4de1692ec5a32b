/** Each season counts its generations separately, and a submission counts in several seasons. */
import { beforeEach, expect, test } from "vitest";
import { seasonsSeenMax } from "../../functions/src/model/limits.ts";
import type { Submission } from "./answers.ts";
import { generationsOf, generationsOfAll } from "./generations.ts";
import type { Leaderboard } from "./leaderboard.ts";

let board: Leaderboard;
const at = (options: Partial<Leaderboard>): Leaderboard => ({ ...board, ...options });
const seenOf = (season: string) => generationsOf(at({ season })).seen;
const saw = (season: string, generation: number) => {
  generationsOf(at({ season })).saw(generation);
};

const answerOf = (seasons: object[]) => ({ seasons }) as unknown as Submission;

beforeEach(() => {
  board = { app: {}, id: "arena" } as unknown as Leaderboard;
});

test.each([{}, { span: "weekly" }, { season: "weekly-2026-W47" }])(
  "a submission names a generation as one of its own season, whatever the board names: %j",
  (named) => {
    generationsOf(at({ span: "weekly" })).saw(50, "weekly-2026-W47");
    generationsOf(board).saw(12, "all_time");
    expect(generationsOfAll(at(named)).seen).toEqual({ all_time: 12, "weekly-2026-W47": 50 });
  },
);

test("it names the hundred seasons seen last, as the functions take no more", () => {
  saw("all_time", 12);
  for (let i = 0; i < 150; i++) {
    saw(`cup-${i}`, 1);
    saw("weekly-2026-W47", 50);
  }
  generationsOf(board).saw(12, "all_time"); // nothing new
  const { seen } = generationsOfAll(board);
  expect(Object.keys(seen)).toHaveLength(seasonsSeenMax);
  expect(seen).toMatchObject({ all_time: 12, "weekly-2026-W47": 50, "cup-149": 1 });
  expect(seen).not.toHaveProperty("cup-51");
});

test("it names nothing of other boards", () => {
  saw("all_time", 3);
  for (const other of [{ id: "chess" }, { prefix: "ranks" }, { database: "games" }])
    expect(generationsOfAll(at(other)).seen).toEqual({});
});

test("the season of a span in its answer is the one that is asked next", () => {
  const seasons = [
    { season: "all_time", span: "all_time", rank: { generation: 12 } },
    { season: "weekly-2026-W48", span: "weekly", rank: { generation: 2 } },
  ];
  const weekly = at({ span: "weekly" });
  generationsOf(weekly).saw(50, "weekly-2026-W47");
  generationsOfAll(weekly).saw(answerOf(seasons));
  expect(generationsOf(weekly).seen).toBe(2);
  generationsOfAll(board).saw(answerOf(seasons.toReversed()));
  expect(generationsOf(board).seen).toBe(2);
  // A tournament is none of the board's spans.
  generationsOfAll(at({ season: "cup" })).saw(
    answerOf([{ season: "cup", span: "custom", rank: { generation: 9 } }]),
  );
  expect([generationsOf(board).seen, seenOf("cup")]).toEqual([2, 9]);
});

test("an older generation than was sent means that the ranking was restarted, in that season alone", () => {
  saw("all_time", 30);
  saw("weekly-2026-W47", 80);
  const sent = generationsOfAll(board);
  sent.saw(
    answerOf([
      { season: "all_time", span: "all_time", rank: { generation: 30 } },
      { season: "weekly-2026-W47", span: "weekly", rank: { generation: 2 } },
    ]),
  );
  expect(["all_time", "weekly-2026-W47"].map(seenOf)).toEqual([30, 2]);
});

test("an older answer that comes late does not take back what was seen meanwhile", () => {
  saw("all_time", 30);
  const late = generationsOfAll(board);
  saw("all_time", 90);
  saw("weekly-2026-W47", 90);
  late.saw(
    answerOf([
      { season: "all_time", span: "all_time", rank: { generation: 30 } },
      { season: "weekly-2026-W47", span: "weekly", rank: { generation: 80 } },
    ]),
  );
  expect(["all_time", "weekly-2026-W47"].map(seenOf)).toEqual([90, 90]);
});
