/**
 * The newest generation that this page has seen of each season, in answers, records of runs and the season's document:
 * what it asks for from then on is of no older one.
 */
import { type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";

const newest = new Map<string, number>();

/** What to ask for at least; nothing where no ranking is known. */
export function generationSeen(key: SeasonKey): { min_generation?: number } {
  const seen = newest.get(seasonPath(key)) ?? 0;
  return seen > 0 ? { min_generation: seen } : {};
}

/**
 * Remembers a generation.
 * @param asked what was asked for, so that an older answer tells that the ranking began again.
 */
export function sawGeneration(key: SeasonKey, generation: number, asked?: number): void {
  const path = seasonPath(key);
  const seen = newest.get(path) ?? 0;
  if (generation > seen || asked === seen) newest.set(path, generation);
}
