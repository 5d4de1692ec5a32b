/**
 * The newest generation of each season that this page has seen, in answers, records of runs and the season's document:
 * later requests never get an older one.
 */
import { type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";

const newest = new Map<string, number>();

/** The least generation to ask for; none if no ranking is known. */
export function generationSeen(key: SeasonKey): { min_generation?: number } {
  const seen = newest.get(seasonPath(key)) ?? 0;
  return seen > 0 ? { min_generation: seen } : {};
}

/** @param asked the requested generation: an older answer means that the ranking was restarted */
export function sawGeneration(key: SeasonKey, generation: number, asked?: number): void {
  const path = seasonPath(key);
  const seen = newest.get(path) ?? 0;
  if (generation > seen || asked === seen) newest.set(path, generation);
}
