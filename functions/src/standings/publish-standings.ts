/** Publishes pages, top and season from the standings: at the end, after a revision, and to mend pages. */
import { type DocumentSnapshot, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  pagePath,
  type SeasonKey,
  seasonPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { type Season, readSeason } from "../documents/season.ts";
import { valuesIn } from "../documents/segment-page.ts";
import { numbersOf, type StandingsSummary, storedStandingsSummary } from "../documents/standings.ts";
import { standingsReadAtOnce } from "../model/limits.ts";
import { planReplacement } from "../ranking/publication.ts";
import { writeReplacement } from "../ranking/publish.ts";
import { createMarkFold, noneChanged, type Ranked } from "../ranking/ranked.ts";
import { teamSegments } from "../ranking/totals.ts";
import { segmentNames } from "../model/definition.ts";
import { isSegmentText } from "../model/segments.ts";
import { pagesAt } from "../documents/pages-at.ts";
import { asOf, documentsAt } from "../documents/reads.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { type Board, type OpenedBoard, withSeason } from "../seasons/read-board.ts";
import { createSums, type Sums } from "./pack.ts";
import { readSummary } from "./summary.ts";
import { readTopPlayers } from "../top/document.ts";
import { eventsOfTop } from "../top/tell-top.ts";
import { tryAgain } from "../world/try-again.ts";
import type { Services } from "../world/services.ts";
import { finalTablesOf } from "./final-tables.ts";

/** All of a season's standings as of one moment, as a publication needs them. */
export type StandingsReading = Awaited<ReturnType<typeof readForPublication>>;

/** What a season that has closed shows, as of one time. Cost: 2 reads, 1 a page and 1 a page of segments. */
export async function readPublished({ db }: Pick<Services, "db">, key: SeasonKey) {
  const season = await db.doc(seasonPath(key)).get();
  const { readTime: readAt } = season;
  const { pages, segmentPages } = await pagesAt(db, key, readAt, season.get("ranking.generation"));
  const { summary } = await asOf(db, readAt, (transaction) => readSummary(db, key, transaction));
  return { season, readAt, pages, segmentPages, summary };
}

/**
 * Adds up the standings of some ranges as of one time. Cost: 1 read for each 1,000 players. Memory: as a fold's, for as
 * many different scores as there are.
 * @param standings their ranges, and the pages of segments that were published: what they rank keeps its place.
 * @param use called with each document in order; `onProgress` with the number of players so far.
 * @returns the ranking that the players make, the sums for a summary, and the paths of documents that are missing.
 */
export async function addUpStandings(
  { db }: Pick<Services, "db">,
  { key, definition }: Pick<Board, "key" | "definition">,
  { ranges, readAt, segmentPages }: RangesRead,
  { use, onProgress }: { use?: (document: DocumentSnapshot) => Promise<void>; onProgress?: OnProgress },
): Promise<{ ranked: Ranked; sums: Sums; missing: string[] }> {
  const fold = createMarkFold(definition.order);
  const sums = createSums();
  const missing: string[] = [];
  let players = 0;
  const fields = use === undefined ? { fieldMask: ["scores", "segments"] } : {};
  const refs = numbersOf({ ranges }).map((n) => db.doc(standingsPath(key, n)));
  for (let start = 0; start < refs.length; start += standingsReadAtOnce) {
    const some = refs.slice(start, start + standingsReadAtOnce);
    const chunk = await asOf(db, readAt, (transaction) => transaction.getAll(...some, fields));
    for (const document of chunk) {
      if (!document.exists) missing.push(document.ref.path);
      const scores = (document.get("scores") as number[] | undefined) ?? [];
      const segments = (document.get("segments") as string[] | undefined) ?? [];
      for (const [i, score] of scores.entries())
        fold.add({ score, segments: (segments[i] ?? "").split(" ").filter(isSegmentText) }, 1);
      sums.add(scores);
      players += scores.length;
    }
    await Promise.all(chunk.map(async (document) => use?.(document)));
    await onProgress?.(players);
  }
  return {
    ranked: fold.finish({
      names: segmentNames(definition),
      kept: valuesIn(segmentPages),
      teams: teamSegments(definition),
    }),
    sums: sums.finish(),
    missing,
  };
}

interface RangesRead extends Pick<Awaited<ReturnType<typeof readPublished>>, "readAt" | "segmentPages"> {
  ranges: StandingsSummary["ranges"];
}

type OnProgress = ((players: number) => Promise<void>) | undefined;

/**
 * Reads all standings. Cost: {@link readPublished} and {@link addUpStandings}.
 * @param written the ranges of standings that have no summary yet; they have no `revisions` either.
 */
export async function readForPublication(
  services: Pick<Services, "db">,
  board: Pick<Board, "key" | "definition">,
  written: StandingsSummary["ranges"] = [],
  onProgress?: OnProgress,
) {
  const { readAt, pages, segmentPages, summary } = await readPublished(services, board.key);
  const ranges = summary?.ranges ?? written;
  const rangesRead = { ranges, readAt, segmentPages };
  const { ranked, sums, missing } = await addUpStandings(services, board, rangesRead, { onProgress });
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: missing in the standings`);
  return { readAt, ranked, sums, ranges, revisions: summary?.revisions, pages, segmentPages };
}

/**
 * Publishes the standings of a closed season. Cost: {@link readForPublication}, 5 reads and the reads of the top; writes the
 * pages, the top and the season. The same commit says which revision the pages show; if another revision has come meanwhile, a
 * step of the end is due, which publishes that.
 */
export async function publishStandings(
  services: Services,
  board: Board,
  onProgress?: OnProgress,
): Promise<void> {
  const { key } = board;
  await tryAgain(services, async () => {
    const reading = await readForPublication(services, board, [], onProgress);
    await services.db.runTransaction(async (transaction) => {
      const found = await readReplaced(services, transaction, board, reading);
      if (found?.season.status !== "closed") return;
      // Somebody who has read a newer revision was faster.
      if ((reading.revisions ?? 0) < (found.season.published_revisions ?? 0)) return;
      writePublication(services, transaction, withSeason(board, found.season), reading, found);
    });
  });
  boardCacheOf(services).forgetSeason(key);
}

/** What a publication replaces, and the season and its revision as they are now. */
export async function readReplaced(
  services: Services,
  transaction: Transaction,
  { key, definition }: Pick<Board, "key" | "definition">,
  { pages: found, segmentPages }: StandingsReading,
) {
  const pages = [...found, ...segmentPages];
  const paths = [seasonPath(key), standingsSummaryPath(key), pagePath(key, 0)] as const;
  const [document, summary, first] = await documentsAt(services.db, paths, transaction);
  if (!document.exists || !summary.exists) return undefined;
  const season = readSeason(document.data());
  const { revisions, players } = storedStandingsSummary.parse(summary.data());
  const top = await readTopPlayers(services.db, transaction, { key, definition }, finalTablesOf(services));
  return { season, revisions, players, pages, first, top };
}

/** Adds the publication of standings to a transaction that has read what it replaces. */
export function writePublication(
  { db, now }: Services,
  transaction: Transaction,
  board: OpenedBoard,
  { ranked, readAt, revisions: shown = 0 }: StandingsReading,
  found: NonNullable<Awaited<ReturnType<typeof readReplaced>>> & { fields?: Partial<Season> },
): void {
  const { season, top, revisions } = found;
  const { unusable_scores: unusable, generation } = season.ranking;
  const remade = { ranked, readAt, pending: noneChanged, asOf: readAt, unusable };
  const next = planReplacement(board, remade, found, now());
  // The commit that closes the season tells what its last scores have changed in the top.
  const events = eventsOfTop(withSeason(board, season), top.document, next.top, generation === 0);
  const behind = revisions > shown ? { end_due_at: Timestamp.fromMillis(now()) } : {};
  const fields = { revisions, published_revisions: shown, ...found.fields, ...behind };
  writeReplacement(db, transaction, { ...next, events, season: { ...next.season, ...fields } }, found);
}
