/**
 * A closed season's standings as an instance reads them: the summary and some documents in memory, each read once for
 * all waiting requests.
 *
 * Everything in an answer belongs to one moment, the read of the summary: a document that has not changed since then is
 * as it was. A document that has changed means that the standings were revised; then the summary is read again, and the
 * answer starts over. So removing a player never makes a list show a player twice or a wrong one, however old the
 * memory is. If no document shows the revision, the season in memory does, within a minute: a summary in memory
 * belongs to a revision, which the season names, and to a generation.
 */
import type { DocumentSnapshot, Firestore, Timestamp } from "../documents/firestore.ts";
import {
  seasonPath,
  type SeasonKey,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { readSeason } from "../documents/season.ts";
import {
  type Standings,
  storedStandings,
  storedStandingsMetadata,
  storedStandingsSummary,
} from "../documents/standings.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError } from "../model/errors.ts";
import {
  generationAttemptsMax,
  sharedReadsMax,
  standingsIndexedMax,
  standingsKeptBytes,
  standingsKeptMs,
} from "../model/limits.ts";
import { bestPossible, type Order } from "../model/score.ts";
import type { Board, OpenedBoard } from "../seasons/board.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { indexOfStandings, type StandingsIndex, type StandingsPart } from "./standings-lookup.ts";

/** The standings of a closed season as of one moment. */
export interface StandingsView {
  index: StandingsIndex;
  /** When they were written or last revised, and how often that was. */
  asOf: Timestamp;
  revisions: number;
  /** The order of equal scores in them; the board's own setting may have changed since. */
  ties: Definition["ties"];
  /** The standings are not older than this generation. */
  generation: number;
  /** Whether the summary was read after the request, so that what is not found does not exist. */
  isNew: boolean;
  /** A document's players. Cost: 1 read, shared by all waiting requests; 0 while in memory. */
  document(part: StandingsPart): Promise<Standings>;
  /** Their metadata as JSON, if the document has any. Cost: likewise. */
  metadata(part: StandingsPart): Promise<readonly string[]>;
}

export interface StandingsReads {
  /**
   * Answers from the standings of a closed season.
   *
   * Cost: 1 read for the summary, shared by all waiting requests; 0 while in memory. For each revision of the standings
   * since, 2 more reads, and those of the answer again.
   * @param minGeneration a generation that the caller has seen: if it is published, the standings are not older.
   * @param answer throws {@link StandingsRevised} to be called again with a newer summary. It may be called several
   * times.
   * @throws `season_not_found` if the season is being deleted; `contention` if revisions do not stop.
   */
  answer<Answer>(
    board: ClosedBoard,
    minGeneration: number | undefined,
    answer: (standings: StandingsView) => Promise<Answer>,
  ): Promise<Answer>;
}

/** A board whose season has closed. */
export type ClosedBoard = OpenedBoard;

/** Whether a board's season has closed, so that its standings give the answers. */
export function isClosed(board: Board): board is ClosedBoard {
  return board.season?.status === "closed";
}

/** Thrown if the summary is older than other documents that were read. */
export class StandingsRevised extends Error {}

interface Parts {
  db: Firestore;
  now: () => number;
  pages: {
    pageOf(
      key: SeasonKey,
      order: Order,
      score: number,
      minGeneration: number,
    ): Promise<{ generation: number }>;
  };
}

/** A summary as it was read. */
interface SummaryRead extends Omit<StandingsView, "ties" | "isNew" | "document" | "metadata"> {
  ties: Definition["ties"] | undefined;
  readTime: Timestamp;
}

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createStandingsReads({ db, now, pages }: Parts): StandingsReads {
  const kept = { now, max: sharedReadsMax, keepMs: standingsKeptMs };
  const summaries = createSharedReads<SummaryRead>({
    ...kept,
    sizes: { max: standingsIndexedMax, of: ({ index }) => 1 + index.parts.length },
  });
  const renewals = createSharedReads<SummaryRead>({ now, max: sharedReadsMax, keepMs: 0 });
  const documents = createSharedReads<Standings>({
    ...kept,
    sizes: { max: standingsKeptBytes, of: bytesOf },
  });
  const metadata = createSharedReads<readonly string[]>({
    ...kept,
    sizes: { max: standingsKeptBytes, of: (texts) => 1 + bytesOfTexts(texts) },
  });

  async function readSummary(key: SeasonKey, generation: number): Promise<SummaryRead> {
    return summaryIn(await db.doc(standingsSummaryPath(key)).get(), generation);
  }

  /** A summary that was read after the `mark`. Cost: 2 reads, shared by all waiting requests. */
  async function renew(name: string, key: SeasonKey, mark: number): Promise<SummaryRead> {
    for (;;) {
      const { value, began } = await renewals.get(name, () => readWithSeason(key));
      if (began <= mark) continue;
      summaries.keep(name, value);
      return value;
    }
  }

  /** Reads both at one time, so that the summary is not older than the season's generation. */
  async function readWithSeason(key: SeasonKey): Promise<SummaryRead> {
    const [season, summary] = await db.getAll(db.doc(seasonPath(key)), db.doc(standingsSummaryPath(key)));
    const { status, ranking } = season?.exists === true ? readSeason(season.data()) : {};
    if (ranking === undefined || status === "deleting") {
      throw new FirerankError(
        "season_not_found",
        `Leaderboard "${key.leaderboard}" has no season "${key.season}" any more.`,
      );
    }
    if (summary?.exists !== true)
      throw new Error(`${seasonPath(key)} is closed, and has no ${standingsSummaryPath(key)}`);
    return summaryIn(summary, ranking.generation);
  }

  /** The newest known generation of a season: from its document or, if the caller knows a newer one, from a page. */
  async function generationOf({ key, definition, season }: ClosedBoard, minGeneration = 0): Promise<number> {
    const { generation } = season.ranking;
    if (minGeneration <= generation) return generation;
    const { order } = definition;
    const page = await pages.pageOf(key, order, bestPossible(order), minGeneration);
    return Math.max(generation, page.generation);
  }

  async function readUnchanged(path: string, { readTime }: SummaryRead): Promise<DocumentSnapshot> {
    const document = await db.doc(path).get();
    const { updateTime } = document;
    if (updateTime === undefined || updateTime.valueOf() > readTime.valueOf())
      throw new StandingsRevised(`${path} changed after its summary was read`);
    return document;
  }

  function viewOf({ key, definition }: ClosedBoard, summary: SummaryRead, isNew: boolean): StandingsView {
    const { readTime, ties = definition.ties, ...rest } = summary;
    const named = (path: string) => `${path} ${readTime.valueOf()}`;
    return {
      ...rest,
      ties,
      isNew,
      async document({ n, players }) {
        const path = standingsPath(key, n);
        const { value } = await documents.get(named(path), async () => {
          const standings = storedStandings.parse((await readUnchanged(path, summary)).data());
          if (standings.players.length === players) return standings;
          throw new Error(`${path} has ${standings.players.length} players, and by its summary ${players}`);
        });
        return value;
      },
      async metadata({ n }) {
        const path = standingsMetadataPath(key, n);
        const { value } = await metadata.get(named(path), async () => {
          return storedStandingsMetadata.parse((await readUnchanged(path, summary)).data()).metadata;
        });
        return value;
      },
    };
  }

  return {
    async answer(board, minGeneration, answer) {
      const { key, season } = board;
      const generation = await generationOf(board, minGeneration);
      const { closed_at: closedAt, revisions = 0 } = season;
      const name = `${seasonPath(key)} ${closedAt?.toMillis() ?? 0} ${generation} ${revisions}`;
      let mark = renewals.mark();
      for (let attempt = 1; attempt <= generationAttemptsMax; attempt++) {
        const since = mark;
        mark = renewals.mark();
        const isNew = attempt > 1;
        try {
          const summary = isNew
            ? await renew(name, key, since)
            : (await summaries.get(name, () => readSummary(key, generation))).value;
          return await answer(viewOf(board, summary, isNew));
        } catch (error) {
          if (!(error instanceof StandingsRevised)) throw error;
        }
      }
      throw new FirerankError("contention", `The standings of season "${key.season}" are being revised.`);
    },
  };
}

/** @throws StandingsRevised if there is none: the season may be being deleted. */
function summaryIn(document: DocumentSnapshot, generation: number): SummaryRead {
  if (!document.exists) throw new StandingsRevised(`${document.ref.path} is gone`);
  const summary = storedStandingsSummary.parse(document.data());
  const { as_of: asOf, revisions, ties } = summary;
  return { index: indexOfStandings(summary), asOf, revisions, ties, generation, readTime: document.readTime };
}

/** Bytes in memory, roughly: each player's two texts, score and time, with overhead. */
function bytesOf({ players, display_names: names }: Standings): number {
  return 1 + players.length * 128 + bytesOfTexts(players) + bytesOfTexts(names);
}

function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + 16 + length, 0);
}
