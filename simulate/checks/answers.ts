/**
 * What readers are told. The answer of a closed season must be one version of its table, and not one that every instance
 * could know to be old; the answer of an open one must be true for the generation or the moment that it names.
 */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import type {
  AroundAnswer,
  Entry,
  PageAnswer,
  PlayersAnswer,
  Rank,
  TopAnswer,
} from "../../functions/src/model/answers.ts";
import type { FirerankError } from "../../functions/src/model/errors.ts";
import { boardCacheMs, liveMsMax } from "../../functions/src/model/limits.ts";
import type { Since } from "../../functions/src/model/midnights.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import type { Place, Places } from "../../functions/src/reading/lookup.ts";
import type { Instance } from "../machine.ts";
import type { Seen, World } from "../world.ts";
import { betterIn, rankIn, sizeOf, type Tally } from "./counts.ts";
import { checkListed } from "./listed.ts";
import type { Held } from "./players.ts";
import type { Version } from "./rankings.ts";
import { isIn, tallyIn } from "./recount.ts";
import { insist } from "./violation.ts";

/** A request, and what was true when it was sent. */
export interface Question {
  season: string;
  /** The segment that it is about, as marks have it; undefined for all players. */
  segment: string | undefined;
  score: number;
  player: string;
  offset: number;
  limit: number;
  /** Since when movement is asked for. */
  since: Since | undefined;
  minGeneration: number | undefined;
  reader: Seen;
  instance: Instance;
  /** The newest generation of each ranking that the instance had answered with. */
  answeredBefore: Seen;
  beganMs: number;
  beganTick: number;
  /** The generation that was published. */
  published: number;
}

/** The name of the ranking that is asked: an instance has those of segments in memory by themselves. */
const rankingOf = ({ season, segment = "" }: Pick<Question, "season" | "segment">) => `${season} ${segment}`;

/** How long after a change an instance may still answer with the old state. */
export const knownMs = (world: World) => boardCacheMs + 2_000 + 2 * world.plan.skewMsMax;

/** Whether an error tells the truth about a season or a player. */
export function isRightRefusal(world: World, question: Question, { code }: FirerankError): boolean {
  const { season, segment, player, beganMs, beganTick, published, answeredBefore } = question;
  if (code === "contention") return true;
  if (code === "invalid_request") {
    const from = answeredBefore.get(rankingOf(question)) ?? 0;
    return segment !== undefined && world.rankings.leavesOut(season, from, segment);
  }
  if (code === "season_not_found") return world.life.wasMissing(season, beganMs - knownMs(world));
  if (code !== "player_not_ranked") return false;
  const versions = versionsOf(world, question);
  const mayHaveBeen = (holds: (held: Held | undefined) => boolean) =>
    world.players.mayHaveBeen(season, player, beganTick, holds);
  if (segment !== undefined && mayHaveBeen((held) => held?.marked.includes(segment) !== true)) return true;
  // A player of a closed season who has a document is found if the table has a line.
  if (versions !== undefined)
    return (
      versions.some(({ table }) => !table.some((line) => line.player === player && isIn(line, segment))) ||
      mayHaveBeen((held) => held === undefined)
    );
  const isOut = world.rankings
    .of(season)
    ?.versions.some(({ table }) => !table.some((line) => line.player === player));
  const wasOut = mayHaveBeen((held) => held?.status !== "active" || held.score === undefined);
  // The status that the board keeps holds for a server's document that names none.
  const wasKeptOut =
    world.players.mayHaveNamedNoStatus(season, player, beganTick) &&
    world.statuses.possibleSince(player, beganTick).some((status) => status !== "active");
  return (
    wasOut ||
    wasKeptOut ||
    isOut === true ||
    published === 0 ||
    world.life.wasMissing(season, beganMs - knownMs(world))
  );
}

/**
 * Checks an answer's generation against what the instance and the reader have seen.
 * @param isOfPages whether the instance's pages are of the generation then; a top may be newer than the pages in memory.
 */
