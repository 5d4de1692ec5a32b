/**
 * The layout that Firerank is compared with: a document for each score, which counts its players. A change writes two
 * of them, the old score's and the new one's; here separately, which is more favourable than one atomic commit, as a
 * commit would hold both while it waits for either. Documents are queues, as in model.ts, without a lock deadline.
 */
import { quantile } from "./model.ts";

export interface ScoreLoad {
  submissionsPerSecond: number;
  serviceSeconds: number;
  seconds: number;
  /** Draws a score, as the index of its document. */
  draw: (random: () => number) => number;
  documents: number;
  /** The share of the writes that go to the most frequent score. */
  hottestShare: number;
  random: () => number;
}

/**
 * From submission to the later of the two writes, in seconds. `growing`: the hottest document cannot keep up, and work
 * piles up without end.
 */
export interface ScoreWaits {
  waitP50: number;
  waitP99: number;
  growing: boolean;
}

/** Runs the model; the first half only warms it up. */
export function simulateDocumentPerScore(load: ScoreLoad): ScoreWaits {
  const { submissionsPerSecond: rate, serviceSeconds, seconds, draw, documents, hottestShare, random } = load;
  const busyUntil = new Float64Array(documents);
  const waits: number[] = [];
  let now = 0;
  function write(document: number): number {
    const end = Math.max(now, busyUntil[document] ?? 0) + serviceSeconds;
    busyUntil[document] = end;
    return end;
  }
  for (;;) {
    now += -Math.log(1 - random()) / rate;
    if (now > seconds) break;
    const end = Math.max(write(draw(random)), write(draw(random)));
    if (now > seconds / 2) waits.push(end - now);
  }
  const sorted = Float64Array.from(waits).sort();
  const growing = 2 * rate * hottestShare * serviceSeconds >= 1;
  return { waitP50: quantile(sorted, 0.5), waitP99: quantile(sorted, 0.99), growing };
}
