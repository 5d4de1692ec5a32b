/** Which shard document takes a change, and how many there are. */
import { shardsDefault, shardsMax, wideningFactor, writesPerShardPerSecond } from "./limits.ts";

/**
 * The shard for a change, drawn at random. Each further attempt draws from a range eight times as wide: contention
 * spreads over space, as backoff spreads it over time. Shards are additive and short-lived, so any choice is right.
 *
 * The player's hash would not do: a few very active players would keep some shards busy while others idle. In the load
 * model (docs/load-model.md) 1,000 changes a second wait 5.3 s at the 99th percentile by hash and 4.2 s by chance.
 * @param attempt 0 for the first.
 * @param random in [0, 1).
 */
export function chooseShard(shards: number, attempt: number, random: number): number {
  return Math.floor(random * Math.min(shards * wideningFactor ** attempt, shardsMax * 2));
}

/** The first guess at a season's number of shards; the default without one. */
export function initialShards(expectedWritesPerSecond: number | undefined): number {
  if (expectedWritesPerSecond === undefined) return shardsDefault;
  return Math.min(shardsMax, Math.max(1, Math.ceil(expectedWritesPerSecond / writesPerShardPerSecond)));
}

/**
 * The number of shards from now on, after a publication measured the load.
 *
 * It rises at once to what the busiest slot needs, at half a write a second and document. It falls by at most a
 * quarter each time, as the next rush is likelier than its end. Changing it needs no coordination: shards add
 * up wherever a change lies.
 * @param peakWritesPerSecond writes to all shards together, in the busiest slot that was folded.
 */
export function nextShards(shards: number, peakWritesPerSecond: number): number {
  const wanted = initialShards(peakWritesPerSecond);
  return Math.max(wanted, shards - Math.floor(shards / 4));
}
