import { expect, test } from "vitest";
import { generationSeen, sawGeneration } from "./generations.ts";

let boards = 0;
const newSeason = () => ({ leaderboard: `board-${(boards += 1)}`, season: "all_time" });

test("a page never asks for an older generation of a season than it has seen", () => {
  const key = newSeason();
  expect(generationSeen(key)).toEqual({});
  sawGeneration(key, 0);
  expect(generationSeen(key)).toEqual({});
  sawGeneration(key, 2);
  sawGeneration(key, 1); // an answer that was under way
  expect(generationSeen(key)).toEqual({ min_generation: 2 });
  expect(generationSeen(newSeason())).toEqual({});
});

test("an answer that is older than requested means that the ranking was restarted", () => {
  const key = newSeason();
  sawGeneration(key, 712);
  sawGeneration(key, 3, 712);
  expect(generationSeen(key)).toEqual({ min_generation: 3 });
  sawGeneration(key, 1, 712); // another answer, requested before that was known
  expect(generationSeen(key)).toEqual({ min_generation: 3 });
});