export function checkGeneration(
  world: World,
  question: Question,
  generation: number,
  isOfPages = true,
): void {
  const { reader, instance, season, minGeneration = 0, published, answeredBefore } = question;
  insist(
    generation >= Math.min(minGeneration, published),
    () =>
      `min_generation: ${generation} of ${season} was answered to who had seen ${minGeneration}, when ${published} was published`,
  );
  // An instance knows of a closed season's revision by the board in its memory, or by a caller's claim.
  const before = answeredBefore.get(rankingOf(question)) ?? 0;
  insist(
    generation >= before || world.life.get(season)?.season.status === "closed",
    () =>
      `whole generations: an instance answered with ${generation} of ${rankingOf(question)} after ${before}`,
  );
  reader.set(season, Math.max(reader.get(season) ?? 0, generation));
  if (!isOfPages) return;
  const answered = world.answered.get(instance) ?? new Map<string, number>();
  const newest = Math.max(answered.get(rankingOf(question)) ?? 0, generation);
  world.answered.set(instance, answered.set(rankingOf(question), newest));
}

/** Where much is pending, sums are read less often. */
const liveSlackMs = 20_000;

export function checkIsLive({ plan }: World, { beganMs }: Question, asOf: Timestamp): void {
  insist(
    asOf.toMillis() >= beganMs - liveMsMax - liveSlackMs - 2 * plan.skewMsMax,
    () => `live: asked at ${beganMs}, answered as of ${asOf.toMillis()}`,
  );
}

/** The fields of an answer that are checked. */
type Answer = { place: Place } & Pick<Places, "players" | "freshness" | "generation">;

/**
 * Checks a rank in an open season for the moment at which it should be true: the answer's, or that of its generation's
 * rows. While an event is on its way that has to correct what a direct write did to marks, a rank that is counted from
 * marks may be apart by as many players.
 */
export function checkPlace(
  { life, rankings, plan }: World,
  { season, segment }: Pick<Question, "season" | "segment">,
  score: number,
  found: Answer,
  moment?: Timestamp,
): void {
  const conservation = rankings.of(season)?.conservation;
  if (conservation === undefined || life.get(season)?.season.status !== "open") return;
  const tally =
    moment === undefined ? conservation.truthOf(found.generation, segment) : conservation.at(moment, segment);
  if (tally === undefined) return;
  const [rank, size] = [rankIn(tally, plan.definition.order, score), sizeOf(tally)];
  const { place } = found;
  const [best, worst] = place.exact ? [place.rank, place.rank] : [place.rank_best, place.rank_worst];
  insist(
    best - tally.apart <= rank && rank <= worst + tally.apart,
    () =>
      `honest ranks: ${score} is at ${rank} of ${size} in ${rankingOf({ season, segment })}, answered was ${JSON.stringify(found)}`,
  );
  const isPast = found.freshness === "published" && moment !== undefined;
  const owed = moment === undefined ? tally.apart : 0;
  insist(
    isPast || Math.abs(found.players - size) <= owed,
    () => `honest ranks: there are ${size} players, answered was ${JSON.stringify(found)}`,
  );
}

/**
 * The versions of a closed season's table that may be answered now: those that some instance may not know to be old.
 * Undefined if some instance may not know that the season is closed.
 */
export function versionsOf(
  world: World,
  { season, beganMs, minGeneration = 0 }: Question,
): Version[] | undefined {
  const ranking = world.rankings.of(season);
  if (ranking === undefined || ranking.closedMs > beganMs - knownMs(world)) return undefined;
  const claimed = ranking.versionOf.get(minGeneration) ?? 0;
  const known = ranking.versions.findLastIndex(({ shownMs }) => shownMs <= beganMs - knownMs(world));
  return ranking.versions.slice(Math.max(ranking.drafts.length, known, claimed));
}

/** Whether an answer comes from the table of a season that has closed, maybe just now. */
export function isOfClosing(
  world: World,
  { season }: Question,
  holds: (version: Version) => boolean,
): boolean {
  return world.rankings.of(season)?.versions.some(holds) === true;
}

/** The whole answer must match one of the versions. */
function insistOne(
  versions: readonly Version[],
  holds: (version: Version) => boolean,
  told: () => string,
): void {
  const shown = () =>
    versions.map(({ table }) => table.map(({ player, score }) => `${player} ${score}`).join(" "));
  insist(versions.some(holds), () => `closed: answered was ${told()}, the table is ${shown().join(" or ")}`);
}

