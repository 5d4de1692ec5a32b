/**
 * Readers ask any season for ranks and lists, and open ones in the functions' own ways too: a page, several scores, live
 * sums, one count. What is checked is in checks/answers.ts.
 */
import { playersPath, type RankingKey } from "../../functions/src/documents/paths.ts";
import type { Entry } from "../../functions/src/model/answers.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { getAroundRequest, getAroundSpec } from "../../functions/src/operations/get-around.ts";
import { getHistogramRequest, getHistogramSpec } from "../../functions/src/operations/get-histogram.ts";
import { getHistoryRequest, getHistorySpec } from "../../functions/src/operations/get-history.ts";
import { getPageRequest, getPageSpec } from "../../functions/src/operations/get-page.ts";
import { getPlayersRequest, getPlayersSpec } from "../../functions/src/operations/get-players.ts";
import { getRankRequest, getRankSpec } from "../../functions/src/operations/get-rank.ts";
import { getThresholdRequest, getThresholdSpec } from "../../functions/src/operations/get-threshold.ts";
import { getTopRequest, getTopSpec } from "../../functions/src/operations/get-top.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { mergedRowOf, type Places, placesIn } from "../../functions/src/reading/lookup.ts";
import { livePlaces, liveSumsOf } from "../../functions/src/reading/live.ts";
import { exactPlaceOf, publishedPlaces } from "../../functions/src/reading/published.ts";
import { grpcCode } from "../../functions/src/world/retryable.ts";
import { segmentText, segmentValues } from "../../functions/src/model/segments.ts";
import { oneOf, someOf, somePlayer, someInstance, someScore, someSegment } from "../actors.ts";
import { keyIn, leaderboard } from "../board.ts";
import {
  checkAround,
  checkGeneration,
  checkIsLive,
  checkNext,
  checkPage,
  checkPlace,
  checkPlayers,
  checkRank,
  checkTop,
  isRightRefusal,
  type Question,
} from "../checks/answers.ts";
import { checkOwnSegments, checkTopOfSegment } from "../checks/in-segments.ts";
import { checkHistory, checkMoved } from "../checks/moved.ts";
import { checkHistogram, checkThreshold } from "../checks/spread.ts";
import { tickOf } from "../checks/setting.ts";
import type { World } from "../world.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";
import { pageCacheOf } from "../../functions/src/reading/page-cache.ts";
import { liveReadsOf } from "../../functions/src/reading/live-sums.ts";

const caller = { uid: "p0", role: "admin" } as const;

/** How a caller asks. */
const asked = ["rank of a score", "rank of a player", "page", "around", "players", "top", "spread"] as const;

/** How functions find the ranks of scores in a season that is open. */
const found = ["row", "list", "exact", "live", "live", "live and exact", "remembered"] as const;

export function read(world: World): void {
  const { life, rankings } = world;
  const ids = [...life.all().map(({ id }) => id), ...life.gone().slice(-3), "cup0"];
  const season = oneOf(world, ids);
  const isOpen = life.get(season)?.season.status === "open";
  const keeps = world.plan.movement && !season.startsWith("daily-");
  const since = keeps && world.random() < 0.8 ? oneOf(world, ["day", "day", "week"] as const) : undefined;
  const way = wayOf(world, isOpen, keeps);
  const isInSegment = world.plan.segments && way !== "history" && since === undefined && world.random() < 0.6;
  const [named] = isInSegment ? Object.entries(someSegment(world)) : [];
  const reader = oneOf(world, world.readers);
  const instance = someInstance(world);
  const question: Question = {
    season,
    segment: named && segmentText(...named),
    score: someScore(world),
    player: (since === undefined ? undefined : someWritten(world, season)) ?? somePlayer(world),
    offset: world.index(world.plan.players),
    limit: 1 + world.index(6),
    since,
    minGeneration: generationClaimed(world, reader.get(season) ?? 0),
    reader,
    instance,
    answeredBefore: new Map(world.answered.get(instance)),
    beganMs: world.now(),
    beganTick: tickOf(world),
    published: rankings.of(season)?.generation ?? 0,
  };
  world.invoke({
    name: `read ${way} in ${[season, ...(named ?? [])].join(" ")} from generation ${question.minGeneration ?? "any"} on`,
    instance,
    secondsMax: 60,
    async handle(services) {
      // As every request does: by the board the instance knows whether pages in memory are another board's.
      if (isIn(found, way)) await boardCacheOf(services).load(keyIn(season));
      await ways[way](world, services, question);
    },
    end(ending) {
      if (ending.how !== "failed") return;
      const { error } = ending;
      if (error instanceof FirerankError && isRightRefusal(world, question, error)) return;
      if (error instanceof Error && grpcCode(error) === undefined) throw error;
    },
    clear: ["season_not_found", "player_not_ranked", ...(isInSegment ? (["invalid_request"] as const) : [])],
  });
}

