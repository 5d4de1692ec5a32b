/** Checks whether standings are in order, and agree with the published pages. Pure. */
import type { Page } from "../documents/page.ts";
import { comparePlaces, type PlaceInOrder, type Standings } from "../documents/standings.ts";
import { auditExamplesMax } from "../model/limits.ts";
import { type Order, sortKey } from "../model/score.ts";
import { unpackPages } from "../ranking/pack-pages.ts";

/** A check under way: it gets the documents of the standings one by one. */
export interface StandingsCheck {
  add(document: Pick<Standings, "players" | "scores" | "achieved_at">): void;
  /** What is wrong, in words without any player's id; at most 20, and none if everything agrees. */
  finish(): string[];
}

/**
 * Compares standings with pages: each player must come after the previous one in the total order, each score must be in
 * a row, and the players above each row and in it must be as many as the row says. A merged row says no more, so for
 * its players only the number is checked. It is one function, as it goes through rows and players side by side.
 * @param pages of one generation, valid (see {@link checkPages}).
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
  let last: PlaceInOrder | undefined;

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
        const place = { player, score: scores[i] ?? NaN, achievedAt: times[i] } as PlaceInOrder;
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
