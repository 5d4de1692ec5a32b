/**
 * What happens on a board of all time from one publication to the next, where changes come at random. It follows the
 * schedule (jobs/schedule/schedule.ts), runs (ranking/run.ts) and how seasons fall asleep (seasons/dormancy.ts). Played
 * boards judge it. Pure.
 *
 * Time is in seconds since the slots ended that the last publication took, which is when an interval ends. The schedule
 * starts then, and what it requests follows within seconds.
 */
import { dozeMs, slotGraceSeconds } from "../../functions/src/model/limits.ts";

/** How often something happens. */
export interface Happens {
  /** A publication; and one of a season that may doze with it. */
  runs: number;
  quietRuns: number;
  /** The schedule finds the season due. */
  due: number;
  /** A task that finds nothing to publish: the season is due again later, or dozes. */
  rests: number;
  dozes: number;
  /** The schedule's last look at a season that dozes. */
  sleeps: number;
  wakes: number;
  /** Seconds in which the next publication is not due yet, or the season sleeps. */
  freshSeconds: number;
}

/** Whether the season dozes since the last publication. */
type State = "awake" | "dozing";

/** One way from a publication to the next. */
interface Outcome {
  /** The first change comes from one time on, before another. */
  from: number;
  until: number;
  /** When it is published; the mean where it may be at several times. */
  published: number;
  then: State;
  happens: Happens;
}

const minute = 60;
/** The default. */
export const intervalSeconds = 300;
/** From the schedule's minute until the ranking is published. */
const publishedLate = 1 + slotGraceSeconds;
/** From the interval's end at which a season begins to doze until the schedule's last look. */
const asleepAfter = minute * Math.ceil((dozeMs / 1_000 + publishedLate - 1) / minute);

const never: Happens = {
  runs: 0,
  quietRuns: 0,
  due: 0,
  rests: 0,
  dozes: 0,
  sleeps: 0,
  wakes: 0,
  freshSeconds: 0,
};
const names = Object.keys(never) as (keyof Happens)[];

/** All ways from a publication to the next. */
function outcomesOf(state: State, changesPerSecond: number): Outcome[] {
  const outcomes: Outcome[] = [];
  /** What has happened by now, if no change has come. */
  const idle = { ...never };
  let from = 0;
  const publish = (until: number, published: number, then: State, wakes: 0 | 1) => {
    const due = idle.due + 1;
    const quietRuns = then === "dozing" ? 1 : 0;
    const freshSeconds = published - publishedLate;
    outcomes.push({
      from,
      until,
      published,
      then,
      happens: { ...idle, runs: 1, quietRuns, due, wakes, freshSeconds },
    });
    from = until;
  };

  // The first interval. A season that is published after it had a publication in the interval before.
  publish(intervalSeconds, intervalSeconds, "awake", state === "dozing" ? 1 : 0);
  let dozesFrom = 0;
  if (state === "awake") {
    idle.due += 1;
    idle.rests += 1;
    // The second interval. Whether or not it was empty, the season dozes after it.
    publish(2 * intervalSeconds, 2 * intervalSeconds, "dozing", 0);
    idle.due += 1;
    idle.dozes += 1;
    dozesFrom = 2 * intervalSeconds;
  }

  // Dozing, and then asleep: a change wakes the season, and is published when its interval ends.
  const sleepsFrom = dozesFrom + asleepAfter;
  while (from + intervalSeconds <= sleepsFrom)
    publish(from + intervalSeconds, from + intervalSeconds, "dozing", 1);
  const end = from + intervalSeconds;
  publish(sleepsFrom, end, "dozing", 1);
  idle.due += 1;
  idle.sleeps += 1;
  publish(end, end, "dozing", 1);
  // Of each later interval.
  publish(Infinity, end + intervalSeconds / -Math.expm1(-changesPerSecond * intervalSeconds), "dozing", 1);
  return outcomes;
}

/** How often it all happens in a second, where so many changes come in a second, at random. */
export function happensPerSecond(changesPerSecond: number): Happens {
  if (changesPerSecond === 0) return never;
  const ways = {
    awake: outcomesOf("awake", changesPerSecond),
    dozing: outcomesOf("dozing", changesPerSecond),
  };
  const shareOf = ({ from, until }: Outcome) =>
    Math.exp(-changesPerSecond * from) - Math.exp(-changesPerSecond * until);
  /** How likely a publication follows with which the season dozes. */
  const likely = (state: State) =>
    ways[state].filter(({ then }) => then === "dozing").reduce((sum, outcome) => sum + shareOf(outcome), 0);
  /** Of all publications, those with which the season dozes: as many begin to doze as end it. */
  const dozing = likely("awake") / (likely("awake") + 1 - likely("dozing"));
  const shares = { awake: 1 - dozing, dozing };
  let seconds = 0;
  const sum = { ...never };
  for (const state of ["awake", "dozing"] as const)
    for (const outcome of ways[state]) {
      const share = shares[state] * shareOf(outcome);
      seconds += share * outcome.published;
      for (const name of names) sum[name] += share * outcome.happens[name];
    }
  for (const name of names) sum[name] /= seconds;
  return sum;
}

/** What happens on a board that was busy until a publication, and that nobody plays any more. */
export function fallsAsleep(): Happens {
  const last = outcomesOf("awake", 1).at(-1)?.happens ?? never;
  return { ...last, runs: 0, quietRuns: 0, wakes: 0, due: last.due - 1 };
}