const isIn = (some: readonly string[], way: string) => some.includes(way);

/** A player who has a document. */
const someWritten = (world: World, season: string) =>
  someOf(world, world.database.store.list(playersPath(keyIn(season))))?.id;

/** Ways that tell how far players have moved. */
const moving = ["rank of a player", "history", "page", "around", "players"] as const;

function wayOf(world: World, isOpen: boolean, keepsMovement: boolean): keyof typeof ways {
  if (keepsMovement && world.random() < 0.6) return oneOf(world, moving);
  return isOpen && world.random() < 0.5 ? oneOf(world, found) : oneOf(world, asked);
}

/** The generation that a reader sends: mostly the newest it has seen, sometimes none, now and then a made-up number. */
function generationClaimed(world: World, seen: number): number | undefined {
  const chance = world.random();
  if (chance < 0.3 || seen === 0) return undefined;
  return chance < 0.9 ? seen : seen + 1 + world.index(3);
}

type Ask = (world: World, services: Services, question: Question) => Promise<void>;

/** Each way to ask, and the check of its answers. */
const ways: Record<(typeof asked)[number] | (typeof found)[number] | "history", Ask> = {
  "rank of a score": (world, services, question) =>
    askRank(world, services, question, { score: question.score }),
  "rank of a player": (world, services, question) =>
    askRank(world, services, question, { player: question.player }),
  async page(world, services, question) {
    const { season, offset, limit, since } = question;
    const request = getPageRequest.parse({ ...whereOf(question), offset, limit, since });
    const answer = await getPageSpec.handle(services, request, caller);
    checkPage(world, question, answer);
    checkListMoved(world, question, answer);
    if (answer.next_cursor === undefined) return;
    const { segment } = whereOf(question);
    const next = getPageRequest.parse({ leaderboard, season, segment, cursor: answer.next_cursor, limit });
    checkNext(world, question, answer, await getPageSpec.handle(services, next, caller));
  },
  async around(world, services, question) {
    const { player, offset, limit, since } = question;
    const asked = { player, above: offset % 4, below: limit, since };
    const request = getAroundRequest.parse({ ...whereOf(question), ...asked });
    const answer = await getAroundSpec.handle(services, request, caller);
    checkAround(world, question, answer);
    checkListMoved(world, question, answer);
  },
  async players(world, services, question) {
    const others = Array.from({ length: question.limit }, () => somePlayer(world));
    const players = [...new Set([question.player, ...others])];
    const request = getPlayersRequest.parse({ ...whereOf(question), players, since: question.since });
    const answer = await getPlayersSpec.handle(services, request, caller);
    checkPlayers(world, question, answer);
    checkListMoved(world, question, answer);
  },
  async history(world, services, question) {
    const request = getHistoryRequest.parse({ ...whereOf(question), player: question.player });
    checkHistory(world, question, await getHistorySpec.handle(services, request, caller));
  },
  async top(world, services, question) {
    const request = getTopRequest.parse(whereOf(question));
    const check = question.segment === undefined ? checkTop : checkTopOfSegment;
    check(world, question, await getTopSpec.handle(services, request, caller));
  },
  async spread(world, services, question) {
    const { offset, limit } = question;
    const rank = { ...whereOf(question), rank: 1 + offset };
    checkThreshold(
      world,
      question,
      await getThresholdSpec.handle(services, getThresholdRequest.parse(rank), caller),
    );
    const bins = { ...whereOf(question), bins: 1 + limit };
    checkHistogram(
      world,
      question,
      await getHistogramSpec.handle(services, getHistogramRequest.parse(bins), caller),
    );
  },
  async row(world, services, question) {
    const page = await pageOf(world, services, question);
    checkPlaces(world, question, placesIn(world.plan.definition.order, page), [question.score]);
  },
  async list(world, services, question) {
    const scores = [question.score, someScore(world), someScore(world), someScore(world)];
    const { minGeneration } = question;
    const { order } = world.plan.definition;
    const places = await publishedPlaces(services, keyOf(question), order, scores, minGeneration);
    checkPlaces(world, question, places, scores);
  },
  async exact(world, services, question) {
    const { score } = question;
    const { order } = world.plan.definition;
    const page = await pageOf(world, services, question);
    const published = placesIn(order, page);
    const places = published.of(score).exact
      ? published
      : await exactPlaceOf(services, { key: keyOf(question), order, page }, score);
    const isOfPage = places.generation === page.generation && places.of(score).exact;
    // If it had to count, the answer is for the moment at which the generation was read, including pending changes.
    const isCounted =
      places.freshness === "live" || (isOfPage && mergedRowOf(order, page, score) !== undefined);
    checkGeneration(world, question, page.generation);
    checkPlaces(world, question, places, [score], isCounted);
  },
  live: (world, services, question) => askLive(world, services, question, false),
  "live and exact": (world, services, question) => askLive(world, services, question, true),
  async remembered(world, services, question) {
    const sums = liveReadsOf(services).peek(keyIn(question.season));
    if (sums === undefined) return;
    const scores = [question.score, someScore(world)];
    const places = await livePlaces(services, sums, scores);
    // Sums in memory may be older than the page that the caller has seen.
    for (const score of scores)
      checkPlace(world, { ...question, segment: undefined }, score, placeIn(places, score), places.asOf);
  },
};

