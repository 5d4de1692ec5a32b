/**
 * Readers ask any season for ranks and lists. The answer of a closed season must be one version of its table, and not
 * one that every instance could know to be old; the answer of an open one must be true for the generation that it
 * names.
 */
import { FirerankError } from "../../../functions/src/model/errors.ts";
import type {
  AroundAnswer,
  Entry,
  PageAnswer,
  PlayersAnswer,
  Rank,
  TopAnswer,
} from "../../../functions/src/model/answers.ts";
import { boardCacheMs } from "../../../functions/src/model/limits.ts";
import { isBetter } from "../../../functions/src/model/score.ts";
import { getAroundRequest, getAroundSpec } from "../../../functions/src/operations/get-around.ts";
import { getPageRequest, getPageSpec } from "../../../functions/src/operations/get-page.ts";
import { getPlayersRequest, getPlayersSpec } from "../../../functions/src/operations/get-players.ts";
import { getRankRequest, getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { getTopRequest, getTopSpec } from "../../../functions/src/operations/get-top.ts";
import type { Services } from "../../../functions/src/operations/services.ts";
import { grpcCode } from "../../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance } from "../../actors.ts";
import { insist } from "../../checks/violation.ts";
import type { Version } from "../checks/rankings.ts";
import { leaderboard } from "../board.ts";
import type { Reader, SeasonsWorld } from "../world.ts";
import { somePlayer, someScore } from "./some.ts";

const caller = { uid: "p0", admin: true };
const ways = ["rank of a score", "rank of a player", "page", "around", "players", "top"] as const;
type Way = (typeof ways)[number];

/** A request, and what was true when it was sent. */
interface Question {
  way: Way;
  season: string;
  score: number;
  player: string;
  offset: number;
  limit: number;
  minGeneration: number | undefined;
  reader: Reader;
  beganMs: number;
  beganTick: number;
  /** The generation that was published. */
  published: number;
}

/** How long after a change an instance may still answer with the old state. */
const knownMs = (world: SeasonsWorld) => boardCacheMs + 2_000 + 2 * world.plan.skewMsMax;

export function read(world: SeasonsWorld): void {
  const { life, ledger, rankings } = world;
  const ids = [...life.all().map(({ id }) => id), ...life.gone().slice(-3), "cup0"];
  const season = oneOf(world, ids);
  const reader = oneOf(world, world.readers);
  const seen = reader.get(season);
  const question: Question = {
    way: oneOf(world, ways),
    season,
    score: someScore(world),
    player: somePlayer(world),
    offset: world.index(world.plan.players),
    limit: 1 + world.index(6),
    minGeneration: seen === undefined || world.random() < 0.4 ? undefined : seen,
    reader,
    beganMs: world.now(),
    beganTick: ledger.tick(),
    published: rankings.of(season)?.generation ?? 0,
  };
  const instance = someInstance(world);
  world.invoke({
    name: `read ${question.way} in ${season}`,
    instance,
    secondsMax: 60,
    async handle(services) {
      await askAndCheck(world, services, question);
    },
    end(ending) {
      if (ending.how !== "failed") return;
      const { error } = ending;
      if (error instanceof FirerankError && isRightRefusal(world, question, error)) return;
      if (error instanceof Error && grpcCode(error) === undefined) world.violation ??= error;
      else expectPassing(world, ending);
    },
  });
}

/** Whether an error tells the truth about a season or a player. */
function isRightRefusal(world: SeasonsWorld, question: Question, { code }: FirerankError): boolean {
  const { season, player, beganMs, beganTick, published } = question;
  if (code === "contention") return true;
  if (code === "season_not_found") return world.life.wasMissing(season, beganMs - knownMs(world));
  if (code !== "player_not_ranked") return false;
  const versions = versionsOf(world, question);
  const states = world.ledger.heldSince(season, player, beganTick);
  // A player of a closed season who has a document is found if the table has a line.
  if (versions !== undefined)
    return (
      versions.some(({ table }) => !table.some((line) => line.player === player)) ||
      (states?.includes(undefined) ?? true)
    );
  const isOut = world.rankings
    .of(season)
    ?.versions.some(({ table }) => !table.some((line) => line.player === player));
  const wasOut = states?.some((state) => state?.status !== "active" || state.score === undefined) ?? true;
  return (
    wasOut || isOut === true || published === 0 || world.life.wasMissing(season, beganMs - knownMs(world))
  );
}

async function askAndCheck(world: SeasonsWorld, services: Services, question: Question): Promise<void> {
  const { season, score, player, offset, limit, minGeneration } = question;
  const where = { leaderboard, season, min_generation: minGeneration };
  switch (question.way) {
    case "rank of a score":
    case "rank of a player": {
      const asked = question.way === "rank of a score" ? { score } : { player };
      const exact = world.random() < 0.5;
      const request = getRankRequest.parse({ ...where, ...asked, exact });
      checkRank(world, question, exact, await getRankSpec.handle(services, request, caller));
      return;
    }
    case "page": {
      const request = getPageRequest.parse({ ...where, offset, limit });
      const answer = await getPageSpec.handle(services, request, caller);
      checkPage(world, question, answer);
      if (answer.next_cursor === undefined) return;
      const next = getPageRequest.parse({ leaderboard, season, cursor: answer.next_cursor, limit });
      checkNext(world, question, answer, await getPageSpec.handle(services, next, caller));
      return;
    }
    case "around": {
      const request = getAroundRequest.parse({ ...where, player, above: offset % 4, below: limit });
      checkAround(world, question, await getAroundSpec.handle(services, request, caller));
      return;
    }
    case "players": {
      const players = [...new Set([player, ...Array.from({ length: limit }, () => somePlayer(world))])];
      const request = getPlayersRequest.parse({ ...where, players });
      checkPlayers(world, question, await getPlayersSpec.handle(services, request, caller));
      return;
    }
    case "top":
      checkTop(world, question, await getTopSpec.handle(services, getTopRequest.parse(where), caller));
  }
}

/** Checks the generation of an answer. */
function checkGeneration(question: Question, generation: number, told: () => string): void {
  const { reader, season, minGeneration = 0, published } = question;
  insist(
    generation >= Math.min(minGeneration, published),
    () => `min_generation: who had seen ${minGeneration} got ${told()}, when ${published} was published`,
  );
  reader.set(season, Math.max(reader.get(season) ?? 0, generation));
}

/**
 * The versions of a closed season's table that may be answered now: those that some instance may not know to be old.
 * Undefined if some instance may not know that the season is closed.
 */
function versionsOf(
  world: SeasonsWorld,
  { season, beganMs, minGeneration = 0 }: Question,
): Version[] | undefined {
  const ranking = world.rankings.of(season);
  if (ranking === undefined || ranking.closedMs > beganMs - knownMs(world)) return undefined;
  const claimed = ranking.versionOf.get(minGeneration) ?? 0;
  const known = ranking.versions.findLastIndex(({ shownMs }) => shownMs <= beganMs - knownMs(world));
  return ranking.versions.slice(Math.max(0, known, claimed)).filter(({ isDraft }) => isDraft !== true);
}

/** Whether an answer comes from a season that has just closed: an instance that knows this answers from its table. */
function isOfClosing(
  world: SeasonsWorld,
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

function checkRank(world: SeasonsWorld, question: Question, exact: boolean, rank: Rank): void {
  const told = () => JSON.stringify(rank);
  checkGeneration(question, rank.generation, told);
  const { order } = world.plan.definition;
  const versions = versionsOf(world, question);
  const isOf = ({ table }: Version) => {
    const better = table.filter(({ score }) => isBetter(order, score, rank.score));
    const dense = 1 + new Set(better.map(({ score }) => score)).size;
    return rank.rank === 1 + better.length && rank.dense_rank === dense && rank.players === table.length;
  };
  if (versions !== undefined) {
    const isOwn = ({ table }: Version) =>
      table.some(({ player, score }) => player === rank.player && score === rank.score);
    insist(
      rank.player === undefined || versions.some(isOwn),
      () => `closed: answered was ${told()}, which no table has`,
    );
    insist(rank.exact, () => `closed: answered was ${told()}, which is not exact`);
    insistOne(versions, isOf, told);
    return;
  }
  if (isOfClosing(world, question, isOf)) return;
  // If it had to count, it is for a moment that the answer does not name; the world of one season checks those.
  if (exact || rank.freshness === "live") return;
  const truth = world.rankings.truthOf(question.season, rank.generation);
  if (truth === undefined) return;
  const above = truth.scores.reduce(
    (sum, score, i) => sum + (isBetter(order, score, rank.score) ? (truth.players[i] ?? 0) : 0),
    1,
  );
  const holds = rank.exact ? rank.rank === above : rank.rank_best <= above && above <= rank.rank_worst;
  insist(holds, () => `honest ranks: answered was ${told()}, counted is ${above}`);
}

const isSorted = (world: SeasonsWorld, entries: readonly Entry[]) =>
  entries.every(({ score }, i) => {
    const before = entries[i - 1]?.score ?? score;
    return !isBetter(world.plan.definition.order, score, before);
  });

/** Checks the entries of an open season: in order, each player once, each certain rank as in its generation. */
function checkOpen(
  world: SeasonsWorld,
  { season }: Question,
  { entries, generation }: { entries: readonly Entry[]; generation: number },
  told: () => string,
): void {
  const { order } = world.plan.definition;
  const players = new Set(entries.map(({ player }) => player));
  insist(players.size === entries.length && isSorted(world, entries), () => `lists: answered was ${told()}`);
  const truth = world.rankings.truthOf(season, generation);
  if (truth === undefined || generation === 0) return;
  for (const { score, rank, exact } of entries) {
    if (exact === false) continue;
    const above = truth.scores.reduce(
      (sum, other, i) => sum + (isBetter(order, other, score) ? (truth.players[i] ?? 0) : 0),
      1,
    );
    insist(rank === above, () => `honest ranks: answered was ${told()}, ${score} is counted at ${above}`);
  }
}

const isLine = (version: Version, { player, score, rank, position }: Entry, at: number) => {
  const line = version.table[at];
  return line?.player === player && line.score === score && line.rank === rank && position === at + 1;
};

function checkPage(world: SeasonsWorld, question: Question, answer: PageAnswer): void {
  const told = () => JSON.stringify(answer);
  const { entries, players, generation } = answer;
  checkGeneration(question, generation, told);
  const { offset, limit } = question;
  const isOf = (version: Version) =>
    players === version.table.length &&
    entries.length === Math.max(0, Math.min(limit, players - offset)) &&
    entries.every((entry, i) => isLine(version, entry, offset + i));
  const versions = versionsOf(world, question);
  if (versions !== undefined) insistOne(versions, isOf, told);
  else if (!isOfClosing(world, question, isOf)) checkOpen(world, question, answer, told);
}

/** Checks the page after another: no player again, and in a closed season exactly the players at that place. */
function checkNext(world: SeasonsWorld, question: Question, page: PageAnswer, next: PageAnswer): void {
  const told = () => JSON.stringify(next);
  const versions = versionsOf(world, question);
  if (versions === undefined) return;
  const last = page.entries.at(-1);
  const { limit } = question;
  const isOf = ({ table }: Version) => {
    const own = table.findIndex(({ player }) => player === last?.player);
    const [first] = next.entries;
    const from = own >= 0 ? own + 1 : first === undefined ? table.length : first.position - 1;
    return (
      next.entries.length === Math.max(0, Math.min(limit, table.length - from)) &&
      next.entries.every((entry, i) => isLine({ table, shownMs: 0 }, entry, from + i))
    );
  };
  insistOne(versions, isOf, told);
}

function checkAround(world: SeasonsWorld, question: Question, answer: AroundAnswer): void {
  const told = () => JSON.stringify(answer);
  const { entries, generation } = answer;
  checkGeneration(question, generation, told);
  const { player, offset, limit } = question;
  const isOf = (version: Version) => {
    const own = version.table.findIndex((line) => line.player === player);
    const from = Math.max(0, own - (offset % 4));
    const until = Math.min(version.table.length, own + 1 + limit);
    return (
      own >= 0 &&
      entries.length === until - from &&
      entries.every((entry, i) => isLine(version, entry, from + i))
    );
  };
  const versions = versionsOf(world, question);
  if (versions !== undefined) insistOne(versions, isOf, told);
  else if (!isOfClosing(world, question, isOf)) checkOpen(world, question, answer, told);
}

function checkPlayers(world: SeasonsWorld, question: Question, answer: PlayersAnswer): void {
  const told = () => JSON.stringify(answer);
  const { entries, generation } = answer;
  checkGeneration(question, generation, told);
  const { order } = world.plan.definition;
  insist(isSorted(world, entries), () => `lists: answered was ${told()}`);
  // Who is listed is as current as the documents, and the ranks are those of one version.
  const isOf = ({ table }: Version) =>
    entries.every(({ score, rank, exact }) => {
      return (
        exact !== false && rank === 1 + table.filter((line) => isBetter(order, line.score, score)).length
      );
    });
  const versions = versionsOf(world, question);
  if (versions !== undefined) {
    insistOne(versions, isOf, told);
    const isLine = ({ player, score }: Entry) =>
      versions.some(({ table }) => table.some((line) => line.player === player && line.score === score));
    insist(entries.every(isLine), () => `closed: answered was ${told()}, which no table has`);
  } else if (!isOfClosing(world, question, isOf)) checkOpen(world, question, answer, told);
}

function checkTop(world: SeasonsWorld, question: Question, answer: TopAnswer): void {
  const told = () => JSON.stringify(answer);
  const { entries } = answer;
  // The document equals the sorted players (checks/rankings.ts); it is read each time.
  const ranking = world.rankings.of(question.season);
  if (ranking === undefined || ranking.closedMs > question.beganMs) return;
  const size = world.plan.definition.top_size;
  const isOf = (version: Version) =>
    entries.length === Math.min(size, version.table.length) &&
    entries.every((entry, i) => isLine(version, entry, i));
  insistOne(ranking.versions, isOf, told);
}
