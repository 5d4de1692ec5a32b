/**
 * What readers are told of movement, against what the index counted at midnights (midnights.ts): a rank of then is right, or
 * within its bounds, and where there is none the reason is true.
 */
import type { HistoryAnswer, Movement } from "../../functions/src/model/answers.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { endWaitMs, slotGraceSeconds } from "../../functions/src/model/limits.ts";
import { beginOf, keptMidnights, type Since } from "../../functions/src/model/midnights.ts";
import { keyIn } from "../board.ts";
import { type Data, timeOf } from "../memory/store.ts";
import type { World } from "../world.ts";
import { knownMs, type Question } from "./answers.ts";
import { rankIn, sizeOf } from "./counts.ts";
import type { Midnights } from "./midnights.ts";
import { scoreIn } from "./player.ts";
import { insist } from "./violation.ts";

/** A player of an answer, with the bounds of the rank that it has now. */
export interface Told extends Movement {
  player: string;
  rank_best: number;
  rank_worst: number;
}

/** Definitions that an instance may answer by. */
function definitionsFor(world: World, { beganMs }: Question) {
  const sinceMs = beganMs - knownMs(world);
  const { definitions } = world.rankings;
  return definitions.filter((_, i) => (definitions[i + 1]?.fromMs ?? Infinity) >= sinceMs);
}

/** Midnights that an instance may mean, whose clock is nearly right. */
function midnightsFor(
  world: World,
  question: Question,
  midnightsOf: (ms: number, calendar: World["plan"]["definition"]) => number[],
): Set<number> {
  const { skewMsMax } = world.plan;
  const times = [question.beganMs - skewMsMax, question.beganMs, world.now(), world.now() + skewMsMax];
  const all = definitionsFor(world, question);
  return new Set(times.flatMap((ms) => all.flatMap(({ definition }) => midnightsOf(ms, definition))));
}

/** Whether it is true that a generation has no ranking of a midnight to compare with. */
function mayHaveNone(world: World, question: Question, generation: number, midnightMs: number): boolean {
  const { season, beganMs } = question;
  const { definitions } = world.rankings;
  const { midnights } = world.rankings.of(season) ?? {};
  if (world.life.get(season)?.season.status !== "open" || midnights === undefined) return true;
  const [first] = midnights.all;
  const published = midnights.all.find((one) => one.generation === generation);
  if (first === undefined || published === undefined || first.asOfMs > midnightMs) return true;
  const sinceMs = Math.max(...definitions.map(({ movementSinceMs }) => movementSinceMs)) + endWaitMs;
  const isChanged = definitions.slice(1).some(({ fromMs }) => fromMs >= midnightMs - dayMs);
  if (midnightMs < sinceMs || isChanged || midnights.isBeforeRepair(generation, midnightMs)) return true;
  if (published.asOfMs > midnightMs) return false;
  // Whether nothing waits is looked for once a second.
  const lookMs = 2_000 + world.plan.skewMsMax;
  const graceMs = slotGraceSeconds * 1_000 + lookMs;
  return (
    question.published !== generation ||
    beganMs < midnightMs + graceMs ||
    !midnights.isQuiet(published, midnightMs, beganMs - lookMs)
  );
}

const dayMs = 24 * 3_600_000;

/** Checks how far a player has moved since the beginning of the day or the week. @throws a violation */
export function checkMoved(
  world: World,
  question: Question,
  since: Since,
  { generation }: { generation: number },
  told: Told,
): void {
  const { midnights } = world.rankings.of(question.season) ?? {};
  if (midnights === undefined) return;
  const asked = midnightsFor(world, question, (ms, calendar) => [beginOf(since, ms, calendar)]);
  const holds = (midnightMs: number) =>
    whyWrong(world, question, midnights, { generation, midnightMs }, told);
  const wrong = [...asked].map(holds);
  insist(
    wrong.some((why) => why === undefined),
    () =>
      `movement: answered was ${JSON.stringify({ ...told, generation })} in ${question.season}; ${wrong.join("; ")}`,
  );
}

