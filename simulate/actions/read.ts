/** Readers ask for ranks: each must equal a plain count at the moment that the answer names. */
import type { Page } from "../../functions/src/documents/page.ts";
import { indexEntriesPath, seasonPath } from "../../functions/src/documents/paths.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { getRankRequest, getRankSpec } from "../../functions/src/operations/get-rank.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { mergedRowOf } from "../../functions/src/reading/lookup.ts";
import { placesOf } from "../../functions/src/reading/places.ts";
import { exactPlace, livePlace } from "../../functions/src/reading/precise.ts";
import { type DatedPlace, publishedPlace } from "../../functions/src/reading/rank.ts";
import { grpcCode } from "../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance, someScore } from "../actors.ts";
import { playersAt } from "../checks/conservation.ts";
import { insist } from "../checks/violation.ts";
import type { Reader, World } from "../world.ts";

const caller = { uid: "p0", admin: false };

const ways = ["page", "callable", "list", "exact", "live", "live and exact"] as const;

/** Asks for ranks, published or live, exact or not, one or several, and compares them with a plain count. */
export function readRank(world: World): void {
  const how = oneOf(world, ways);
  const score = someScore(world);
  const instance = someInstance(world);
  const reader = oneOf(world, world.readers);
  const published = world.conservation.generation();
  const minGeneration = generationClaimed(world, reader);
  const newestOf = () => world.answered.get(instance) ?? 0;
  const newestBefore = newestOf();

  /** Checks an answer's generation against what the instance and the reader have seen. */
  function answered(generation: number): void {
    const atLeast = Math.min(minGeneration ?? 0, published);
    insist(
      generation >= atLeast,
      () =>
        `min_generation: ${generation} was answered to who had seen ${minGeneration}, when ${published} was published`,
    );
    reader.generation = Math.max(reader.generation, generation);
    insist(
      generation >= newestBefore,
      () => `whole generations: an instance answered with ${generation} after ${newestBefore}`,
    );
    world.answered.set(instance, Math.max(newestOf(), generation));
  }

  world.begin(
    `read ${how} rank of ${score}${minGeneration === undefined ? "" : ` from generation ${minGeneration} on`}`,
    instance,
    async (services) => {
      for (const generation of await askAndCheck(world, services, how, score, minGeneration))
        answered(generation);
    },
    (ending) => {
      if (ending.how === "failed" && ending.error instanceof Error && grpcCode(ending.error) === undefined)
        world.violation ??= ending.error;
      else expectPassing(world, ending);
    },
  );
}

/** The generation that a reader sends: mostly the newest it has seen, sometimes none, now and then a made-up number. */
function generationClaimed(world: World, { generation }: Reader): number | undefined {
  const chance = world.random();
  if (chance < 0.3 || generation === 0) return undefined;
  return chance < 0.9 ? generation : generation + 1 + world.index(3);
}

/**
 * Asks in one of the ways and checks the answers. Returns the generations, which must not be older than claimed. It is
 * one function, as it is a list of short ways, whose answers are held to the same check.
 */
