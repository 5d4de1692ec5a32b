/**
 * Where a counted ranking puts its thresholds (see count.ts). Pure.
 *
 * A count bills 1 read for each 1,000 entries, and at least 1. So thresholds cost nothing where about 1,000 players lie
 * between two of them: those players are paid for anyway. Nearer to the top, where 1,000 players are many compared with
 * those above, each further threshold is a read. There an interval aims at a share ε of the players above it, and ε is
 * as small as the reads allow: 0.4 % at ten million players, 0.7 % at a hundred thousand.
 *
 * Intervals include their start and not their end. Where scores lie on steps (whole numbers, decimals) thresholds do
 * too, so that players have the best score of an interval, and its rank is exact.
 */
import { nextKey, onStep, stepFrom } from "../model/keys.ts";
import {
  countCrowdMin,
  countEpsilonMin,
  countHeadMax,
  countReadsAllowance,
  countRowsMax,
  countWidth,
} from "../model/limits.ts";

/** Players with keys from `from` (inclusive) to `until` (exclusive): the number counted, or the number expected. */
export interface Interval {
  from: number;
  until: number;
  players: number;
}

/** How many players an interval should have: a share of those above it, and at most a width. */
export interface Spacing {
  epsilon: number;
  width: number;
  /** Steps per unit on which scores lie; 0 where they lie anywhere. */
  steps: number;
}

/** The spacing with the smallest share ε that the reads for so many players allow. */
export function spacingFor(players: number, steps: number): Spacing {
  const width = Math.max(countWidth, players / countRowsMax);
  const most = countReadsAllowance * (1_024 + players / 1_000);
  let [tooSmall, epsilon] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (tooSmall + epsilon) / 2;
    if (rowsNeeded(players, { epsilon: middle, width }) > most) tooSmall = middle;
    else epsilon = middle;
  }
  return { epsilon: Math.max(countEpsilonMin, epsilon), width, steps };
}

/** About how many reads it takes to count so many players, including the best ones. */
export function countReads(players: number): number {
  const spacing = spacingFor(players, 0);
  return Math.ceil(rowsNeeded(players, spacing) * Math.max(1, spacing.width / 1_000));
}

/** About how many rows a ranking of so many players has. */
export function countedRows(players: number): number {
  return Math.ceil(rowsNeeded(players, spacingFor(players, 0)));
}

function rowsNeeded(players: number, { epsilon, width }: Pick<Spacing, "epsilon" | "width">): number {
  if (players <= countHeadMax) return players;
  const widthFrom = Math.min(players, Math.max(countHeadMax, width / epsilon));
  return countHeadMax + Math.log(widthFrom / countHeadMax) / epsilon + (players - widthFrom) / width;
}

/** Players that an interval should have, given the number above it. */
export function aimAt({ epsilon, width }: Spacing, above: number): number {
  return Math.max(1, Math.min(width, epsilon * above));
}

/** Players that an interval may have before it is split: scores move between two runs. */
export function mostAt({ epsilon }: Spacing, above: number): number {
  return Math.max(1, 1.25 * epsilon * above);
}

/** Whether no threshold fits into an interval: it is one key, or one step where scores lie on steps. */
export function isWhole({ from, until }: Pick<Interval, "from" | "until">, steps: number): boolean {
  return stepFrom(nextKey(from), steps) >= until;
}

/** What it costs to count some intervals, if they have about the expected players. */
export function readsOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { players }) => sum + readsFor(players), 0);
}

/** Reads for a count of about so many players: a few more than expected are likely. */
function readsFor(players: number): number {
  return Math.max(1, Math.ceil((1.03 * players) / 1_000));
}

/**
 * Intervals from `start` to `end`, laid over what is known of the players.
 * @param known intervals in order, with their players assumed to lie evenly in them and none between them.
 * @param above players before `start`.
 */
export function layThresholds(
  known: readonly Interval[],
  start: number,
  end: number,
  above: number,
  spacing: Spacing,
): Interval[] {
  const laid: Interval[] = [];
  let from = start;
  let players = 0;
  let before = above;

  function cut(at: number): void {
    if (at <= from || at >= end) return;
    laid.push({ from, until: at, players });
    before += players;
    players = 0;
    from = at;
  }

  for (const interval of known) {
    if (isCrowd(interval, before + players, spacing)) {
      cut(interval.from);
      players += interval.players;
      cut(nextKey(interval.from));
      continue;
    }
    let rest = interval;
    while (rest.players > room(spacing, before, players)) {
      const at = thresholdIn(rest, room(spacing, before, players) / rest.players, spacing.steps);
      const share = at === undefined ? 1 : (at - rest.from) / (rest.until - rest.from);
      const taken = share * rest.players;
      if (players > 0 && isFull(spacing, before, players, taken)) {
        cut(rest.from);
        if (players === 0) continue;
      }
      if (at === undefined) break;
      players += taken;
      rest = { from: at, until: rest.until, players: rest.players - taken };
      if (isFull(spacing, before, players, 0)) cut(at);
    }
    players += rest.players;
  }
  laid.push({ from, until: end, players });
  return laid;
}

/**
 * Whether equal players get an interval of their own: they are too many for another's, or so many that the count after
 * them costs little in comparison.
 */
function isCrowd({ from, until, players }: Interval, above: number, spacing: Spacing): boolean {
  if (players < countCrowdMin && players <= mostAt(spacing, above)) return false;
  return isWhole({ from, until }, spacing.steps) && onStepOf(from, spacing);
}

function onStepOf(key: number, { steps }: Spacing): boolean {
  return steps === 0 || onStep(key, steps);
}

/** Players that an interval can still take. One with more than it should have goes on to the next multiple of the width. */
function room(spacing: Spacing, above: number, players: number): number {
  const aim = aimAt(spacing, above);
  if (players <= aim) return aim - players;
  const multiple = Math.ceil(players / spacing.width) * spacing.width;
  return Math.max(0, Math.min(multiple, mostAt(spacing, above)) - players);
}

/** Whether an interval ends before some others: it has no room for them, or wastes few of the reads that it costs. */
function isFull(spacing: Spacing, above: number, players: number, next: number): boolean {
  const aim = aimAt(spacing, above);
  if (players + next <= aim && players < 0.97 * aim) return false;
  if (players + next > mostAt(spacing, above)) return true;
  return aim < spacing.width ? players >= aim / 2 : players / readsFor(players) >= 800;
}

/** A threshold inside an interval, after about a given share of its players, or after the first step. */
function thresholdIn({ from, until }: Interval, share: number, steps: number): number | undefined {
  const key = from + share * (until - from);
  const at = steps === 0 ? key : Math.floor(key * steps) / steps;
  if (at > from && at < until) return at;
  const next = steps === 0 ? undefined : stepFrom(nextKey(from), steps);
  return next !== undefined && next < until ? next : undefined;
}
