/**
 * A closed season's standings as an instance reads them: the summary and some documents in memory, each read once for
 * all waiting requests.
 *
 * Everything in an answer belongs to one moment, the read of the summary. A document that has changed since means that
 * the standings were revised; then the summary is read again, and the answer starts over. So no list shows a player
 * twice or a wrong one, however old the memory is. If no document shows the revision, the season in memory does, within
 * a minute: a summary in memory belongs to a revision and a generation, which the season names.
 */
import type { Timestamp, Transaction } from "../documents/firestore.ts";
import { seasonPath, type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { readTogether } from "../documents/reads.ts";
import { readSeason, type Season } from "../documents/season.ts";
import {
  type Standings,
  type StandingsMetadata,
  storedStandings,
  storedStandingsMetadata,
} from "../documents/standings.ts";
import { FirerankError } from "../model/errors.ts";
import { generationAttemptsMax, sharedReadsMax } from "../model/limits.ts";
import { bestPossible } from "../model/score.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { indexOfStandings, type StandingsIndex, type StandingsPart } from "./lookup.ts";
import { readSummary } from "./summary.ts";
import { createSharedReads, type SharedReads } from "../world/shared-reads.ts";
import { pageCacheOf } from "../reading/page-cache.ts";
import type { Services } from "../world/services.ts";

export interface StandingsView {
  index: StandingsIndex;
  /** When they were written or last revised, and how often that was. */
  asOf: Timestamp;
  revisions: number;
  /** The standings are not older than this generation. */
  generation: number;
  /** Whether the summary was read after the request, so that what is not found does not exist. */
  isNew: boolean;
  /** A document's players. Cost: 1 read, shared by all waiting requests; 0 while in memory. */
  document(part: StandingsPart): Promise<Standings>;
  metadata(part: StandingsPart): Promise<StandingsMetadata>;
}

/** Thrown if the summary is older than other documents that were read. */
export class StandingsRevised extends Error {}

interface SummaryRead extends Omit<StandingsView, "isNew" | "document" | "metadata"> {
  readTime: Timestamp;
}

/** Only admins revise standings, and an instance that sees a revision reads them again. */
const standingsKeptMs = 3_600_000;

/** Documents whose numbers an instance keeps, from their summaries: 50 million players, about 5 MB. */
const standingsIndexedMax = 50_000;

/** Bytes of standings, and the same again for their metadata: about 80,000 players. */
const standingsKeptBytes = 16 * 1_048_576;

export type StandingsReads = ReturnType<typeof createStandingsReads>;

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createStandingsReads(services: Services) {
  const { db, now } = services;
  const pages = pageCacheOf(services);
  const memory = <Value>(max: number, of: (value: Value) => number) =>
    createSharedReads<Value>({ now, max: sharedReadsMax, keepMs: standingsKeptMs, sizes: { max, of } });
  const summaries = memory<SummaryRead>(standingsIndexedMax, ({ index }) => 1 + index.parts.length);
  const renewals = createSharedReads<SummaryRead>({ now, max: sharedReadsMax, keepMs: 0 });
  const documents = memory<Standings>(standingsKeptBytes, bytesOf);
  const metadata = memory<StandingsMetadata>(standingsKeptBytes, (beside) => bytesOfTexts(beside.metadata));

  /** Reads a summary that is not older than a generation. Cost: 1 read; 1 for the season unless a generation is known. */
  function read(key: SeasonKey, known?: number): Promise<SummaryRead> {
    return readTogether(db, async (transaction) => {
      const generation = known ?? (await generationIn(transaction, key));
      const { summary, found } = await readSummary(db, key, transaction);
      if (summary === undefined) {
        const message = `${seasonPath(key)} is closed, and has no ${found.ref.path}`;
        throw known === undefined ? new Error(message) : new StandingsRevised(message);
      }
      const { as_of: asOf, revisions } = summary;
      const index = indexOfStandings(summary);
      return { index, asOf, revisions, generation, readTime: found.readTime };
    });
  }

  /** The generation of a season that is still there. Cost: 1 read. */
  async function generationIn(transaction: Transaction, key: SeasonKey): Promise<number> {
    const found = await transaction.get(db.doc(seasonPath(key)));
    const { status, ranking } = found.exists ? readSeason(found.data()) : {};
    if (ranking !== undefined && status !== "deleting") return ranking.generation;
    throw new FirerankError(
      "season_not_found",
      `Leaderboard "${key.leaderboard}" has no season "${key.season}" any more.`,
    );
  }

  /** A summary whose read began after another, with the season. Cost: 2 reads, shared by all waiting requests. */
  async function renew(name: string, key: SeasonKey, lastRead: number): Promise<SummaryRead> {
    const { value, began } = await renewals.get(name, () => read(key));
    if (began <= lastRead) return renew(name, key, lastRead);
    summaries.keep(name, value);
    return value;
  }

  /** The newest known generation of a season: from its document or, if the caller knows a newer one, from a page. */
  async function generationOf({ key, definition, season }: OpenedBoard, minGeneration = 0): Promise<number> {
    const { generation } = season.ranking;
    if (minGeneration <= generation) return generation;
    const { order } = definition;
    const page = await pages.pageOf(key, order, bestPossible(order), minGeneration);
    return Math.max(generation, page.generation);
  }

  function viewOf(
    { key }: OpenedBoard,
    { readTime, ...summary }: SummaryRead,
    isNew: boolean,
  ): StandingsView {
    async function unchanged<Value>(
      memory: SharedReads<Value>,
      path: string,
      parse: (data: unknown) => Value,
    ): Promise<Value> {
      const { value } = await memory.get(`${path} ${readTime.valueOf()}`, async () => {
        const document = await db.doc(path).get();
        const { updateTime } = document;
        if (updateTime === undefined || updateTime.valueOf() > readTime.valueOf())
          throw new StandingsRevised(`${path} changed after its summary was read`);
        return parse(document.data());
      });
      return value;
    }
    return {
      ...summary,
      isNew,
      document({ n, players }) {
        const path = standingsPath(key, n);
        return unchanged(documents, path, (data) => {
          const standings = storedStandings.parse(data);
          if (standings.players.length === players) return standings;
          throw new Error(`${path} has ${standings.players.length} players, and by its summary ${players}`);
        });
      },
      metadata: ({ n }) =>
        unchanged(metadata, standingsMetadataPath(key, n), (data) => storedStandingsMetadata.parse(data)),
    };
  }

  const nameOf = (key: SeasonKey, { closed_at: closedAt, revisions = 0 }: Season, generation: number) =>
    `${seasonPath(key)} ${closedAt?.toMillis() ?? 0} ${generation} ${revisions}`;

  return {
    /**
     * Whether a document of standings belongs to the table of a closed season. Until the season is cleared, standings that
     * were begun as of another time are beside it. Cost: 1 read for the summary, shared by all waiting requests; 0 while in
     * memory, and once the season is cleared.
     */
    async isInTable({ key, season }: { key: SeasonKey; season: Season }, n: number): Promise<boolean> {
      if (season.cleared_at !== null) return true;
      const { generation } = season.ranking;
      try {
        const name = nameOf(key, season, generation);
        const { value } = await summaries.get(name, () => read(key, generation));
        return value.index.parts.some((part) => part.n === n);
      } catch (error) {
        // The season is being deleted, and its summary is gone.
        if (error instanceof StandingsRevised) return false;
        throw error;
      }
    },
    /**
     * Answers from the standings of a closed season.
     *
     * Cost: 1 read for the summary, shared by all waiting requests; 0 while in memory. For each revision of the standings
     * since, 2 more reads, and the reads of the answer again.
     * @param answer throws {@link StandingsRevised} to be called again with a newer summary.
     * @throws `season_not_found` if the season is being deleted; `contention` if revisions do not stop.
     */
    async answer<Answer>(
      board: OpenedBoard,
      minGeneration: number | undefined,
      answer: (standings: StandingsView) => Promise<Answer>,
    ): Promise<Answer> {
      const { key, season } = board;
      const generation = await generationOf(board, minGeneration);
      const name = nameOf(key, season, generation);
      let lastRead = renewals.lastRead();
      for (let attempt = 1; attempt <= generationAttemptsMax; attempt++) {
        const before = lastRead;
        lastRead = renewals.lastRead();
        const isNew = attempt > 1;
        try {
          const summary = isNew
            ? await renew(name, key, before)
            : (await summaries.get(name, () => read(key, generation))).value;
          return await answer(viewOf(board, summary, isNew));
        } catch (error) {
          if (!(error instanceof StandingsRevised)) throw error;
        }
      }
      throw new FirerankError("contention", `The standings of season "${key.season}" are being revised.`);
    },
  };
}

/** Bytes in memory, roughly: each player's two texts, score and time, with overhead. */
function bytesOf({ players, display_names: names }: Standings): number {
  return players.length * 128 + bytesOfTexts([...players, ...names]);
}

function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + 16 + length, 1);
}