/** Why an answer is wrong for a midnight; undefined if it is right. */
function whyWrong(
  world: World,
  question: Question,
  midnights: Midnights,
  { generation, midnightMs }: { generation: number; midnightMs: number },
  { player, moved, moved_why: why, rank_best, rank_worst }: Told,
): string | undefined {
  const was = midnights.wasAt(player, midnightMs, generation, question.beganMs);
  const at = new Date(midnightMs).toISOString();
  const counted = was && [...was].join(" or ");
  if (moved == null) {
    if (why === "no_baseline")
      return mayHaveNone(world, question, generation, midnightMs)
        ? undefined
        : `the ranking of ${at} is kept`;
    if (was === undefined || (why === "unknown" && mayBeUnknown(world, midnights, player, midnightMs)))
      return undefined;
    const isTrue =
      why !== "unknown" && why !== undefined && midnights.absencesSince(player, midnightMs).has(why);
    return isTrue && [...was].some((one) => typeof one !== "number")
      ? undefined
      : `at ${at} it was ${counted}`;
  }
  if (Date.parse(moved.since) !== midnightMs) return `since is not ${at}`;
  if (midnights.isBeforeRepair(generation, midnightMs)) return `it was repaired after ${at}`;
  if (was === undefined) return undefined;
  const [best, worst] = [moved.places_worst + rank_worst, moved.places_best + rank_best];
  const scores = [...was].filter((one) => typeof one === "number");
  const then = midnights.at(midnightMs);
  const { apart } = then;
  const { order } = world.plan.definition;
  const isRight = scores.some((score) => {
    const rank = rankIn(then, order, score);
    const isExact = !moved.exact || (best === worst && moved.from_rank === best);
    return isExact && best - apart <= rank && rank <= worst + apart;
  });
  const ranks = scores.map((score) => rankIn(then, order, score));
  return isRight ? undefined : `at ${at} it was ${counted}, ${ranks.join(" or ")}, apart by ${apart}`;
}

/** Notes of another time zone may lack changes. */
function mayBeUnknown(world: World, midnights: Midnights, player: string, midnightMs: number): boolean {
  const zones = new Set(world.rankings.definitions.map(({ definition }) => definition.time_zone));
  return zones.size > 1 || midnights.mayBeUnknown(player, midnightMs);
}

/** Checks a player's ranks at the midnights that are kept: each is right, and none is left out. @throws a violation */
export function checkHistory(
  world: World,
  question: Question,
  { player, days, generation }: HistoryAnswer,
): void {
  const { midnights } = world.rankings.of(question.season) ?? {};
  if (midnights === undefined) return;
  const states = world.database.store.history(
    playerPath(keyIn(question.season), player),
    timeOf(question.beganTick),
  );
  const isShown = (data: Data | undefined) =>
    data?.["status"] === "active" && data["achieved_at"] instanceof Timestamp && scoreIn(data) !== undefined;
  // A hidden or banned player has no history for anybody.
  if (states?.some(isShown) === false)
    insist(days.length === 0, () => `movement: ${player} is not shown, and has a history`);
  if (days.length === 0 && states?.every(isShown) !== true) return;
  const asked = midnightsFor(world, question, keptMidnights);
  const told = () => JSON.stringify({ player, days, generation });
  for (const { since, score, rank, rank_best, rank_worst, players, exact } of days) {
    const midnightMs = Date.parse(since);
    insist(
      asked.has(midnightMs) && !midnights.isBeforeRepair(generation, midnightMs),
      () => `movement: answered was ${told()}, which has no ranking of ${since}`,
    );
    const was = midnights.wasAt(player, midnightMs, generation, question.beganMs);
    const then = midnights.at(midnightMs);
    const [is, size] = [rankIn(then, world.plan.definition.order, score), sizeOf(then)];
    insist(
      was === undefined || was.has(score),
      () => `movement: answered was ${told()}, at ${since} it was ${[...(was ?? [])].join(" or ")}`,
    );
    const isRight = rank_best - then.apart <= is && is <= rank_worst + then.apart;
    insist(
      isRight && (!exact || rank === rank_best) && Math.abs(players - size) <= then.apart,
      () => `movement: answered was ${told()}, at ${since} ${score} was at ${is} of ${size}`,
    );
  }
  const listed = new Set(days.map(({ since }) => Date.parse(since)));
  for (const midnightMs of asked) {
    const was = midnights.wasAt(player, midnightMs, generation, question.beganMs);
    const isKept =
      isSure(world, question, midnightMs) && !mayHaveNone(world, question, generation, midnightMs);
    const isCounted = was !== undefined && [...was].every((one) => typeof one === "number");
    insist(
      listed.has(midnightMs) || !isKept || !isCounted || mayBeUnknown(world, midnights, player, midnightMs),
      () => `movement: answered was ${told()}, without ${new Date(midnightMs).toISOString()}`,
    );
  }
}

/** Whether every instance takes a midnight for one that is kept. */
function isSure(world: World, question: Question, midnightMs: number): boolean {
  const { skewMsMax } = world.plan;
  const times = [question.beganMs - skewMsMax, world.now() + skewMsMax];
  const all = definitionsFor(world, question);
  return times.every((ms) =>
    all.every(({ definition }) => keptMidnights(ms, definition).includes(midnightMs)),
  );
}
