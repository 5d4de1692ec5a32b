/** Readers ask for ranks, each of which must be what a plain count gives for the moment that the answer names. */
import { indexEntriesPath } from "../../functions/src/model/paths.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { exactPlace, livePlace } from "../../functions/src/ranking/precise.ts";
import { type DatedPlace, publishedPlace } from "../../functions/src/ranking/rank.ts";
import { grpcCode } from "../../functions/src/retryable.ts";
import { expectPassing, oneOf, someInstance, someScore } from "../actors.ts";
import { insist } from "../checks/violation.ts";
import type { World } from "../world.ts";

/** A rank is asked for, published or live, exact or not, and held against a plain count. */
export function readRank(world: World): void {
  const {
    key,
    definition: { order },
  } = world;
  const how = oneOf(world, ["published", "published", "live", "exact", "live and exact"] as const);
  const score = someScore(world);
  const instance = someInstance(world);
  const newestBefore = instance.generation;
  world.begin(
    `read ${how} rank of ${score}`,
    instance,
    async (services) => {
      if (how === "live" || how === "live and exact") {
        check(world, score, await livePlace(services, key, order, score, how !== "live"));
        return;
      }
      const page = await services.pages.pageOf(key, order, score);
      const found =
        how === "exact"
          ? await exactPlace(services, key, order, page, score)
          : publishedPlace(order, page, score);
      check(world, score, found);
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

function check(world: World, score: number, found: DatedPlace): void {
  const truth = truthAt(world, score, found);
  if (truth === undefined) return;
  const { place, players } = found;
  const rank = truth.better + 1;
  const holds = place.exact ? place.rank === rank : place.rank_best <= rank && rank <= place.rank_worst;
  insist(
    holds,
    () => `honest ranks: ${score} is at ${rank} of ${truth.players}, answered was ${JSON.stringify(found)}`,
  );
  insist(
    players === truth.players,
    () => `honest ranks: ${truth.players} players, answered was ${JSON.stringify(found)}`,
  );
}

/** How many players are better and how many there are, at the moment that an answer names; nothing if that is lost. */
function truthAt(world: World, score: number, { freshness, asOf, generation }: DatedPlace) {
  const { order } = world.definition;
  const { store } = world.database;
  const published = world.conservation.truthOf(generation);
  const better = (scores: readonly { score: number; players: number }[]) =>
    scores.reduce((sum, one) => (isBetter(order, one.score, score) ? sum + one.players : sum), 0);
  if (freshness === "published") {
    if (published?.settled !== true) return undefined;
    const rows = published.scores.map((one, i) => ({ score: one, players: published.players[i] ?? 0 }));
    return { better: better(rows), players: rows.reduce((sum, row) => sum + row.players, 0) };
  }
  const at = store.kept(asOf);
  if (at === undefined) return undefined;
  const entries = store.list(indexEntriesPath(world.key), at).flatMap(({ data }) => {
    const entry = data["score"];
    return typeof entry === "number" ? [{ score: entry, players: 1 }] : [];
  });
  return { better: better(entries), players: entries.length };
}
