/**
 * The gate of the top: what a score must pass to be listed. It tells, at nearly no cost, whether a change of a player
 * may show in the top. On a busy board few changes do. Pure.
 *
 * An instance remembers it (gate-memory.ts). A gate that was too low costs a needless refresh. One that was too high,
 * after somebody left the top, would leave players out: so lowering a gate also requests a refresh (keep-live.ts).
 */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../documents/firestore.ts";
import type { PlayerChange } from "../documents/player.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import type { ShardContent } from "../documents/shard.ts";
import { type Steps, toStep } from "../model/arithmetic.ts";
import type { Definition } from "../model/definition.ts";
import { millisOf } from "../model/instant.ts";
import { isBetter } from "../model/score.ts";

/** The last player listed; null while there is room; undefined while there is no top. */
export type Gate = { score: number; atMs: number | undefined } | null | undefined;

type GateOrder = Pick<Definition, "order" | "ties"> & Steps;

/** Whether a change may show in a top with this gate. */
export function showsInTop(ordering: GateOrder, gate: Gate, { before, after }: PlayerChange): boolean {
  return gate !== undefined && (passes(ordering, gate, before) || passes(ordering, gate, after));
}

/** The scores that a shard document changes, from the lowest to the highest, and when the last of its commits was. */
export interface ChangedScores {
  lowest: number;
  highest: number;
  updateTime: Timestamp;
}

/**
 * Whether changes may show in a top whose players were read at `readAt`: some score, before or after, comes up to the gate,
 * and its commit may not have been seen. Later tops of the same gate show what the top at that time shows.
 */
export function mayShow(
  { order }: Pick<GateOrder, "order">,
  gate: Exclude<Gate, undefined>,
  readAt: Timestamp,
  changes: readonly ChangedScores[],
): boolean {
  return changes.some(({ lowest, highest, updateTime }) => {
    if (updateTime < readAt) return false;
    return comesUpTo({ order }, gate, order === "descending" ? highest : lowest);
  });
}

/** Whether a player with a score may be listed. */
export function comesUpTo(
  { order }: Pick<GateOrder, "order">,
  gate: Exclude<Gate, undefined>,
  score: number,
): boolean {
  return gate === null || score === gate.score || isBetter(order, score, gate.score);
}

/**
 * Whether a shard document names all scores that it changes. Where one player leaves a score and another reaches it, both
 * cancel out, and the document need not name the score. Then fewer players have come, and fewer have gone, than marks have
 * changed.
 */
export function namesAllScores({ changes, marks }: Pick<ShardContent, "changes" | "marks">): boolean {
  let [come, gone] = [0, 0];
  for (const { delta } of changes)
    if (delta > 0) come += delta;
    else gone -= delta;
  return Math.max(come, gone) >= marks;
}

/** Whether players pass the new gate who did not pass the old one. */
export function isLowered({ order, ties }: GateOrder, before: Gate, after: Gate): boolean {
  if (after === undefined || before === null) return false;
  if (before === undefined || after === null) return true;
  if (before.score !== after.score) return isBetter(order, before.score, after.score);
  if (before.atMs === undefined) return false;
  if (after.atMs === undefined) return true;
  return ties === "first" ? after.atMs > before.atMs : after.atMs < before.atMs;
}

/** The gate in the fields of a top document; if they are invalid, everybody passes. */
export function gateIn({
  lowest_score: score,
  lowest_at: at,
}: { lowest_score?: unknown; lowest_at?: unknown } = {}): Exclude<Gate, undefined> {
  return typeof score === "number" ? { score, atMs: millisOf(at) } : null;
}

/** Whether a player comes before the last player listed, or may do so, as with equal score and time. */
export function passes(
  { order, ties, decimals }: GateOrder,
  gate: Exclude<Gate, undefined>,
  data: PlayerChange["before"] = {},
): boolean {
  const written = scoreIfRanked(data);
  if (written === undefined) return false;
  if (gate === null) return true;
  const score = toStep({ decimals }, written);
  if (score !== gate.score) return isBetter(order, score, gate.score);
  const atMs = millisOf(data["achieved_at"]);
  if (atMs === undefined || gate.atMs === undefined) return true;
  return ties === "first" ? atMs <= gate.atMs : atMs >= gate.atMs;
}

/**
 * Whether a change affects what tops show, and what is counted: score or status; or only `names`: time, name or metadata.
 */
export function shownChange({ before, after }: PlayerChange): "change" | "names" | undefined {
  const old = shownFields(before);
  const present = shownFields(after);
  if (isDeepStrictEqual(old, present)) return undefined;
  return isDeepStrictEqual(old?.slice(0, 2), present?.slice(0, 2)) ? "names" : "change";
}

function shownFields(data: PlayerChange["before"] = {}): unknown[] | undefined {
  const score = scoreIfRanked(data);
  if (score === undefined) return undefined;
  return [score, data["status"], data["achieved_at"], data["display_name"], data["metadata"]];
}
