/**
 * The status that a board keeps for a player, and the documents that get it: those that name none, and those of a file.
 */
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Transaction,
} from "../documents/firestore.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { lacksStatus, readPlayerStatus, statusAlone } from "../documents/player.ts";
import { documentsAt, type Reader } from "../documents/reads.ts";
import { type PlayerStatus, statusNamed, statusSaid, stricter } from "../model/player-status.ts";
import { isOfTemplate } from "../model/template.ts";
import { allTimeKey } from "../seasons/current.ts";
import type { Services } from "../world/services.ts";
import type { Fields, PlayersTransaction } from "./commit-players.ts";

/**
 * The status of a player: the one that the document names. Where a document with a score names none, it is the one that
 * the board keeps: a server has written the document, and the event of the write has not come yet.
 *
 * Cost: 1 read for such a document, nothing for others.
 */
export async function statusOf(
  db: Firestore,
  { leaderboard }: SeasonKey,
  document: DocumentSnapshot,
  reader: Reader = db,
): Promise<unknown> {
  const data = document.data();
  if (data === undefined || !lacksStatus(data)) return statusSaid(data);
  const [kept] = await documentsAt(db, [playerStatusPath(leaderboard, document.id)], reader);
  return readPlayerStatus(kept.data());
}

/**
 * Whether a season has documents with a status alone. It is `all_time`, as submissions to a board with `all_time` look
 * nowhere else for a status; but those to a board of a template look at what the template keeps, which holds for all of
 * its boards. Pure.
 */
export function hasStatusesAlone({ leaderboard, season }: SeasonKey): boolean {
  return season === allTimeKey(leaderboard).season && !isOfTemplate(leaderboard);
}

/** A status, and why the player has it, for moderators. */
export interface KeptStatus {
  status: PlayerStatus;
  reason?: string | undefined;
}

/** A player's document, and the fields to be written to it in any case; undefined for none. */
export interface Asked {
  found: DocumentSnapshot;
  fields: Fields | undefined;
  /** Keeps the status that a file names. @param isWritten whether the commit writes the document */
  keep?: ((isWritten: boolean) => void) | undefined;
}

/**
 * What the board keeps for players of a file. A ban that the board keeps outlasts every line, and one of a line is kept.
 *
 * Cost: 1 read for each who has no document or whose status may change, and for each whom the file hides or bans; for
 * these 1 read more on a board with `all_time`, unless it is that season. What {@link writeKeptStatus} costs, where the
 * board keeps no status that is as strict.
 * @param statusIn the status that the file names for a player
 */
export async function statusesSaid(
  { db }: Services,
  players: PlayersTransaction,
  key: SeasonKey,
  documents: readonly DocumentSnapshot[],
  statusIn: (player: string) => PlayerStatus | undefined,
) {
  const allTime = allTimeKey(key.leaderboard);
  const isAllTime = key.season === allTime.season;
  const hasAllTime = players.boardOf(key)?.definition.spans.includes("all_time") === true;
  const isElsewhere = !isAllTime && hasAllTime && hasStatusesAlone(allTime);
  const asking = documents.filter((found) => mayDiffer(statusIn(found.id), found.get("status")));
  const paths = asking.map(({ id }) => playerStatusPath(key.leaderboard, id));
  const banned = asking.filter(({ id }) => isBan(statusIn(id)));
  const others = isElsewhere ? banned.map(({ id }) => playerPath(allTime, id)) : [];
  const read = await documentsAt(db, [...paths, ...others], players);
  const inAllTime = new Map((isAllTime ? documents : read.slice(paths.length)).map((one) => [one.id, one]));
  const said = read.slice(0, paths.length).map((found) => {
    const kept = readPlayerStatus(found.data());
    const named = statusIn(found.id) ?? kept;
    const keep: Asked["keep"] = (isWritten) => {
      const document = isAllTime && isWritten ? undefined : inAllTime.get(found.id);
      writeKeptStatus(players.transaction, found.ref, { status: named }, document);
    };
    return [found.id, { kept, ...(stricter(named, kept) === kept ? {} : { keep }) }] as const;
  });
  return new Map(said);
}

const isBan = (status: PlayerStatus | undefined) => status !== undefined && status !== "active";

/**
 * Whether the board has a say in a document's status: not where a file names none or `active`, and the document agrees.
 */
function mayDiffer(named: PlayerStatus | undefined, stored: unknown): boolean {
  if (named === undefined) return statusNamed(stored) === undefined;
  return named !== "active" || stored !== "active";
}

/**
 * Keeps a status for documents that name none. Where a player has no document, submissions look for it only if the player
 * has none in `all_time` either, so on a board with `all_time` the player gets one there, without a score.
 *
 * Cost: 1 write, and 1 for that document.
 * @param kept where the board keeps it. @param inAllTime the player's document there; undefined where there is none to
 * give.
 * @returns whether the player got a document.
 */
export function writeKeptStatus(
  transaction: Transaction,
  kept: DocumentReference,
  { status, reason }: KeptStatus,
  inAllTime: DocumentSnapshot | undefined,
): boolean {
  const fields = { status, reason: reason ?? FieldValue.delete() };
  transaction.set(kept, fields, { merge: true });
  if (inAllTime === undefined || inAllTime.exists) return false;
  transaction.create(inAllTime.ref, statusAlone(status));
  return true;
}

/**
 * Adds a status to the fields of each document that would have a score and name none: the status that the board keeps for
 * the player. So a ban holds for what servers and imports write. It is read in the transaction, and setPlayerStatus writes
 * it before it looks for documents: so a document has the new status, or is found there. Cost: 1 read for each.
 */
export async function withStatuses(
  { db }: Services,
  players: PlayersTransaction,
  { leaderboard }: SeasonKey,
  asked: readonly Asked[],
): Promise<readonly Asked[]> {
  const nameless = asked.filter(({ found, fields }) => lacksStatus({ ...found.data(), ...fields }));
  const paths = nameless.map(({ found }) => playerStatusPath(leaderboard, found.id));
  const kept = await documentsAt(db, paths, players);
  const statuses = new Map(kept.map((one) => [one.id, readPlayerStatus(one.data())]));
  return asked.map((one) => {
    const status = statuses.get(one.found.id);
    return status === undefined ? one : { ...one, fields: { ...one.fields, status } };
  });
}
