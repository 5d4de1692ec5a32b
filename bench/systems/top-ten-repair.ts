/**
 * A top ten in one document with read repair. Who has a better score than the lowest of it adds it to the document, in
 * no order; who reads the document sorts it, cuts it to ten and stores it with its new lowest score.
 */
import type { Entry } from "../contest/truth.ts";

export const topSize = 10;

export interface TopDocument {
  /** A score that is not higher does not enter; null or left out while there are fewer than ten. */
  lowest_score?: number | null;
  scores: Entry[];
}

/** Whether a score gets into the document. */
export function enters(top: TopDocument | undefined, score: number): boolean {
  const lowest = top?.lowest_score ?? null;
  return lowest === null || score > lowest;
}

/** The document with a score added, not yet repaired. */
export function added(top: TopDocument | undefined, entry: Entry): TopDocument {
  return { lowest_score: top?.lowest_score ?? null, scores: [...(top?.scores ?? []), entry] };
}

/** The document as it should be: the ten best, each player once with the best score, sorted. */
export function repaired({ scores }: TopDocument): TopDocument {
  const best = new Map<string, Entry>();
  for (const { player, score } of scores) {
    if (score > (best.get(player)?.score ?? -Infinity)) best.set(player, { player, score });
  }
  const sorted = [...best.values()].sort((a, b) => b.score - a.score).slice(0, topSize);
  return { lowest_score: sorted[topSize - 1]?.score ?? null, scores: sorted };
}

/** Whether reading has something to repair. */
export function needsRepair(top: TopDocument): boolean {
  const right = repaired(top);
  return (
    right.lowest_score !== (top.lowest_score ?? null) ||
    right.scores.length !== top.scores.length ||
    right.scores.some(
      ({ player, score }, i) => top.scores[i]?.player !== player || top.scores[i].score !== score,
    )
  );
}
