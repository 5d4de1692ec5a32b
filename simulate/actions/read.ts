/** Readers ask for ranks: each must equal a plain count at the moment that the answer names. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { seasonPath } from "../../functions/src/documents/paths.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { liveMsMax } from "../../functions/src/model/limits.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { getRankRequest, getRankSpec } from "../../functions/src/operations/get-rank.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { mergedRowOf, type Place, type Places, placesIn } from "../../functions/src/reading/lookup.ts";
import { placesOf } from "../../functions/src/reading/places.ts";
import { livePlacesOf, placesWith, exactPlaceOf } from "../../functions/src/reading/live.ts";
import { grpcCode } from "../../functions/src/world/retryable.ts";
import { expectPassing, oneOf, someInstance, someScore } from "../actors.ts";
import { insist } from "../checks/violation.ts";
import type { Reader, World } from "../world.ts";

const caller = { uid: "p0", admin: false };

const ways = ["page", "callable", "list", "exact", "live", "live", "live and exact", "remembered"] as const;

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

/** Where much is pending, sums are read less often. */
const liveSlackMs = 20_000;

/**
 * Asks in one of the ways and checks the answers. Returns the generations, which must not be older than claimed. It is
 * one function, as it is a list of short ways, and one check for all of their answers.
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
  const beganMs = world.now();
  if (how === "live" || how === "live and exact" || how === "remembered") {
    const scores = [score, someScore(world)];
    const sums = services.live.peek(key);
    if (how === "remembered" && sums === undefined) return [];
    const places =
      how === "remembered" && sums !== undefined
        ? await placesWith(services, sums, scores)
        : await livePlacesOf(services, key, order, scores, { exact: how !== "live", minGeneration });
    const { generation, asOf } = places;
    const isOld = asOf.toMillis() < beganMs - liveMsMax - liveSlackMs - 2 * world.plan.skewMsMax;
    insist(
      !isOld || how === "remembered",
      () => `live: asked at ${beganMs}, answered as of ${asOf.toMillis()}`,
    );
    for (const each of scores) check(world, each, answerIn(places, each), asOf);
    // Sums in memory may be older than the page that the caller has seen.
    return how === "remembered" ? [] : [generation];
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
    for (const each of scores) check(world, each, answerIn(places, each));
    return [places.generation];
  }
  const page = await services.pages.pageOf(key, order, score, minGeneration);
  if (how === "page") {
    check(world, score, answerIn(placesIn(order, page), score));
    return [page.generation];
  }
  const places = await exactPlaceOf(services, key, order, page, score);
  const found = answerIn(places, score);
  // If it had to count, the answer is for the moment at which the generation was read, including pending changes.
  const isOfPage = found.generation === page.generation && found.place.exact;
  const counted = found.freshness === "live" || (isOfPage && mergedRowOf(order, page, score) !== undefined);
  check(world, score, found, counted ? places.asOf : undefined);
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
type Answer = { place: Place } & Pick<Places, "players" | "freshness" | "generation">;

function answerIn(places: Places, score: number): Answer {
  return { ...places, place: places.of(score) };
}

/**
 * Checks a rank for the moment at which it should be true: the answer's, or that of its generation's rows. While an event
 * is on its way that has to correct what a foreign write did to marks, a rank that is counted from marks may be apart by
 * as many players.
 */
function check(world: World, score: number, found: Answer, moment?: Timestamp): void {
  const { conservation } = world;
  const truth = moment === undefined ? published(world, found.generation) : countedAt(world, moment);
  if (truth === undefined) return;
  const owed = moment === undefined ? (conservation.truthOf(found.generation)?.owed ?? 0) : 0;
  const apart = moment === undefined ? owed : (conservation.at(moment)?.drift ?? 0);
  const { place } = found;
  const { order } = world.definition;
  const rank = 1 + sum(truth.filter((row) => isBetter(order, row.score, score)));
  const [best, worst] = place.exact ? [place.rank, place.rank] : [place.rank_best, place.rank_worst];
  insist(
    best - apart <= rank && rank <= worst + apart,
    () => `honest ranks: ${score} is at ${rank} of ${sum(truth)}, answered was ${JSON.stringify(found)}`,
  );
  const isPast = found.freshness === "published" && moment !== undefined;
  insist(
    isPast || Math.abs(found.players - sum(truth)) <= owed,
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

/** What was counted at a moment; undefined if that is too long ago. */
function countedAt({ conservation }: World, moment: Timestamp): Counted | undefined {
  const index = conservation.at(moment)?.index;
  return index && [...index].map(([score, players]) => ({ score, players }));
}
