/** Waits of the systems by the model of waits.ts, as data for the report. */
import { randomOf } from "../generators/random.ts";
import type { Shape } from "../generators/shapes.ts";
import type { System } from "../systems/system.ts";
import { changesOf } from "./changes.ts";
import { type Arrivals, failedShare, largestRate, simulateWaits, type Waits } from "./waits.ts";

/** Seconds that a commit to a document takes: as long documented, and a kinder one. */
export const serviceTimes = [1, 0.1];
export const updateRates = [0.1, 1, 3, 10, 30, 100, 300, 1_000];

/** At one rate of updates. */
export interface WaitsAt extends Waits {
  updatesPerSecond: number;
  /** Work piles up without end; the waits are those of the time that was simulated. */
  growing: boolean;
  /** Share of the updates that fail if transactions are tried again instead of waiting; absent where nothing is shared. */
  failed?: number;
}

export interface SystemWaits {
  id: string;
  serviceSeconds: number;
  /** The largest rate that piles up no work; `null` if only the players' own documents limit it. */
  ratePerSecondMax: number | null;
  rates: WaitsAt[];
}

/** How much is simulated. */
export interface Effort {
  players: number;
  /** Updates for each rate. */
  updates: number;
  /** Updates for each document where the largest rate is sought; as many as it takes to tell it within some per cent if left out. */
  updatesPerDocument?: number;
}

/** Waits of a system on a board of a shape; none for a system outside of Firestore. */
export function waitsOf(system: Pick<System, "id" | "load">, shape: Shape, effort: Effort): SystemWaits[] {
  const { id, load } = system;
  if (load.kind === "outside") return [];
  const { players, updates, updatesPerDocument } = effort;
  return serviceTimes.map((serviceSeconds) => {
    const begin = (updatesPerSecond: number): Arrivals => {
      const random = randomOf(1);
      // Long enough for the busiest documents to be in use again and again.
      const seconds = Math.max(60 * serviceSeconds, updates / updatesPerSecond);
      const change = changesOf(shape, players, random);
      return { load, updatesPerSecond, serviceSeconds, seconds, change, random };
    };
    const rateMax = largestRate(begin(NaN), updates, updatesPerDocument);
    const rates = updateRates.map((updatesPerSecond) => ({
      updatesPerSecond,
      ...simulateWaits(begin(updatesPerSecond)),
      growing: updatesPerSecond >= rateMax,
      ...(load.kind === "documents" && { failed: failedShare(begin(updatesPerSecond)) }),
    }));
    return { id, serviceSeconds, ratePerSecondMax: Number.isFinite(rateMax) ? rateMax : null, rates };
  });
}
