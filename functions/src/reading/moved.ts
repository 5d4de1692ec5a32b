/** How far players have moved since a midnight: the rank of the score that they had then, in the ranking of then. */
import { countedAt } from "../documents/mark.ts";
import type { HistoryAnswer, Movement } from "../model/answers.ts";
import { unpackColumns } from "../model/columns.ts";
import { invalidField } from "../model/errors.ts";
import { readConcurrencyMax } from "../model/limits.ts";
import { beginOf, dateAt, keptMidnights, type Since } from "../model/midnights.ts";
import { daysOf, mayBeOf } from "../ranking/baselines.ts";
import { keepsHistory } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { inPool } from "../world/pool.ts";
import type { Place, Places } from "./lookup.ts";
import { publishedPlaces } from "./published.ts";
import type { Line, RankingFacts, RankingView } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";
import { quietOf } from "./quiet.ts";

/** Of a midnight of which no ranking is kept. */
const noBaseline = { moved: null, moved_why: "no_baseline" } as const;

interface Mover {
  /** The player's document; without it nobody knows what the player's score was. */
  data: Record<string, unknown> | undefined;
  place: Line["place"];
}

/**
 * @param since where this field asks for movement, and not the whole call.
 * @throws `invalid_request` on a board that keeps no movement, and in a season of a day
 */
export function requireMovement(board: Board, since?: "since"): void {
  if (!board.definition.movement)
    throw invalidField(
      since ?? "leaderboard",
      "this leaderboard keeps no movement; an admin saves it with movement: true",
    );
  if (!keepsHistory(board))
    throw invalidField(since ?? "season", "a season of a day has no earlier one to compare with");
}

/**
 * How far players have moved since the beginning of today or of this week, in their order.
 *
 * Cost: 1 read for each page of the ranking of then that is not in memory; on a board without a publication since then 2
 * more, once; where scores of before midnight wait for a run 2 a second.
 * @param ranking which the players' places are of.
 */
export async function movedSince(
  services: Services,
  board: Board,
  ranking: RankingFacts,
  since: Since,
  movers: readonly Mover[],
): Promise<Movement[]> {
  const { definition } = board;
  const midnightMs = beginOf(since, services.now(), definition);
  const then = movers.map(({ data = {} }) => countedAt(data, midnightMs, definition));
  const scores = then.filter((was) => typeof was === "number");
  const before = await placesAt(services, board, ranking, midnightMs, scores);
  return movers.map(({ place }, i) => {
    const was = then[i];
    if (before === undefined) return noBaseline;
    return typeof was === "number"
      ? moved(before.of(was), place, midnightMs)
      : { moved: null, moved_why: was };
  });
}

/** The places of scores at a midnight; undefined if no ranking of it is kept. Cost: as {@link movedSince}. */
async function placesAt(
  services: Services,
  board: Board,
  ranking: RankingFacts,
  midnightMs: number,
  scores: readonly number[],
): Promise<Places | undefined> {
  const { key, definition } = board;
  const { generation, published } = ranking;
  // A final table does not say what was before.
  if (published === undefined || generation === 0) return undefined;
  // Pages may list more: a definition may have been deleted, and saved again.
  if (midnightMs < (daysOf(services, board)?.fromMs ?? Infinity)) return undefined;
  const listed = published.baselines?.find(({ at }) => at === midnightMs);
  if (listed !== undefined) {
    const places = await publishedPlaces(
      services,
      { ...key, baseline: listed.copy },
      definition.order,
      scores,
    );
    return places.generation === 0 ? undefined : places;
  }
  if (!mayBeOf(published, midnightMs) || !(await quietOf(services).isRankingOf(key, ranking, midnightMs)))
    return undefined;
  const places = await publishedPlaces(services, key, definition.order, scores, generation);
  // If a ranking was published meanwhile, the next answer knows more.
  return places.generation === generation ? places : undefined;
}

/** Cost: as `getHistory` says. */
export async function historyOf(
  services: Services,
  view: RankingView,
  player: string,
): Promise<HistoryAnswer> {
  const { board } = view;
  const { key, definition } = board;
  const [{ data = {} } = {}] = await view.players([player]);
  const ranking = await view.placesOf([]);
  const midnights = keptMidnights(services.now(), definition).reverse();
  const found = await inPool(midnights, readConcurrencyMax, async (midnightMs) => {
    const score = countedAt(data, midnightMs, definition);
    if (typeof score !== "number") return [];
    const before = await placesAt(services, board, ranking, midnightMs, [score]);
    if (before === undefined) return [];
    const { dense_rank: _, ...place } = before.of(score);
    const columns = unpackColumns(definition.order, definition.columns, score);
    const since = new Date(midnightMs).toISOString();
    const about = { day: dateAt(midnightMs, definition), since, score, ...(columns && { columns }) };
    return [{ ...about, ...place, players: before.players }];
  });
  return { ...key, player, days: found.flat(), generation: ranking.generation };
}

function moved(from: Place, to: Line["place"], midnightMs: number): Movement {
  return {
    moved: {
      since: new Date(midnightMs).toISOString(),
      places: from.rank - to.rank,
      from_rank: from.rank,
      exact: from.exact && to.exact,
      places_best: from.rank_worst - to.rank_best,
      places_worst: from.rank_best - to.rank_worst,
    },
  };
}
