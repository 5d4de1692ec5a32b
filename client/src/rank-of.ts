/** `rankOf`: the rank that a score would have, worked out on the device. */
import { getDoc, getDocs } from "firebase/firestore";
import { toStep } from "../../functions/src/model/arithmetic.ts";
import { packColumns } from "../../functions/src/model/columns.ts";
import { scoreProblem } from "../../functions/src/model/score.ts";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import type { WatchedRank } from "./answers.ts";
import { type CallOptions, within } from "./call-options.ts";
import {
  FirerankError,
  invalidField,
  leaderboardNotFound,
  nothingRankedYet,
  seasonNotFound,
  toFirerankError,
} from "./firerank-error.ts";
import { generationsOf } from "./generations.ts";
import { withPresentSeason } from "./follow-span.ts";
import {
  type BoardTypes,
  type ColumnsOf,
  type Leaderboard,
  type SeasonBoard,
  seasonOf,
  withSeason,
} from "./leaderboard.ts";
import type { ValueRead } from "./listeners.ts";
import { deviceTime } from "./server-clock.ts";
import {
  definitionDocument,
  forgetRules,
  keepPage,
  keepRules,
  ofFirstSpan,
  pageIn,
  pageInMemory,
  pageQuery,
  rankIn,
  type Rules,
  rulesIn,
  rulesInMemory,
  seasonDocument,
  type StoredPage,
} from "./stored.ts";

/**
 * The rank that a score has in the published ranking, whether a player has the score or not. This calls no function and
 * submits nothing. Offline it answers from Firestore's cache, if the cache has the page.
 *
 * Cost: 1 read for the page, and 0 while the page is in memory, until the next publication is due. 1 read for the board's
 * definition the first time and once an hour, as the tiers may change. For a closed season, 1 read an hour for each page.
 * For a tournament that has nothing published, 1 read more. With a `span` other than `all_time`, a function call
 * without reads, once a season.
 * @param score a number, which is rounded to the board's `decimals`. On a board with columns, each column by its name, or the
 * number into which they are packed, as an entry's `score` has it.
 * @param options how long the call may take, by default as long as Firestore takes; and what ends the call.
 * @throws FirerankError: `player_not_ranked` before the first publication; `season_not_found` for a span or a tournament that
 * does not exist
 */
export async function rankOf<Types extends BoardTypes>(
  asked: Leaderboard<Types>,
  score: number | Readonly<ColumnsOf<Types>>,
  options?: CallOptions,
): Promise<WatchedRank<Types>>;
export async function rankOf(
  asked: Leaderboard,
  score: number | Readonly<Record<string, number>>,
  options: CallOptions = {},
): Promise<WatchedRank> {
  try {
    return await within("rankOf", options, () => readRank(asked, score));
  } catch (error) {
    throw toFirerankError("rankOf", error);
  }
}

async function readRank(
  asked: Leaderboard,
  score: number | Readonly<Record<string, number>>,
): Promise<WatchedRank> {
  const known = rulesInMemory(asked);
  const rules = known === undefined ? await readRules(asked) : { value: known, fromCache: false };
  const isNamed = asked.season !== undefined || asked.span !== undefined;
  const spanned = isNamed ? asked : ofFirstSpan(asked, rules.value);
  const board = withSeason(spanned) ?? (await withPresentSeason(spanned));
  const number = numberOf(rules.value, score);
  const inMemory = pageInMemory(board, rules.value.order, number);
  const page =
    inMemory === undefined
      ? await readPage(board, rules.value, number)
      : { value: inMemory, fromCache: false };
  const fromCache = rules.fromCache || page.fromCache;
  if (known === undefined && !fromCache) keepRules(board, rules.value, true);
  return rankIn(board, rules.value, page.value, { score: number, fromCache });
}

async function readRules(board: Leaderboard): Promise<ValueRead<Rules>> {
  const found = await getDoc(definitionDocument(board));
  if (!found.exists()) throw leaderboardNotFound(board.id);
  return { value: rulesIn(found.data()), fromCache: found.metadata.fromCache };
}

/** The page that covers a score. @throws `player_not_ranked` before the first publication */
async function readPage(board: SeasonBoard, { order }: Rules, score: number): Promise<ValueRead<StoredPage>> {
  const before = generationsOf(board);
  const askedMs = deviceTime().steady_ms;
  const found = await getDocs(pageQuery(board, order, score));
  const { fromCache } = found.metadata;
  const page = pageIn(found, order, score);
  if (page !== undefined) {
    if (!fromCache) keepPage(board, page, before, askedMs);
    return { value: page, fromCache };
  }
  if (fromCache) {
    const message = "The device is offline and has never read this part of the ranking.";
    throw new FirerankError("unavailable", message);
  }
  await requireSeason(board);
  before.saw(0);
  forgetRules(board);
  throw nothingRankedYet();
}

/**
 * Finds out why a season has no page: nothing is published yet, or the season does not exist. A tournament has a document
 * from the start; a day, week or month has one only from its first score on, as `getRank` knows too.
 * @throws `season_not_found`
 */
async function requireSeason(board: SeasonBoard): Promise<void> {
  const { season } = seasonOf(board);
  if (spanOfId(season) !== "custom") return;
  const found = await getDoc(seasonDocument(board, season));
  if (found.exists()) return;
  throw seasonNotFound(board);
}

/** The number that the board stores for a score. */
function numberOf(rules: Rules, score: number | Readonly<Record<string, number>>): number {
  const { order, columns } = rules;
  if (typeof score !== "object") {
    const problem = scoreProblem(score);
    if (problem !== undefined) throw invalidField("score", problem);
    return toStep(rules, score);
  }
  if (columns === undefined) throw invalidField("columns", "this leaderboard has no columns; give a number");
  try {
    return packColumns(order, columns, score);
  } catch (cause) {
    throw invalidField("columns", (cause as RangeError).message, cause);
  }
}
