/**
 * All that is stored about one player on a board: what `removePlayer` erases. Everything is read in the transaction that
 * is given.
 */
import {
  type DocumentSnapshot,
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { eventAbout, nameInEvents, readEvent } from "../documents/event.ts";
import {
  indexEntryPath,
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonsPath,
  standingsMetadataPath,
  standingsSummaryPath,
  topPath,
} from "../documents/paths.ts";
import { plainJson } from "../documents/plain-json.ts";
import { byId, eventsWith, standingsWith } from "../documents/queries.ts";
import { storedStandings, storedStandingsMetadata, storedStandingsSummary } from "../documents/standings.ts";
import { exportedAtOnce } from "../model/limits.ts";
import { indexOfStandings, ranksIn } from "../reading/standings-lookup.ts";
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
  /** As stored: `open`, `closing` or `closed`; `open` for a season that no score has opened yet. */
  status: string;
  opens_at: string | null;
  closes_at: string | null;
  /** The paths of the documents that have what follows. */
  documents: string[];
  /** The player's document, with all of its fields. */
  player?: Record<string, unknown>;
  /** What the ranking counts for the player; a closed season has none. */
  index_entry?: Record<string, unknown>;
  /** The player's line in the top. */
  top?: Record<string, unknown>;
  /** The player's line in the final standings of a closed season. */
  standing?: StandingStored;
}

