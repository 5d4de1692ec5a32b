/**
 * What happens on a board of all time between two publications, from one change to the next, where changes come at random.
 * It follows the schedule (jobs/schedule/schedule.ts), runs (ranking/run.ts) and how seasons fall asleep
 * (seasons/dormancy.ts), minute by minute. Played days judge it. Pure.
 *
 * Time is in seconds since the slots ended that the last publication took. That is at a whole minute: the schedule starts,
 * and what it requests follows within seconds.
 */
import {
  dozeMs,
  idleIntervalsMax,
  runAskedAgainMs,
  slotGraceSeconds,
} from "../../functions/src/model/limits.ts";
import { idleMsMin } from "../../functions/src/seasons/dormancy.ts";

/** How often something happens. */
export interface Happens {
  /** A publication. */
  runs: number;
  /** The schedule finds the season due, and requests a task for it, which the queue may have already. */
  due: number;
  /** A task that finds nothing to publish. */
  looks: number;
  dozes: number;
  sleeps: number;
  wakes: number;
  /** Seconds in which the next publication is not due yet. */
  freshSeconds: number;
}

/** One way from a publication to the next. */
interface Outcome {
  /** The first change comes from one time on, before another. */
  from: number;
  until: number;
  /** When it is published; the mean where it may be at several times. */
  published: number;
  happens: Happens;
}

const minute = 60;
export const intervalSeconds = 300;
const dozesAfter = Math.max(idleMsMin / 1_000, idleIntervalsMax * intervalSeconds);
/** From the schedule's minute until the ranking is published. */
const publishedLate = 1 + slotGraceSeconds;
const askedAgain = runAskedAgainMs / 1_000;
const doze = dozeMs / 1_000;

const never: Happens = {
  runs: 0,
  due: 0,
  looks: 0,
  dozes: 0,
  sleeps: 0,
  wakes: 0,
  freshSeconds: 0,
};

/**
 * All ways from a publication to the next.
 * @param phase seconds from the start of an interval to the last publication.
 */
function outcomesOf(phase: number, changesPerSecond: number): Outcome[] {
  const outcomes: Outcome[] = [];
  const due = intervalSeconds - phase;
  /** What has happened by now if no change has come. */
  let idle: Happens = { ...never };
  let from = 0;
  const publish = (until: number, published: number, happens: Partial<Happens>) => {
    const all = { ...idle, runs: 1, freshSeconds: Math.min(due, published) - publishedLate, ...happens };
    outcomes.push({ from, until, published, happens: all });
    from = until;
  };

  // Awake: at its time, and then each time that a task is requested, a run publishes what has come, or finds nothing.
  let at = due;
  for (let minutes = 0; ; minutes++, at += minute) {
    const [asked, before] = [minutes, minutes - 1].map((some) =>
      Math.floor((some * minute + 1) / askedAgain),
    );
    const isAsked = asked !== before;
    if (isAsked) publish(at, at, { due: idle.due + 1 });
    idle = { ...idle, due: idle.due + 1, looks: idle.looks + (isAsked ? 1 : 0) };
    if (isAsked && at >= dozesAfter) break;
  }

  // Dozing: a change wakes the season, and is published when the interval ends. The schedule finds it once more.
  idle = { ...idle, dozes: 1 };
  const sleepsFrom = minute * Math.ceil((at + doze + 1) / minute);
  const intervalEnd = (seconds: number) =>
    intervalSeconds * (Math.floor((phase + seconds) / intervalSeconds) + 1) - phase;
  for (let end = intervalEnd(at); end < sleepsFrom; end = intervalEnd(end))
    publish(end, end, { due: idle.due + 1, wakes: 1 });
  const lastEnd = intervalEnd(sleepsFrom);
  publish(sleepsFrom, lastEnd, { due: idle.due + 1, wakes: 1 });

  // Asleep.
  idle = { ...idle, due: idle.due + 1, looks: idle.looks + 1, sleeps: 1 };
  const intervals = 1 / -Math.expm1(-changesPerSecond * intervalSeconds);
  const published = lastEnd + (intervals - 1) * intervalSeconds;
  publish(Infinity, published, { due: idle.due + 1, wakes: 1 });
  return outcomes;
}

/** How often it all happens in a second, where so many changes come in a second, at random. */
export function happensPerSecond(changesPerSecond: number): Happens {
  if (changesPerSecond === 0) return never;
  const phases = Array.from({ length: intervalSeconds / minute }, (_, index) => index * minute);
  const ways = phases.map((phase) => outcomesOf(phase, changesPerSecond));
  const shareOf = ({ from, until }: Outcome) =>
    Math.exp(-changesPerSecond * from) - Math.exp(-changesPerSecond * until);
  /** How often a publication is in each phase. */
  let shares = phases.map((phase) => Number(phase === 0));
  for (let round = 0; round < 100; round++) {
    const next = phases.map(() => 0);
    ways.forEach((outcomes, index) => {
      for (const outcome of outcomes) {
        const phase = ((phases[index] ?? 0) + outcome.published) % intervalSeconds;
        // Who slept is published at the end of an interval, in the mean of several.
        const then = outcome.until === Infinity ? 0 : Math.round(phase / minute);
        next[then] = (next[then] ?? 0) + (shares[index] ?? 0) * shareOf(outcome);
      }
    });
    shares = next;
  }
  let seconds = 0;
  const sum = { ...never };
  ways.forEach((outcomes, index) => {
    for (const outcome of outcomes) {
      const share = (shares[index] ?? 0) * shareOf(outcome);
      seconds += share * outcome.published;
      for (const name of Object.keys(sum) as (keyof Happens)[]) sum[name] += share * outcome.happens[name];
    }
  });
  for (const name of Object.keys(sum) as (keyof Happens)[]) sum[name] /= seconds;
  return sum;
}

/** What happens until a season sleeps that nobody plays any more. */
export function fallsAsleep(): Happens {
  const asleep = outcomesOf(0, 1).at(-1)?.happens ?? never;
  return { ...asleep, runs: 0, wakes: 0, due: asleep.due - 1 };
}
