/** The rank that a score would have, worked out on the device. */
import { getDoc, getDocs, Timestamp } from "firebase/firestore";
import { packColumns } from "../../functions/src/model/columns.ts";
import { scoreProblem } from "../../functions/src/model/score.ts";
import { covers } from "../../functions/src/ranking/lookup.ts";
import { emptyPage } from "../../functions/src/ranking/page-memory.ts";
import type { WatchedRank } from "./answers.ts";
import { FirerankError, invalidField, leaderboardNotFound, toFirerankError } from "./firerank-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import {
  definitionDocument,
  forgetRules,
  keepPage,
  keepRules,
  pageInMemory,
  pageQuery,
  rankIn,
  type Rules,
  rulesInMemory,
  type StoredPage,
} from "./stored.ts";

/**
 * The rank that a score has in the published ranking, whether somebody has it or not: no function is called, nothing
 * is submitted.
 *
 * Cost: 1 read, and 1 for the board's definition the first time; 0 while the page is in memory, until the next
 * publication is due. Offline it answers from Firestore's cache where that holds the page.
 * @param score a number, or on a board of several columns each by its name.
 * @throws FirerankError
 */
export async function rankOf(
  board: Leaderboard,
  score: number | Readonly<Record<string, number>>,
): Promise<WatchedRank> {
  try {
    const rules = rulesInMemory(board) ?? (await readRules(board));
    const number = numberOf(rules, score);
    const inMemory = pageInMemory(board, rules.order, number);
    if (inMemory !== undefined) return rankIn(board, rules, inMemory, number, false);
    return await readRank(board, rules, number);
  } catch (error) {
    throw toFirerankError("rankOf", error);
  }
}

async function readRules(board: Leaderboard): Promise<Rules> {
  const found = await getDoc(definitionDocument(board));
  if (!found.exists()) throw leaderboardNotFound(board.id);
  const rules = found.data() as Rules;
  if (!found.metadata.fromCache) keepRules(board, rules);
  return rules;
}

async function readRank(board: Leaderboard, rules: Rules, score: number): Promise<WatchedRank> {
  const { docs, metadata } = await getDocs(pageQuery(board, rules.order, score));
  const page = docs[0]?.data() as StoredPage | undefined;
  if (page !== undefined && covers(rules.order, page, score)) {
    if (!metadata.fromCache) keepPage(board, page);
    return rankIn(board, rules, page, score, metadata.fromCache);
  }
  if (metadata.fromCache) {
    const message =
      "The device is offline, and the part of the ranking that the score is in was not read before.";
    throw new FirerankError("unavailable", message);
  }
  forgetRules(board);
  return rankIn(board, rules, emptyPage(rules.order, Timestamp.now()), score, false);
}

function numberOf({ order, columns }: Rules, score: number | Readonly<Record<string, number>>): number {
  if (typeof score !== "object") {
    const problem = scoreProblem(score);
    if (problem !== undefined) throw invalidField("score", problem);
    return 0 + score;
  }
  if (columns === undefined) throw invalidField("columns", "this leaderboard has no columns; give a number");
  try {
    return packColumns(order, columns, score);
  } catch (cause) {
    throw invalidField("columns", (cause as RangeError).message, cause);
  }
}
