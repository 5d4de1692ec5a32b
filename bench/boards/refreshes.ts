/**
 * How often the top of a board is refreshed, where players get any other score at random. Pure.
 *
 * Up to a score in ten seconds it is held to played boards. Above that it is an estimate: a refresh then follows several
 * changes, of which some cancel out, and instances learn of a wider window later.
 */
import { topRefreshSecondsDefault, topWideningMax } from "../../functions/src/model/limits.ts";
import type { Board } from "./costs.ts";

/** In a second. */
export interface Refreshes {
  /** That follow changes: by the commit of the first change of a quiet time, and by tasks. */
  atOnce: number;
  byTask: number;
  /** That follow a refresh which lowered the gate, when instances have forgotten the higher one. */
  lowered: number;
  events: number;
}

export function refreshesPerSecond({ players, topSize }: Board, changesPerSecond: number): Refreshes {
  /** Whether a player is in the top, before or after. */
  const inTop = Math.min(1, topSize / players);
  const shown = changesPerSecond * (1 - (1 - inTop) ** 2);
  if (shown === 0) return { atOnce: 0, byTask: 0, lowered: 0, events: 0 };
  const { atOnceShare, meanSeconds } = refreshesAfterChanges(shown);
  const ofEach = 1 / meanSeconds / shown;
  // As many leave the top as enter it. A leader leaves, or comes.
  const moves = changesPerSecond * inTop * (1 - inTop);
  const leads = changesPerSecond * (2 / players);
  return {
    atOnce: atOnceShare / meanSeconds,
    byTask: (1 - atOnceShare) / meanSeconds,
    lowered: moves * ofEach,
    events: (moves + leads) * ofEach,
  };
}

/**
 * The window in which changes gather widens while they do not stop: a chain of its widths (top/pace.ts). A change within
 * the window after a refresh waits for its end; a later one shows at once.
 */
function refreshesAfterChanges(changesPerSecond: number): { atOnceShare: number; meanSeconds: number } {
  const widths: number[] = [];
  for (let width = topRefreshSecondsDefault; widths.length <= Math.log2(topWideningMax); width *= 2)
    widths.push(width);
  const last = widths.length - 1;
  /** Whether the next window has a change too. */
  const follows = widths.map((width) => -Math.expm1(-changesPerSecond * width));
  let shares = widths.map(() => 1 / widths.length);
  for (let round = 0; round < 200; round++) {
    const next = widths.map(() => 0);
    shares.forEach((share, at) => {
      const wider = Math.min(last, at + 1);
      next[wider] = (next[wider] ?? 0) + share * (follows[at] ?? 0);
      next[0] = (next[0] ?? 0) + share * (1 - (follows[at] ?? 0));
    });
    shares = next;
  }
  let [atOnceShare, meanSeconds] = [0, 0];
  shares.forEach((share, at) => {
    const [width = 0, following = 0] = [widths[at], follows[at]];
    atOnceShare += share * (1 - following);
    meanSeconds += share * (width + (1 - following) / changesPerSecond);
  });
  return { atOnceShare, meanSeconds };
}
