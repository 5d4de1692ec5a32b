/** Which shard document takes a change. */
import { shardsDefault, shardsMax, writesPerShardPerSecond } from "./limits.ts";

/** FNV-1a, 32 bits, over UTF-16 code units: spreads player ids evenly over shards (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * The shard for a change. The first attempt takes the player's own, so that a player's changes meet in one
 * document and cancel there. Each further attempt draws from a range twice as wide: contention spreads in
 * space as backoff spreads it in time. Shards are additive, so any choice is right.
 * @param attempt 0 for the first.
 * @param random in [0, 1).
 */
export function chooseShard(player: string, shards: number, attempt: number, random: number): number {
  if (attempt === 0) return hashOf(player) % shards;
  return Math.floor(random * Math.min(shards * 2 ** attempt, shardsMax * 2));
}

/** The first guess at a season's number of shards; the default without one. */
export function initialShards(expectedWritesPerSecond: number | undefined): number {
  if (expectedWritesPerSecond === undefined) return shardsDefault;
  return Math.min(shardsMax, Math.max(1, Math.ceil(expectedWritesPerSecond / writesPerShardPerSecond)));
}

/**
 * The number of shards from now on, after a publication measured the load.
 *
 * Raised at once to what the busiest slot asked for, at half a write a second and document; lowered by at most a
 * quarter each time, as the next rush is likelier than its end. Changing it needs no coordination: shards add up
 * wherever a change lies.
 * @param peakWritesPerSecond writes to all shards together, in the busiest slot that was folded.
 */
export function nextShards(shards: number, peakWritesPerSecond: number): number {
  const wanted = initialShards(peakWritesPerSecond);
  return Math.max(wanted, shards - Math.floor(shards / 4));
}