async function askAndCheck(
  world: World,
  services: Services,
  how: (typeof ways)[number],
  score: number,
  minGeneration: number | undefined,
): Promise<number[]> {
  const {
    key,
    definition: { order },
  } = world;
  if (how === "live" || how === "live and exact") {
    const live = world.mutant?.live ?? livePlace;
    const found = await rankedBy(world, live(services, key, order, score, how !== "live"));
    if (found === undefined) return [];
    // If the board has left its index meanwhile, or lacks changes of such a time, the answer is the published rank.
    const isLive = found.freshness === "live";
    insist(
      isLive || found.generation > 0,
      () => `honest ranks: nothing is published, and the answer was ${JSON.stringify(found)}`,
    );
    check(world, score, found, isLive ? { source: "index", read_at: found.asOf } : undefined);
    return [found.generation];
  }
  if (how === "callable") {
    if (world.database.store.get(seasonPath(key)) === undefined) return [];
    const { leaderboard } = key;
    const asked = { leaderboard, score, freshness: "published", exact: false, min_generation: minGeneration };
    const place = await rankedBy(world, getRankSpec.handle(services, getRankRequest.parse(asked), caller));
    if (place === undefined) return [];
    const { players, freshness, generation } = place;
    check(world, score, { place, players, freshness, generation });
    return [generation];
  }
  if (how === "list") {
    const scores = [score, someScore(world), someScore(world), someScore(world)];
    const places = await placesOf(services, key, order, scores, minGeneration);
    const { players, generation } = places;
    for (const each of scores)
      check(world, each, { place: places.of(each), players, freshness: "published", generation });
    return [generation];
  }
  const page = await services.pages.pageOf(key, order, score, minGeneration);
  if (how === "page") {
    check(world, score, publishedPlace(order, page, score));
    return [page.generation];
  }
  const found = await exactPlace(services, key, order, page, score);
  // If it had to count, the answer is for the moment at which the generation was read, including pending changes. (Not
  // if the board has been counted meanwhile, or its index left to counts: then it gave a published rank.)
  const isOfPage = found.generation === page.generation && found.place.exact;
  const counted = found.freshness === "live" || (isOfPage && mergedRowOf(order, page, score) !== undefined);
  const source = found.freshness === "live" ? "index" : page.source;
  check(world, score, found, counted ? { source, read_at: found.asOf } : undefined);
  return [page.generation, found.generation];
}

/** An answer, or undefined where nobody is ranked as nothing was published before the question. */
async function rankedBy<Answered>(world: World, answer: Promise<Answered>): Promise<Answered | undefined> {
  const before = world.conservation.generation();
  try {
    return await answer;
  } catch (error) {
    if (before === 0 && error instanceof FirerankError && error.code === "player_not_ranked")
      return undefined;
    throw error;
  }
}

/** The fields of an answer that are checked. */
type Answer = Pick<DatedPlace, "place" | "players" | "freshness" | "generation">;

/** A moment, and whether players or index entries were counted. */
type Moment = Pick<Page, "source" | "read_at">;

/** Checks a rank for the moment at which it should be true: the answer's, or that of its generation's rows. */
function check(world: World, score: number, found: Answer, moment?: Moment): void {
  const truth = moment === undefined ? published(world, found.generation) : countedAt(world, moment);
  if (truth === undefined) return;
  const { place } = found;
  const { order } = world.definition;
  const rank = 1 + sum(truth.filter((row) => isBetter(order, row.score, score)));
  const holds = place.exact ? place.rank === rank : place.rank_best <= rank && rank <= place.rank_worst;
  insist(
    holds,
    () => `honest ranks: ${score} is at ${rank} of ${sum(truth)}, answered was ${JSON.stringify(found)}`,
  );
  const isPast = found.freshness === "published" && moment !== undefined;
  insist(
    isPast || found.players === sum(truth),
    () => `honest ranks: there are ${sum(truth)} players, answered was ${JSON.stringify(found)}`,
  );
}

type Counted = { score: number; players: number }[];

const sum = (rows: Counted) => rows.reduce((total, { players }) => total + players, 0);

/** The truth behind a generation's rows; undefined if it is too old. */
function published(world: World, generation: number): Counted | undefined {
  const truth = world.conservation.truthOf(generation);
  return truth?.scores.map((score, i) => ({ score, players: truth.players[i] ?? 0 }));
}

/** The players or index entries at a moment; undefined if it can no longer be read. */
function countedAt(world: World, { source, read_at: moment }: Moment): Counted | undefined {
  const { store } = world.database;
  if (source === "count") {
    const counts = playersAt(store, world.key, moment);
    return counts && Array.from(counts.players, ([score, players]) => ({ score, players }));
  }
  const at = store.kept(moment);
  if (at === undefined) return undefined;
  return store.list(indexEntriesPath(world.key), at).flatMap(({ data }) => {
    const score = data["score"];
    return typeof score === "number" ? [{ score, players: 1 }] : [];
  });
}
