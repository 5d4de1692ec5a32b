/** What the SDKs for Apple, Android and Unity do differently from the web's when they call. */
import { expect, test } from "vitest";
import { submissionSchema } from "../../../functions/src/model/answers.ts";
import { useLive } from "../../support/live.ts";

const live = useLive();

/** A whole number as they send it: as text, which JavaScript's numbers cannot spoil. */
const int64 = (value: number) => ({
  "@type": "type.googleapis.com/google.protobuf.Int64Value",
  value: String(value),
});

test("a 64-bit integer, which arrives as text with a type, is a score like any other", async () => {
  const { leaderboard } = await live.board();
  const ann = await live.as("ann");
  for (const score of [1_250, -7, Number.MAX_SAFE_INTEGER]) {
    const request = { leaderboard, score: int64(score), metadata: { level: int64(3) } };
    const answer = submissionSchema.parse(await ann.send("submitScore", request));
    expect(answer.seasons[0]?.score).toBe(Math.max(1_250, score));
  }
  const columns = { points: int64(3), goals: int64(2) };
  const range = { min: 0, max: 100 };
  const board = await live.board({ columns: Object.keys(columns).map((name) => ({ name, ...range })) });
  const answer = await ann.send("submitScore", { leaderboard: board.leaderboard, columns });
  expect(submissionSchema.parse(answer).seasons[0]?.columns).toEqual({ points: 3, goals: 2 });
});
