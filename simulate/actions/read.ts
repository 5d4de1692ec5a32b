/** Readers ask for ranks, each of which must be what a plain count gives for the moment that the answer names. */
import { indexEntriesPath } from "../../functions/src/model/paths.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { mergedRowOf } from "../../functions/src/ranking/lookup.ts";
import { exactPlace, livePlace } from "../../functions/src/ranking/precise.ts";
import type { Page } from "../../functions/src/ranking/pages.ts";
import { type DatedPlace, publishedPlace } from "../../functions/src/ranking/rank.ts";
import { grpcCode } from "../../functions/src/retryable.ts";
import { expectPassing, oneOf, someInstance, someScore } from "../actors.ts";
import { sourceOf } from "../checks/source.ts";
import { playersAt } from "../checks/conservation.ts";
import { insist } from "../checks/violation.ts";
import type { World } from "../world.ts";

/** A rank is asked for, published or live, exact or not, and held against a plain count. */
export function readRank(world: World): void {
  const {
    key,
    definition: { order },
  } = world;
  const isCounted = sourceOf(world.database.store, key) === "count";
  const how = isCounted
    ? oneOf(world, ["published", "exact"] as const)
    : oneOf(world, ["published", "published", "live", "exact", "live and exact"] as const);
  const score = someScore(world);
  const instance = someInstance(world);
  const newestBefore = instance.generation;
  world.begin(
    `read ${how} rank of ${score}`,
    instance,
    async (services) => {
      if (how === "live" || how === "live and exact") {
        const found = await livePlace(services, key, order, score, how !== "live");
        // Where the board has left the index meanwhile, what was published.
        const isLive = found.freshness === "live";
        check(world, score, found, isLive ? { source: "index", read_at: found.asOf } : undefined);
        return;
      }
      const page = await services.pages.pageOf(key, order, score);
      if (how === "published") check(world, score, publishedPlace(order, page, score));
      else {
        const found = await exactPlace(services, key, order, page, score);
        // Where it had to count, it answers for the moment at which the generation was read, pending changes included.
        // (Not where the board has been counted meanwhile, and it gave what that published.)
        const isOfPage = found.generation === page.generation;
        const counted =
          found.freshness === "live" || (isOfPage && mergedRowOf(order, page, score) !== undefined);
        const source = found.freshness === "live" ? "index" : page.source;
        check(world, score, found, counted ? { source, read_at: found.asOf } : undefined);
      }
      insist(
        page.generation >= newestBefore,
        () => `whole generations: an instance answered with ${page.generation} after ${newestBefore}`,
      );
      instance.generation = Math.max(instance.generation, page.generation);
    },
    (ending) => {
      if (ending.how === "failed" && ending.error instanceof Error && grpcCode(ending.error) === undefined)
        world.violation ??= ending.error;
      else expectPassing(world, ending);
    },
  );
}

/** A moment, and whether the players or the index entries of it were counted. */
type Moment = Pick<Page, "source" | "read_at">;

/** A rank, and the moment for which it is said to be true: that of the answer, or that of its generation's rows. */
function check(world: World, score: number, found: DatedPlace, moment?: Moment): void {
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

/** What a generation's rows stand for; nothing where it is long gone. */
function published(world: World, generation: number): Counted | undefined {
  const truth = world.conservation.truthOf(generation);
  return truth?.scores.map((score, i) => ({ score, players: truth.players[i] ?? 0 }));
}

/** The players or index entries at a moment; nothing if it can no longer be read. */
function countedAt(world: World, { source, read_at: moment }: Moment): Counted | undefined {
  const { store } = world.database;
  const at = store.kept(moment);
  if (at === undefined) return undefined;
  if (source === "count")
    return Array.from(playersAt(store, world.key, moment).players, ([score, players]) => ({
      score,
      players,
    }));
  return store.list(indexEntriesPath(world.key), at).flatMap(({ data }) => {
    const score = data["score"];
    return typeof score === "number" ? [{ score, players: 1 }] : [];
  });
}