const whereOf = ({ season, segment, minGeneration }: Question) => {
  const named = segment === undefined ? {} : { segment: segmentValues([segment]) };
  return { leaderboard, season, ...named, min_generation: minGeneration };
};

/** The ranking that is asked. */
const keyOf = ({ season, segment }: Question): RankingKey => ({ ...keyIn(season), segment });

async function askRank(
  world: World,
  services: Services,
  question: Question,
  of: { score: number } | { player: string },
): Promise<void> {
  const isExact = world.random() < 0.5;
  const freshness = world.random() < 0.5 ? { freshness: "published" } : {};
  const since = "player" in of ? question.since : undefined;
  const isOfOwn = world.plan.segments && question.segment === undefined && "player" in of;
  const own = isOfOwn && world.random() < 0.7 ? { segments: ["country", "guild"] } : {};
  const asked = { ...whereOf(question), ...of, ...freshness, ...own, exact: isExact, since };
  const rank = await getRankSpec.handle(services, getRankRequest.parse(asked), caller);
  checkRank(world, question, isExact, rank);
  checkOwnSegments(world, question, isExact, rank);
  if (since !== undefined && "player" in of) checkMoved(world, question, since, rank, { ...rank, ...of });
}

/** Checks the movement of a list's players whose rank is certain now: the bounds of the others are not told. */
function checkListMoved(
  world: World,
  question: Question,
  answer: { entries: readonly Entry[]; generation: number },
): void {
  const { since } = question;
  if (since === undefined) return;
  for (const entry of answer.entries) {
    if (entry.exact === false && entry.moved != null) continue;
    checkMoved(world, question, since, answer, { ...entry, rank_best: entry.rank, rank_worst: entry.rank });
  }
}

async function askLive(world: World, services: Services, question: Question, exact: boolean): Promise<void> {
  const { minGeneration } = question;
  const { order } = world.plan.definition;
  const scores = [question.score, someScore(world)];
  const sums = await liveSumsOf(services, keyOf(question), order, minGeneration);
  const places = await livePlaces(services, sums, scores, exact);
  checkIsLive(world, question, places.asOf);
  checkPlaces(world, question, places, scores, true);
}

const pageOf = (world: World, services: Services, question: Question) =>
  pageCacheOf(services).pageOf(
    keyOf(question),
    world.plan.definition.order,
    question.score,
    question.minGeneration,
  );

const placeIn = (places: Places, score: number) => ({ ...places, place: places.of(score) });

/** @param isCounted whether the answers are for the moment that they name, and not for their generation's rows */
function checkPlaces(
  world: World,
  question: Question,
  places: Places,
  scores: readonly number[],
  isCounted = false,
): void {
  checkGeneration(world, question, places.generation);
  for (const score of scores)
    checkPlace(world, question, score, placeIn(places, score), isCounted ? places.asOf : undefined);
}
