/** Which documents the inverted index has. Formulas of score-documents.ts remember them with it. Pure. */
import type { Truth } from "../contest/truth.ts";
import { scoresOf } from "./histogram.ts";
import { scoreMax } from "./system.ts";

export interface ScoreDocuments {
  /** Documents of better scores. */
  above(score: number): number;
  enter(score: number, shard: number): void;
  /** @returns whether the document lost its last player, and is dropped. */
  leave(score: number, shard: number): boolean;
}

/**
 * @param start players who are there at the beginning. Nobody knows which shards they are in, so their documents are as
 *   many as are expected if they chose them at random. Everything afterwards is exact.
 */
export function scoreDocumentsOf(start: Truth, shards: number): ScoreDocuments {
  /** Documents of each score, and the players in each of these at the beginning. */
  const documents = new Float64Array(scoreMax + 1);
  const startPlayers = new Float64Array(scoreMax + 1);
  for (const score of scoresOf(start)) {
    const players = start.equals(score);
    documents[score] = shards * (1 - (1 - 1 / shards) ** players);
    startPlayers[score] = players / shards;
  }
  /** Players of documents that changed. */
  const changed = new Map<string, number>();

  /** @returns the players of the document afterwards. */
  function change(score: number, shard: number, by: number): number {
    const key = `${score}_${shard}`;
    const before = changed.get(key) ?? startPlayers[score] ?? 0;
    changed.set(key, before + by);
    documents[score] = (documents[score] ?? 0) + exists(before + by) - exists(before);
    return before + by;
  }

  return {
    above: (score) => documents.subarray(score + 1).reduce((sum, count) => sum + count, 0),
    enter(score, shard) {
      change(score, shard, 1);
    },
    leave: (score, shard) => change(score, shard, -1) <= 0,
  };
}

/** Whether a document with so many players is there; a part of one for less than a player expected. */
function exists(players: number): number {
  return Math.max(0, Math.min(1, players));
}
