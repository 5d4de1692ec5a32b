/**
 * What new boards of a template are billed on their first day: each is opened by its first score, is played for an hour
 * by players who have no document on it yet, and then falls asleep. Pure.
 */
import { secondsOfDay } from "../load/bill.ts";
import { billOf } from "./bill.ts";
import { type Board, costsOf } from "./costs.ts";
import { fallsAsleep } from "./course.ts";
import type { Spendings } from "./ledger.ts";
import { type Spent, sumOf, times } from "./spent.ts";

/** Boards that are opened; each gets so many players, who score once and ask once for their rank. */
export interface Levels {
  boards: number;
  players: number;
  topSize: number;
}

const hourSeconds = 3_600;

/** Scores, and all that they cause, but for the day's audits. @param isPlay whether all of it happens in one hour */
export function billLevels(levels: Levels, isPlay = false): Spendings {
  const { boards, players } = levels;
  const perSecond = players / hourSeconds;
  const seconds = isPlay ? hourSeconds : secondsOfDay;
  const group = { ...levels, isOfTemplate: true, boards: (boards * hourSeconds) / seconds };
  const rates = { scoresPerSecond: perSecond, ranksPerSecond: perSecond };
  const played = billOf([{ ...group, ...rates }], seconds, isPlay);
  // Once a minute, in each instance that answers, asks or refreshes.
  const definition: Spendings = { "scores: board": sumOf({ reads: (3 * seconds) / 60 }) };
  const parts = [begun(levels), asleep({ ...levels, isOfTemplate: true }, boards), definition];
  return parts.reduce(addTo, played);
}

/** What boards cost more as they are new, and their players on them: of each who comes into the top, an event tells. */
function begun({ boards, players, topSize }: Levels): Spendings {
  const costs = costsOf({ players, topSize });
  const newPlayers = times(players, sumOf(costs.newPlayer, costs.newPlayerOfTemplate));
  const each = sumOf(costs.opening, costs.openingOfTemplate, costs.ofCollection, newPlayers);
  return {
    scores: times(boards, each),
    "scores: top": times(boards * Math.min(players, topSize), costs.event),
  };
}

/** What so many boards cost that fall asleep after they were played. What finds nothing shares tasks of others. */
export function asleep(board: Board, boards: number): Spendings {
  const costs = costsOf(board);
  const { due, rests, dozes, sleeps } = fallsAsleep();
  return {
    schedule: sumOf(times(boards * due, costs.due), times(boards * sleeps, costs.sleep)),
    looks: sumOf(times(boards * rests, costs.rest), times(boards * dozes, costs.doze)),
    "looks: board": times(boards * (rests + dozes), costs.board),
  };
}

export function addTo(spendings: Spendings, more: Spendings): Spendings {
  const sum: Spendings = { ...spendings };
  for (const [part, spent] of Object.entries(more) as [keyof Spendings, Spent][])
    sum[part] = sumOf(sum[part] ?? {}, spent);
  return sum;
}
