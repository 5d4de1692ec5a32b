/** Other choices of shards than production's, to see what each is worth. */
import { shardsDefault, shardsMax } from "../../functions/src/model/limits.ts";
import { hashOf } from "../../functions/src/model/hash.ts";
import { initialShards } from "../../functions/src/model/shard.ts";
import { randomOf } from "../generators/random.ts";
import { lognormalActivity } from "./activity.ts";
import { type LoadResult, simulate } from "./model.ts";
import { intervalSeconds, playersOf } from "./scenarios.ts";

export interface Variant {
  /** How the first attempt chooses: the player's own shard by hash, or any. */
  first: "hash" | "random";
  /** By how much each further attempt's range is wider than the one before. */
  factor: number;
  /** Shards at first. */
  shards: number;
  result: LoadResult;
}

const rate = 1_000;

/** Runs each variant at 1,000 submissions a second and 1 s a commit: at rest, at rest with more shards, and cold. */
export function runVariants(seed: number): Variant[] {
  const enough = initialShards(rate);
  return [
    run("hash", 2, enough, seed),
    run("hash", 2, 1.25 * enough, seed),
    run("random", 2, enough, seed),
    run("hash", 2, shardsDefault, seed),
    run("hash", 4, shardsDefault, seed),
    run("hash", 8, shardsDefault, seed),
    run("hash", 16, shardsDefault, seed),
  ];
}

function run(first: Variant["first"], factor: number, shards: number, seed: number): Variant {
  const random = randomOf(seed);
  const result = simulate({
    submissionsPerSecond: rate,
    activity: lognormalActivity(playersOf(rate), rate, random),
    serviceSeconds: 1,
    shards,
    intervalSeconds,
    seconds: 2 * intervalSeconds,
    // With more shards than the run's rule asks for, the rule would take them away.
    resize: shards === shardsDefault,
    random,
    choose: (count, attempt, drawn, player) =>
      attempt === 0 && first === "hash"
        ? hashOf(player) % count
        : Math.floor(drawn * Math.min(count * factor ** attempt, 2 * shardsMax)),
  });
  return { first, factor, shards, result };
}