export function checkRank(world: World, question: Question, exact: boolean, rank: Rank): void {
  const told = () => JSON.stringify(rank);
  checkGeneration(world, question, rank.generation);
  const { order } = world.plan.definition;
  const versions = versionsOf(world, question);
  const { season, segment } = question;
  const isOf = ({ table }: Version) => {
    const tally = tallyIn(table, segment);
    const is = rankIn(tally, order, rank.score);
    if (rank.players !== sizeOf(tally)) return false;
    if (segment !== undefined) return rank.rank_best <= is && is <= rank.rank_worst;
    const dense = 1 + betterIn(tally, order, rank.score).length;
    return rank.rank === is && rank.dense_rank === dense;
  };
  if (versions !== undefined) {
    const isOwn = ({ table }: Version) =>
      table.some(({ player, score }) => player === rank.player && score === rank.score);
    insist(
      rank.player === undefined || versions.some(isOwn),
      () => `closed: answered was ${told()}, which no table has`,
    );
    insist(rank.exact || segment !== undefined, () => `closed: answered was ${told()}, which is not exact`);
    insistOne(versions, isOf, told);
    return;
  }
  if (isOfClosing(world, question, isOf)) return;
  // Live ones are for a moment that the answer does not name exactly enough.
  if (rank.freshness === "live") return;
  const found = { ...rank, place: rank };
  try {
    checkPlace(world, question, rank.score, found);
  } catch (error) {
    // If it had to count, it is for the moment at which the generation was read.
    const readAt = world.rankings.of(season)?.conservation.readAt(rank.generation);
    if (!rank.exact || !(exact || segment !== undefined) || readAt === undefined) throw error;
    checkPlace(world, question, rank.score, found, readAt);
  }
}

export const isSorted = (world: World, entries: readonly Entry[]) =>
  entries.every(({ score }, i) => {
    const before = entries[i - 1]?.score ?? score;
    return !isBetter(world.plan.definition.order, score, before);
  });

/** Whether the certain ranks of some entries are those of a tally. */
export const areRanksIn = ({ plan }: World, entries: readonly Entry[], tally: Tally) =>
  entries.every(({ score, rank, exact }) => {
    const is = rankIn(tally, plan.definition.order, score);
    return exact === false || Math.abs(rank - is) <= tally.apart;
  });

/** Checks the entries of an open season: in order, each player once, each certain rank as in its generation. */
function checkOpen(
  world: World,
  { season, segment }: Question,
  { entries, generation }: { entries: readonly Entry[]; generation: number },
  told: () => string,
): void {
  const players = new Set(entries.map(({ player }) => player));
  insist(players.size === entries.length && isSorted(world, entries), () => `lists: answered was ${told()}`);
  const truth = world.rankings.truthOf(season, generation, segment);
  if (truth === undefined || generation === 0) return;
  insist(
    areRanksIn(world, entries, truth),
    () => `honest ranks: answered was ${told()}, counted are ${JSON.stringify([...truth.players])}`,
  );
}

/** Whether entries are the lines of a table from one place on, as far as another. */
const areLines = (
  { table }: Pick<Version, "table">,
  entries: readonly Entry[],
  from: number,
  until: number,
) =>
  entries.length === Math.max(0, Math.min(until, table.length) - from) &&
  entries.every(({ player, score, rank, position }, i) => {
    const line = table[from + i];
    const isSame = line?.player === player && line.score === score && line.rank === rank;
    return isSame && position === from + i + 1;
  });

/** Checks a list: that of a closed season is of one version of its table. */
function checkList(
  world: World,
  question: Question,
  answer: { entries: readonly Entry[]; generation: number },
  isOf: (version: Version) => boolean,
): void {
  const told = () => JSON.stringify(answer);
  checkGeneration(world, question, answer.generation);
  const versions = versionsOf(world, question);
  // Those of a segment are listed from the documents, also of a closed season.
  const { segment } = question;
  const isOfSegment = ({ table }: Version) => areRanksIn(world, answer.entries, tallyIn(table, segment));
  const holds = segment === undefined ? isOf : isOfSegment;
  if (versions !== undefined) insistOne(versions, holds, told);
  else if (!isOfClosing(world, question, holds)) checkOpen(world, question, answer, told);
}