/** A line of final standings. */
export interface StandingStored {
  rank: number;
  position: number;
  /** In the standings, in all. */
  players: number;
  score: number;
  achieved_at: string;
  display_name?: string;
  metadata?: unknown;
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

/** A season that was looked at, and what it has of the player, if anything. */
export interface SeasonLooked {
  season: string;
  stored: SeasonStored | undefined;
}

/**
 * The seasons of a board by id, above `after`, at most `limit`, each with what it has of the player; those that run now
 * also where no score has opened them yet, as a trusted server may have written a document. Seasons that are being
 * deleted count as gone.
 *
 * Cost: 1 read a season, at least 1; 3 for the player in each, 1 more in a closed one, and 1 more where the player is
 * in its standings, 2 with metadata.
 */
export async function* seasonsStored(
  reads: PlayerReads,
  leaderboard: string,
  current: readonly Stretch[],
  { after, limit }: { after: string | undefined; limit: number },
): AsyncGenerator<SeasonLooked> {
  const listed = await seasonsListed(reads, leaderboard, current, { after, limit });
  for (let i = 0; i < listed.length; i += exportedAtOnce) {
    yield* await lookInto(reads, leaderboard, listed.slice(i, i + exportedAtOnce));
  }
}

type SeasonListed = Pick<SeasonStored, "season" | "span" | "status" | "opens_at" | "closes_at">;

async function seasonsListed(
  { db, transaction }: PlayerReads,
  leaderboard: string,
  current: readonly Stretch[],
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SeasonListed[]> {
  const { docs } = await transaction.get(byId(db, seasonsPath(leaderboard), limit, { after }));
  const seasons = new Map(current.map((stretch) => [stretch.key.season, unopened(stretch)]));
  for (const season of docs) seasons.set(season.id, opened(season));
  const end = docs.length < limit ? undefined : docs.at(-1)?.id;
  return [...seasons.values()]
    .filter(({ season }) => (after === undefined || season > after) && (end === undefined || season <= end))
    .toSorted((a, b) => (a.season < b.season ? -1 : 1))
    .slice(0, limit);
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

function opened(season: QueryDocumentSnapshot): SeasonListed {
  return {
    season: season.id,
    span: String(season.get("span")),
    status: String(season.get("status")),
    opens_at: isoOf(season.get("opens_at")),
    closes_at: isoOf(season.get("closes_at")),
  };
}

const isoOf = (time: unknown) => (time instanceof Timestamp ? time.toDate().toISOString() : null);

async function lookInto(
  reads: PlayerReads,
  leaderboard: string,
  seasons: readonly SeasonListed[],
): Promise<SeasonLooked[]> {
  const { db, transaction, player } = reads;
  const present = seasons.filter(({ status }) => status !== "deleting");
  const keys = present.map(({ season }) => ({ leaderboard, season }));
  const paths = keys.flatMap((key) => [playerPath(key, player), indexEntryPath(key, player), topPath(key)]);
  const found = paths.length === 0 ? [] : await transaction.getAll(...paths.map((path) => db.doc(path)));
  const stored = await Promise.all(
    present.map((listed, i) => storedIn(reads, leaderboard, listed, found.slice(3 * i, 3 * i + 3))),
  );
  const bySeason = new Map(present.map(({ season }, i) => [season, stored[i]]));
  return seasons.map(({ season }) => ({ season, stored: bySeason.get(season) }));
}

async function storedIn(
  reads: PlayerReads,
  leaderboard: string,
  listed: SeasonListed,
  [document, entry, top]: readonly DocumentSnapshot[],
): Promise<SeasonStored | undefined> {
  const key = { leaderboard, season: listed.season };
  const line = lineIn(top, reads.player);
  const final = listed.status === "closed" ? await standingStored(reads, key) : undefined;
  const fields = document?.data();
  const counted = entry?.data();
  const documents = [
    ...(fields === undefined ? [] : [playerPath(key, reads.player)]),
    ...(counted === undefined ? [] : [indexEntryPath(key, reads.player)]),
    ...(line === undefined ? [] : [topPath(key)]),
    ...(final?.documents ?? []),
  ];
  if (documents.length === 0) return undefined;
  return {
    leaderboard,
    ...listed,
    documents,
    ...(fields === undefined ? {} : { player: plainJson(fields) }),
    ...(counted === undefined ? {} : { index_entry: plainJson(counted) }),
    ...(line === undefined ? {} : { top: plainJson(line) }),
    ...(final === undefined ? {} : { standing: final.standing }),
  };
}

/** The player's line in a top, whatever else is in the document. */
function lineIn(top: DocumentSnapshot | undefined, player: string): object | undefined {
  const entries: unknown = top?.get("entries");
  return Array.isArray(entries) ? entries.find((entry) => isLineOf(entry, player)) : undefined;
}

function isLineOf(entry: unknown, player: string): entry is object {
  return typeof entry === "object" && entry !== null && "player" in entry && entry.player === player;
}

async function standingStored(
  { db, transaction, player }: PlayerReads,
  key: SeasonKey,
): Promise<{ standing: StandingStored; documents: string[] } | undefined> {
  const [document] = (await transaction.get(standingsWith(db, key, player))).docs;
  if (document === undefined) return undefined;
  const standings = storedStandings.parse(document.data());
  const n = Number(document.id);
  const i = standings.players.indexOf(player);
  const metadataRef = db.doc(standingsMetadataPath(key, n));
  const [summary, metadata] = await transaction.getAll(
    db.doc(standingsSummaryPath(key)),
    ...(standings.has_metadata ? [metadataRef] : []),
  );
  const index = indexOfStandings(storedStandingsSummary.parse(summary?.data()));
  const part = index.parts.find((one) => one.n === n);
  if (part === undefined) throw new Error(`the summary does not know ${document.ref.path}`);
  const [rank = NaN] = ranksIn({ part, from: i, until: i + 1 }, standings);
  const name = standings.display_names[i] ?? "";
  const texts = metadata?.exists === true ? storedStandingsMetadata.parse(metadata.data()).metadata : [];
  const text = texts[i] ?? "";
  return {
    documents: [document.ref.path, ...(text === "" ? [] : [metadataRef.path])],
    standing: {
      rank,
      position: part.before + i + 1,
      players: index.players,
      score: standings.scores[i] ?? NaN,
      achieved_at: isoOf(standings.achieved_at[i]) ?? "",
      ...(name === "" ? {} : { display_name: name }),
      ...(text === "" ? {} : { metadata: JSON.parse(text) as unknown }),
    },
  };
}

/** The events of a board that name the player, by id, above `after`, at most `limit`. Cost: 1 read each, at least 1. */
export async function eventsStored(
  { db, transaction, player }: PlayerReads,
  leaderboard: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EventStored[]> {
  const query = eventsWith(db, leaderboard, nameInEvents(player), limit, { after });
  const { docs } = await transaction.get(query);
  return docs.map((document) => ({
    leaderboard,
    document: document.ref.path,
    event: plainJson(eventAbout(readEvent(document.data()), player)),
  }));
}
