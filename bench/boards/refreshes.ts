/**
 * How often the top of a board is refreshed, where players get any other score at random. Pure.
 *
 * Up to a score in ten seconds it is held to played boards. Above that it is an estimate: a refresh then follows several
 * changes, of which some cancel out, and instances learn of a wider window later.
 */
import { topGateKeptMs, topRefreshSecondsDefault, topWideningMax } from "../../functions/src/model/limits.ts";
import { topLateMsMax } from "../../functions/src/top/pace.ts";
import type { Board } from "./costs.ts";

/** In a second. */
export interface Refreshes {
  /** That follow changes. */
  followed: number;
  /** That follow a refresh which lowered the gate, when instances have forgotten the higher one. */
  lowered: number;
  events: number;
}

export function refreshesPerSecond({ players, topSize }: Board, changesPerSecond: number): Refreshes {
  /** Whether a player is in the top, before or after. */
  const inTop = Math.min(1, topSize / players);
  const shown = changesPerSecond * (1 - (1 - inTop) ** 2);
  if (shown === 0) return { followed: 0, lowered: 0, events: 0 };
  const followed = 1 / meanSecondsBetween(shown);
  const ofEach = followed / shown;
  // As many leave the top as enter it. A leader leaves, or comes.
  const moves = changesPerSecond * inTop * (1 - inTop);
  const leads = changesPerSecond * (2 / players);
  return { followed, lowered: moves * ofEach, events: (moves + leads) * ofEach };
}

/** The window in which changes gather widens while they do not stop: a chain of its widths (top/pace.ts). */
function meanSecondsBetween(changesPerSecond: number): number {
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
  const quiet = (topGateKeptMs + topLateMsMax) / 1_000;
  return shares.reduce((sum, share, at) => {
    const [width = 0, following = 0] = [widths[at], follows[at]];
    const isQuiet = Math.exp(-changesPerSecond * quiet);
    const gathering = isQuiet * topRefreshSecondsDefault + (1 - isQuiet) * width;
    const otherwise = width + 1 / changesPerSecond + gathering / 2;
    return sum + share * (following * width + (1 - following) * otherwise);
  }, 0);
}