/** Checks how many players an answer says that its generation has. */
export function checkSize(
  world: World,
  { season, segment }: Question,
  { players, generation }: { players: number; generation: number },
): void {
  const truth = world.rankings.truthOf(season, generation, segment);
  if (truth === undefined || generation === 0) return;
  const size = sizeOf(truth);
  insist(
    Math.abs(players - size) <= truth.apart,
    () =>
      `honest ranks: ${players} of ${rankingOf({ season, segment })} in ${generation} were answered, not ${size}`,
  );
}

export function checkPage(world: World, question: Question, answer: PageAnswer): void {
  const { offset, limit } = question;
  checkList(world, question, answer, (version) => {
    const isWhole = answer.players === version.table.length;
    return isWhole && areLines(version, answer.entries, offset, offset + limit);
  });
  if (question.segment === undefined) return;
  checkSize(world, question, answer);
  checkListed(world, question, answer.entries);
}

/** Checks the page after another: no player again, and in a closed season exactly the players at that place. */
export function checkNext(world: World, question: Question, page: PageAnswer, next: PageAnswer): void {
  if (question.segment !== undefined) {
    checkList(world, question, next, () => true);
    checkListed(world, question, next.entries);
    return;
  }
  const versions = versionsOf(world, question);
  if (versions === undefined) return;
  const last = page.entries.at(-1);
  const isOf = ({ table }: Version) => {
    const own = table.findIndex(({ player }) => player === last?.player);
    const [first] = next.entries;
    const from = own >= 0 ? own + 1 : first === undefined ? table.length : first.position - 1;
    return areLines({ table }, next.entries, from, from + question.limit);
  };
  insistOne(versions, isOf, () => JSON.stringify(next));
}

export function checkAround(world: World, question: Question, answer: AroundAnswer): void {
  const { player, offset, limit } = question;
  checkList(world, question, answer, (version) => {
    const own = version.table.findIndex((line) => line.player === player);
    const from = Math.max(0, own - (offset % 4));
    return own >= 0 && areLines(version, answer.entries, from, own + 1 + limit);
  });
  if (question.segment !== undefined) checkListed(world, question, answer.entries);
}

export function checkPlayers(world: World, question: Question, answer: PlayersAnswer): void {
  const told = () => JSON.stringify(answer);
  const { entries } = answer;
  insist(isSorted(world, entries), () => `lists: answered was ${told()}`);
  // Who is listed is as current as the documents, and the ranks are those of one version.
  const isWhole = entries.every(({ exact }) => exact !== false);
  checkList(world, question, answer, ({ table }) => isWhole && areRanksIn(world, entries, tallyIn(table)));
  const versions = versionsOf(world, question);
  const isLine = ({ player, score }: Entry) =>
    versions?.some(({ table }) => table.some((line) => line.player === player && line.score === score));
  insist(
    versions === undefined || question.segment !== undefined || entries.every(isLine),
    () => `closed: answered was ${told()}, which no table has`,
  );
}

export function checkTop(world: World, question: Question, answer: TopAnswer): void {
  const { season, beganMs } = question;
  // The document equals the sorted players (checks/rankings.ts); it is read each time.
  const ranking = world.rankings.of(season);
  if (world.life.get(season)?.season.status === "open") {
    checkGeneration(world, question, answer.generation, false);
    // Not more: a refresh may have shown players who were not counted yet, or have left again.
    const { players, generation } = answer;
    const counted = world.rankings.truthOf(season, generation, undefined);
    const size = counted === undefined || generation === 0 ? 0 : sizeOf(counted) - counted.apart;
    insist(
      players >= size,
      () => `honest ranks: a top of ${players} players in ${generation} was answered, not of ${size}`,
    );
  }
  if (ranking === undefined || ranking.closedMs > beganMs) return;
  const size = world.plan.definition.top_size;
  const isOf = (version: Version) => areLines(version, answer.entries, 0, size);
  insistOne(ranking.versions, isOf, () => JSON.stringify(answer));
}
