/**
 * All that is stored about one player on a board: what `removePlayer` erases. Everything is read in the transaction that
 * is given.
 */
import {
  type DocumentSnapshot,
  type Firestore,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { boardEvent, eventNaming, nameInEvents } from "../documents/event.ts";
import {
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  standingsMetadataPath,
  topPath,
} from "../documents/paths.ts";
import { plainJson } from "../documents/plain-json.ts";
import { idsIn } from "../documents/reads.ts";
import { eventsWith, newestStandings, standingsWith } from "../documents/queries.ts";
import { splitTop } from "../documents/top.ts";
import { indexOfStandings } from "../standings/lookup.ts";
import { fieldsOf, placesOf } from "../standings/pack.ts";
import { packedIn, readSummary } from "../standings/summary.ts";
import type { Stretch } from "../seasons/stretch.ts";

/** The status that a board keeps for the player, for seasons to come. */
export interface StatusStored {
  leaderboard: string;
  /** The path of the document. */
  document: string;
  /** Its fields. */
  status: unknown;
}

/** What a season has of the player. */
export interface SeasonStored {
  leaderboard: string;
  season: string;
  span: string;
  /**
   * As stored: `open`, `closing` or `closed`; `open` for a season that no score has opened yet. Span and status are
   * `unknown` where the season's document was deleted by hand.
   */
  status: string;
  opens_at: string | null;
  closes_at: string | null;
  /** The paths of the documents that have what follows. */
  documents: string[];
  /** The player's document, with all of its fields. */
  player?: Record<string, unknown>;
  /** The player's line in the top. */
  top?: Record<string, unknown>;
  /** The player's line in final standings. */
  standing?: {
    rank: number;
    position: number;
    /** In the standings, in all. */
    players: number;
    score: number;
    achieved_at: string;
    display_name?: string;
    metadata?: unknown;
  };
}

/** An event that names the player, without the others whom it names. */
export interface EventStored {
  leaderboard: string;
  /** The path of the document. */
  document: string;
  event: Record<string, unknown>;
}

/** Whose documents are read, and how. */
export interface PlayerReads {
  db: Firestore;
  transaction: Transaction;
  player: string;
}

/** Cost: 1 read. */
export async function statusStored(
  { db, transaction, player }: PlayerReads,
  leaderboard: string,
): Promise<StatusStored | undefined> {
  const found = await transaction.get(db.doc(playerStatusPath(leaderboard, player)));
  const fields = found.data();
  if (fields === undefined) return undefined;
  const { status } = plainJson(fields);
  return { leaderboard, document: found.ref.path, status };
}

/** Seasons read at once: each may have a top of a megabyte. */
const exportedAtOnce = 8;

/**
 * The seasons of a board by id, above `after`, at most `limit`, each with what it has of the player, if anything; those
 * that run now also where no score has opened them yet, as a trusted server may have written a document, and those whose
 * document was deleted by hand. Seasons that are being deleted count as gone.
 *
 * Cost: 1 read for each season of the board, at least 1; 3 for each that it looks into, 1 more unless it is open, and 1
 * more where the player is in its standings, 2 with metadata.
 */
export async function* seasonsStored(
  reads: PlayerReads,
  leaderboard: string,
  current: readonly Stretch[],
  { after, limit }: { after: string | undefined; limit: number },
): AsyncGenerator<{ season: string; stored: SeasonStored | undefined }> {
  const listed = await seasonsListed(reads, leaderboard, current, { after, limit });
  for (let i = 0; i < listed.length; i += exportedAtOnce) {
    const some = listed.slice(i, i + exportedAtOnce);
    const stored = await Promise.all(some.map((one) => storedIn(reads, leaderboard, one)));
    yield* some.map(({ season }, n) => ({ season, stored: stored[n] }));
  }
}

type SeasonListed = Pick<SeasonStored, "season" | "span" | "status" | "opens_at" | "closes_at">;

async function seasonsListed(
  { db, transaction }: PlayerReads,
  leaderboard: string,
  current: readonly Stretch[],
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SeasonListed[]> {
  const running = new Map(current.map((stretch) => [stretch.key.season, unopened(stretch)]));
  const ids = new Set([...(await idsIn(db, seasonsPath(leaderboard))), ...running.keys()]);
  const wanted = [...ids]
    .filter((season) => after === undefined || season > after)
    .toSorted()
    .slice(0, limit);
  if (wanted.length === 0) return [];
  const refs = wanted.map((season) => db.doc(seasonPath({ leaderboard, season })));
  const found = await transaction.getAll(...refs);
  return found.map((season) =>
    season.exists ? opened(season) : (running.get(season.id) ?? lost(season.id)),
  );
}

function lost(season: string): SeasonListed {
  return { season, span: "unknown", status: "unknown", opens_at: null, closes_at: null };
}

function unopened({ key, span, opensAtMs, closesAtMs }: Stretch): SeasonListed {
  return {
    season: key.season,
    span,
    status: "open",
    opens_at: opensAtMs === null ? null : new Date(opensAtMs).toISOString(),
    closes_at: closesAtMs === null ? null : new Date(closesAtMs).toISOString(),
  };
}

function opened(season: DocumentSnapshot): SeasonListed {
  return {
    season: season.id,
    span: String(season.get("span")),
    status: String(season.get("status")),
    opens_at: isoOf(season.get("opens_at")),
    closes_at: isoOf(season.get("closes_at")),
  };
}

const isoOf = (time: unknown) => (time instanceof Timestamp ? time.toDate().toISOString() : null);

async function storedIn(
  reads: PlayerReads,
  leaderboard: string,
  listed: SeasonListed,
): Promise<SeasonStored | undefined> {
  if (listed.status === "deleting") return undefined;
  const { db, transaction, player } = reads;
  const key = { leaderboard, season: listed.season };
  const paths = [playerPath(key, player), topPath(key)];
  const [document, top] = await transaction.getAll(...paths.map((path) => db.doc(path)));
  const [line] = splitTop(top?.data(), player).own;
  const final = listed.status === "open" ? undefined : await standingStored(reads, key);
  const fields = document?.data();
  const documents = [
    ...(fields === undefined ? [] : paths.slice(0, 1)),
    ...(line === undefined ? [] : paths.slice(1)),
    ...(final?.documents ?? []),
  ];
  if (documents.length === 0) return undefined;
  return {
    leaderboard,
    ...listed,
    documents,
    ...(fields === undefined ? {} : { player: plainJson(fields) }),
    ...(line === undefined ? {} : { top: plainJson(line) }),
    ...(final?.standing === undefined ? {} : { standing: final.standing }),
  };
}

/** The standings with the player; without the line where there is no summary, as while they are being written. */
async function standingStored(
  { db, transaction, player }: PlayerReads,
  key: SeasonKey,
): Promise<{ documents: string[]; standing?: SeasonStored["standing"] } | undefined> {
  const document = newestStandings((await transaction.get(standingsWith(db, key, player))).docs);
  if (document === undefined) return undefined;
  const n = Number(document.id);
  const packed = await packedIn(transaction, document);
  const from = packed.standings.players.indexOf(player);
  const { summary } = await readSummary(db, key, transaction);
  const hasMetadata = Boolean(packed.metadata?.metadata[from]);
  const documents = [document.ref.path, ...(hasMetadata ? [standingsMetadataPath(key, n)] : [])];
  const index = summary && indexOfStandings(summary);
  const part = index?.parts.find((one) => one.n === n);
  const [line] = part === undefined ? [] : placesOf({ part, from, until: from + 1 }, packed);
  if (line === undefined || index === undefined) return { documents };
  const { status: _, achieved_at: achievedAt, ...fields } = fieldsOf(line);
  const place = { rank: line.rank, position: line.position, players: index.players };
  return {
    documents,
    standing: { ...place, ...fields, achieved_at: achievedAt.toDate().toISOString() },
  };
}

/** The events of a board that name the player, by id, above `after`, at most `limit`. Cost: 1 read each, at least 1. */
export async function eventsStored(
  { db, transaction, player }: PlayerReads,
  leaderboard: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EventStored[]> {
  const own = nameInEvents(player);
  const query = eventsWith(db, leaderboard, own, limit, { after });
  const { docs } = await transaction.get(query);
  return docs.map((document) => ({
    leaderboard,
    document: document.ref.path,
    event: plainJson(eventNaming(boardEvent.parse(document.data()), (name) => name === own)),
  }));
}
