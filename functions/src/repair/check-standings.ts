/** Whether standings are in order, and say what the published pages say. Pure. */
import type { Page } from "../documents/page.ts";
import { comparePlaces, type Place, type Standings } from "../documents/standings.ts";
import { auditExamplesMax } from "../model/limits.ts";
import { type Order, sortKey } from "../model/score.ts";
import { unpackPages } from "../ranking/pack-pages.ts";

/** A check under way: told of the documents of the standings, one after the other. */
export interface StandingsCheck {
  add(document: Pick<Standings, "players" | "scores" | "achieved_at">): void;
  /** What is wrong, in words without any player's id; at most 20, and nothing where all agrees. */
  finish(): string[];
}

/**
 * Holds standings against pages: each player after the one before in the total order, each score in a row, as many
 * players above each row and in it as the row says. A merged row tells no more than that, so of its players the check
 * knows that there are as many.
 * @param pages of one generation, whole (see {@link checkPages}).
 */
export function createStandingsCheck(
  { order, ties }: { order: Order; ties: "first" | "last" },
  pages: readonly Page[],
): StandingsCheck {
  const problems: string[] = [];
  const tell = (problem: string) => {
    if (problems.length < auditExamplesMax) problems.push(problem);
  };
  const rows = unpackPages(order, pages);
  if (pages.some(({ owed }) => owed !== undefined)) tell("the pages owe players");
  let row = 0;
  let inRow = 0;
  let position = 0;
  let last: Place | undefined;

  function endRow(): void {
    const expected = rows.players[row] ?? 0;
    if (inRow !== expected)
      tell(`the row of ${rows.scores[row]} has ${expected} players, the standings have ${inRow}`);
    row += 1;
    inRow = 0;
  }

  function addScore(score: number): void {
    const key = sortKey(order, score);
    while (row < rows.scores.length && sortKey(order, rows.lows[row] ?? NaN) < key) endRow();
    if (row === rows.scores.length || sortKey(order, rows.scores[row] ?? NaN) > key)
      tell(`the standings have a player with ${score}, the pages have none`);
    else inRow += 1;
  }

  return {
    add({ players, scores, achieved_at: times }) {
      if (players.length !== scores.length || players.length !== times.length)
        tell("a document of the standings has lists of different lengths");
      players.forEach((player, i) => {
        const place = { player, score: scores[i] ?? NaN, achievedAt: times[i] } as Place;
        position += 1;
        if (last !== undefined && !(comparePlaces(order, ties, last, place) < 0))
          tell(`the standings are out of order at position ${position}`);
        last = place;
        addScore(place.score);
      });
    },
    finish() {
      while (row < rows.scores.length) endRow();
      const published = pages[0]?.players ?? 0;
      if (published !== position) tell(`the pages have ${published} players, the standings ${position}`);
      return problems;
    },
  };
}
