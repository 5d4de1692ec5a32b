/** The documents that a device reads from Firestore itself, and what an app remembers of these documents while it runs. */
import {
  collection,
  doc,
  type DocumentData,
  type DocumentReference,
  type Firestore,
  getFirestore,
  limit,
  orderBy,
  type Query,
  query,
  type QuerySnapshot,
  type Timestamp,
  where,
} from "firebase/firestore";
import { covers, type PageRead } from "../../functions/src/documents/page-bounds.ts";
import { definitionPath, pagesPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { Definition as FullDefinition } from "../../functions/src/model/definition.ts";
import { overduePageMs } from "../../functions/src/model/limits.ts";
import type { Order } from "../../functions/src/model/score.ts";
import { placesIn } from "../../functions/src/reading/lookup.ts";
import { createPageMemory, type PageMemory } from "../../functions/src/reading/page-memory.ts";
import { rankOf } from "../../functions/src/reading/rank.ts";
import type { WatchedRank } from "./answers.ts";
import type { Definition } from "./definition.ts";
import { type Generations, generationsOf } from "./generations.ts";
import { noSpans, requireId } from "./firerank-error.ts";
import { type Leaderboard, type SeasonBoard, seasonOf } from "./leaderboard.ts";
import { type DeviceTime, deviceTime, elapsedMs } from "./server-clock.ts";

/** The fields of a board's definition on which ranks and places on the device depend. */
export type Rules = Pick<FullDefinition, "order" | "ties" | "columns" | "decimals" | "tiers"> & {
  /** The first span; undefined on a board with tournaments only. */
  span: string | undefined;
};

export type StoredPage = PageRead<Timestamp>;

/**
 * When something was kept. Its age goes by both of the device's clocks: the date may have been hours ahead then, and right
 * since.
 */
interface Kept {
  keptAt: DeviceTime;
}

/** What an app remembers of a database. */
interface DocumentMemory {
  /** By the board's id, its rules, and whether its order of scores is final. */
  rules: Map<string, { rules: Rules; isFinal: boolean } & Kept>;
  pages: PageMemory<StoredPage & Kept>;
}

/** How many pages are kept: an app asks about a few scores, and each page takes about 10 KB of memory. */
const pagesMax = 64;

/**
 * How long rules are kept, as an admin may change the tiers at any time, and a page of a closed season: it is the last, unless
 * an admin removes a player. One read an hour notices the change.
 */
const keptMs = 3_600_000;

/**
 * Options with which Firestore also calls a listener when data begins or ceases to come from the cache. This costs no read.
 */
export const changesOfMetadataToo = { includeMetadataChanges: true } as const;

const memories = /* @__PURE__ */ new WeakMap<Firestore, DocumentMemory>();

/** @throws `invalid_request` for a board's id that would lead to another document, or to none */
export function firestoreOf({ app, id, firestore, database }: Leaderboard): Firestore {
  requireId("leaderboard", id);
  return firestore ?? (database ? getFirestore(app, database) : getFirestore(app));
}

function documentMemoryOf(board: Leaderboard): DocumentMemory {
  const db = firestoreOf(board);
  const known = memories.get(db);
  if (known !== undefined) return known;
  const pages = createPageMemory<StoredPage & Kept>({
    now: () => Date.now(),
    lastRead: () => deviceTime().steady_ms,
    sizeMax: pagesMax,
    // Nothing follows the pages of a closed season.
    dueMsOf: (_, { page }) => (page.final ? Infinity : undefined),
  });
  const memory: DocumentMemory = { rules: new Map(), pages };
  memories.set(db, memory);
  return memory;
}

export function seasonDocument(board: Leaderboard, season: string): DocumentReference {
  return doc(firestoreOf(board), seasonPath({ leaderboard: board.id, season }));
}

export function definitionDocument(board: Leaderboard): DocumentReference {
  return doc(firestoreOf(board), definitionPath(board.id));
}

/**
 * The rules in a stored definition. A trusted server may have left fields out. Such fields have the defaults of
 * functions/src/model/definition.ts.
 */
export function rulesIn(stored: DocumentData): Rules {
  const { order = "descending", ties = "first", columns, decimals, tiers, spans } = stored as Definition;
  return {
    order,
    ties,
    span: (spans ?? ["all_time"])[0],
    columns: columns?.map((column) => ({ ...column, order: column.order ?? "descending" })),
    decimals,
    tiers,
  };
}

const isYounger = ({ keptAt }: Kept, ms: number) => elapsedMs(keptAt, deviceTime()) < ms;

/** The rules of a board whose definition was read in the last hour, and whether its order of scores is final. */
function keptRules(board: Leaderboard) {
  const kept = documentMemoryOf(board).rules.get(board.id);
  return kept !== undefined && isYounger(kept, keptMs) ? kept : undefined;
}

/** The rules of a board with a ranking, if its definition was read in the last hour. */
export function rulesInMemory(board: Leaderboard): Rules | undefined {
  const kept = keptRules(board);
  return kept?.isFinal === true ? kept.rules : undefined;
}

/** The first span of a board, with or without a ranking, if its definition was read in the last hour. */
export function spanInMemory(board: Leaderboard): string | undefined {
  return keptRules(board)?.rules.span;
}

/**
 * Remembers a board's rules for an hour. @param isFinal whether the board has a page, as its order of scores is final then.
 */
export function keepRules(board: Leaderboard, rules: Rules, isFinal: boolean): void {
  documentMemoryOf(board).rules.set(board.id, { rules, isFinal, keptAt: deviceTime() });
}

/** Forgets the rules of a board that turned out to have no ranking: its order may change before the first score. */
export function forgetRules(board: Leaderboard): void {
  const kept = keptRules(board);
  if (kept !== undefined) kept.isFinal = false;
}

/** The board with its first span. @throws `season_not_found` if the board has no span */
export function ofFirstSpan(board: Leaderboard, { span }: Rules): Leaderboard & { span: string } {
  if (span !== undefined) return { ...board, span };
  throw noSpans(board);
}

/**
 * The query for the page that covers a score, as in functions/src/documents/queries.ts. The security rules require the
 * limit.
 */
export function pageQuery(board: SeasonBoard, order: Order, score: number): Query {
  const descending = order === "descending";
  return query(
    collection(firestoreOf(board), pagesPath(seasonOf(board))),
    where("from_score", descending ? ">=" : "<=", score),
    orderBy("from_score", descending ? "asc" : "desc"),
    limit(1),
  );
}

/**
 * The page that covers a score, if {@link pageQuery} has found it. From the cache the query may find another page, as the cache
 * has only pages that were read before.
 */
export function pageIn({ docs }: QuerySnapshot, order: Order, score: number): StoredPage | undefined {
  const page = docs[0]?.data() as StoredPage | undefined;
  return page !== undefined && covers(order, page, score) ? page : undefined;
}

/**
 * The page that covers a score, if the page is in memory, and no newer page is due or was seen. It is never used longer than
 * from one publication to the next, whatever the device's date says; a page of a closed season for an hour.
 */
export function pageInMemory(board: SeasonBoard, order: Order, score: number): StoredPage | undefined {
  const page = documentMemoryOf(board).pages.find(seasonPath(seasonOf(board)), order, score);
  if (page === undefined || page.generation < (generationsOf(board).seen ?? 0)) return undefined;
  // By a date that is hours behind, its successor is due hours late.
  const intervalMs = page.next_publish_at.toMillis() - page.as_of.toMillis();
  return isYounger(page, page.final ? keptMs : Math.max(overduePageMs, intervalMs)) ? page : undefined;
}

/**
 * Remembers a page that came from the server.
 * @param before what was known of the generations when the page was requested; by default what is known now.
 * @param askedMs when the page was requested, by the device's steady clock; by default now.
 */
export function keepPage(
  board: SeasonBoard,
  page: StoredPage,
  before: Generations = generationsOf(board),
  askedMs?: number,
): void {
  documentMemoryOf(board).pages.keep(seasonPath(seasonOf(board)), { ...page, keptAt: deviceTime() }, askedMs);
  before.saw(page.generation);
}

/** The rank of a score, or of a player who has it, in a page that covers it. Once the season has closed, the page has the tiers. */
export function rankIn(
  board: SeasonBoard,
  rules: Rules,
  page: StoredPage,
  { score, player, fromCache }: { score: number; player?: string; fromCache: boolean },
): WatchedRank {
  const places = placesIn(rules.order, page);
  const { tiers } = page.final ?? rules;
  return { ...rankOf(seasonOf(board), { ...rules, tiers }, places, score, player), from_cache: fromCache };
}
