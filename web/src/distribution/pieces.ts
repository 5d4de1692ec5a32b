/**
 * How many players have which scores, according to the pages of a ranking. Pure.
 *
 * A page says for each of its rows how many players are above; so two pages, however far apart, say exactly how many
 * players are between them. So a few evenly spaced pages show the distribution of any number of players: the gap
 * between two pages is a piece with the right number of players; only their scores are assumed to be evenly spread.
 */
import type { PageRead } from "../../../functions/src/documents/page-bounds.ts";

/** Players with scores from `best` to `worst`, both included; one score where they are equal. */
export interface Piece {
  best: number;
  worst: number;
  players: number;
}

/** The pages to read: all, or `max` of them, evenly spaced, including the first and the last. */
export function pagesToRead(pages: number, max: number): number[] {
  if (pages <= max) return Array.from({ length: pages }, (_, page) => page);
  return Array.from({ length: max }, (_, i) => Math.round((i * (pages - 1)) / (max - 1)));
}

/** The pieces of some pages of one ranking, in order of page, best scores first. */
export function piecesOf(pages: readonly PageRead[]): Piece[] {
  return pages.flatMap((page, i) => {
    const rows = Array.from(page.scores, (score, row): Piece => ({
      best: score,
      worst: page.lows?.[row] ?? score,
      players: (page.players_above[row + 1] ?? page.players_until) - (page.players_above[row] ?? 0),
    }));
    const next = pages[i + 1];
    const until = page.until_score;
    const nextScore = next?.scores[0];
    if (next === undefined || until === null || nextScore === undefined) return rows;
    const between = (next.players_above[0] ?? page.players_until) - page.players_until;
    return between > 0 ? [...rows, { best: until, worst: nextScore, players: between }] : rows;
  });
}

export function playersIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { players }) => sum + players, 0);
}

/** The score at a share of the way down the list: 0.5 is the median. */
export function scoreAt(pieces: readonly Piece[], share: number): number | undefined {
  let left = share * playersIn(pieces);
  for (const { best, worst, players } of pieces) {
    if (left <= players) return players === 0 ? best : best + ((worst - best) * left) / players;
    left -= players;
  }
  return pieces.at(-1)?.worst;
}
