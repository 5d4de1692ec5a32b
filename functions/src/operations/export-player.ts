/** `exportPlayer`: all that is stored about a player, for one who asks for it. */
import { z } from "zod";
import { erasureOn, erasurePath } from "../documents/erasure.ts";
import { boardEvent, eventNaming, nameInEvents } from "../documents/event.ts";
import { type Firestore, Timestamp, type Transaction } from "../documents/firestore.ts";
import { heldSeat, readGroup, type Seat } from "../documents/group.ts";
import {
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  topPath,
} from "../documents/paths.ts";
import { plainJson } from "../documents/plain-json.ts";
import { memberHash, readPrivateGroup, seatNameOf } from "../documents/private-group.ts";
import { privateGroupsOf } from "../documents/private-group-queries.ts";
import { eventsWith } from "../documents/queries.ts";
import { groupsWith } from "../documents/groups-with.ts";
import { documentsAt, idsIn, readTogether } from "../documents/reads.ts";
import { linesInTop } from "../documents/top.ts";
import type { ExportPlayerAnswer, SeasonOfPlayer } from "../model/admin-answers.ts";
import { defined } from "../model/defined.ts";
import { invalidField } from "../model/errors.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { isoTime } from "../model/instant.ts";
import { isOfTemplate } from "../model/template.ts";
import { boardCacheOf, boardIfAny } from "../seasons/board.ts";
import { currentOf, allTimeKey } from "../seasons/current.ts";
import { noteOf } from "../standings/notes.ts";
import { standingStored } from "../standings/standing-stored.ts";
import { requireStored, templateAsked } from "../seasons/boards-asked.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";

const exportPlayerRequest = z.strictObject({ player: documentId, leaderboard: leaderboardId });

/** Bytes of an answer, as JSON: a callable's may have 10 MB. */
export const exportBytesMax = 8_000_000;

/**
 * All that is stored about a player on a board: exactly what {@link removePlayerSpec} erases there, what that has left for a
 * day, and the paths of the documents, with nothing about other players. All is of one moment.
 *
 * Cost: 3 reads, and 1 for each private group of the player, at least 1; 4 for each season of the board, 1 more unless it is open, 1 more if it is closing or being deleted, and
 * 1 more where the player is in its standings, 2 with metadata; 1 for each event that names the player. A span whose
 * present season no score has opened yet costs 3. The board's definition costs 2 reads a minute.
 * @throws `leaderboard_not_found` for a board of which nothing is stored; `invalid_request` for an answer above 8 MB.
 */
export const exportPlayerSpec: OperationSpec<typeof exportPlayerRequest, ExportPlayerAnswer> = {
  name: "exportPlayer",
  request: exportPlayerRequest,
  async handle(services, { player, leaderboard }) {
    const answer = await exportPlayerOf(services, leaderboard, player);
    if (Buffer.byteLength(JSON.stringify(answer)) > exportBytesMax) {
      const command = `npx --no-install firerank export-player ${player} --board ${leaderboard}`;
      throw invalidField(
        "player",
        `has more than the 8 MB of an answer on this board: \`${command}\` has no bound`,
      );
    }
    return answer;
  },
};

/** The answer about a board, of any size. Cost, and refusals: as of {@link exportPlayerSpec}. */
export async function exportPlayerOf(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<ExportPlayerAnswer> {
  const { db, now } = services;
  await requireStored(services, leaderboard);
  const exportedAt = new Date(now()).toISOString();
  return readTogether(db, async (transaction) => {
    const reads: PlayerReads = { db, transaction, leaderboard, player };
    const erasure = await transaction.get(db.doc(erasurePath(player)));
    const erased = erasureOn(erasure, leaderboard);
    const status = await statusStored(reads);
    const groups = await membershipsStored(reads);
    const seasons: SeasonOfPlayer[] = [];
    for (const listed of await seasonsListed(services, reads)) {
      const season = await seasonStored(reads, listed);
      if (season !== undefined) seasons.push(season);
    }
    return {
      player,
      leaderboard,
      exported_at: exportedAt,
      ...(erased && { erasure: { document: erasure.ref.path, erasure: plainJson(erased) } }),
      ...(status && { status }),
      ...(groups.length > 0 && { private_groups: groups }),
      seasons,
      events: await eventsStored(reads),
    };
  });
}

/** What reads belong to: one transaction about one player on one board. */
interface PlayerReads {
  db: Firestore;
  transaction: Transaction;
  leaderboard: string;
  player: string;
}

async function eventsStored({ db, transaction, leaderboard, player }: PlayerReads) {
  const name = nameInEvents(player);
  const { docs } = await transaction.get(eventsWith(db, leaderboard, name));
  return docs.flatMap((document) => {
    // What is no event of Firerank's is its owner's to export.
    const event = boardEvent.safeParse(document.data()).data;
    if (event === undefined) return [];
    return [{ document: document.ref.path, event: plainJson(eventNaming(event, (other) => other === name)) }];
  });
}

async function statusStored({ db, transaction, leaderboard, player }: PlayerReads) {
  const found = await transaction.get(db.doc(playerStatusPath(leaderboard, player)));
  const fields = found.data();
  if (fields === undefined) return undefined;
  const { status, reason, league } = plainJson(fields);
  return { document: found.ref.path, ...defined({ status, reason, league }) };
}

/** The private groups in which the player is. Cost: 1 read each, at least 1; nothing on boards of templates. */
async function membershipsStored({ db, transaction, leaderboard, player }: PlayerReads) {
  if (isOfTemplate(leaderboard)) return [];
  const hash = memberHash(leaderboard, player);
  const { docs } = await transaction.get(privateGroupsOf(db, leaderboard, hash));
  return docs.flatMap((found) => {
    const group = readPrivateGroup(found);
    const name = group && seatNameOf(group, hash);
    const seat = name === undefined ? undefined : group?.seats[name];
    if (group === undefined || seat === undefined) return [];
    return [
      { document: found.ref.path, name: group.name, is_owner: group.owner === hash, seat: plainJson(seat) },
    ];
  });
}

type SeasonFacts = Pick<SeasonOfPlayer, "season" | "span" | "status" | "opens_at" | "closes_at"> & {
  hasGroups: boolean;
};

/**
 * The seasons of a board by id. As a trusted server may have written a document, seasons that run now and no score has opened
 * yet are among them, and seasons that are not there.
 */
async function seasonsListed(
  services: Services,
  { db, transaction, leaderboard }: PlayerReads,
): Promise<SeasonFacts[]> {
  const definition = () => boardCacheOf(services).loadDefinition(leaderboard);
  const isTemplate = (await templateAsked(services, leaderboard)) === leaderboard;
  const board = isTemplate ? undefined : await boardIfAny(services, allTimeKey(leaderboard), definition);
  const current = board === undefined ? [] : currentOf(board, services.now());
  const running = new Map(current.map((spanSeason) => [spanSeason.key.season, spanSeason]));
  const ids = new Set([...(await idsIn(db, seasonsPath(leaderboard))), ...running.keys()]);
  const paths = [...ids].toSorted().map((season) => seasonPath({ leaderboard, season }));
  const found = await documentsAt(db, paths, transaction);
  return found.map((document) => {
    const season = document.id;
    const { span, opensAtMs, closesAtMs } = running.get(season) ?? {};
    if (!document.exists && span === undefined)
      return {
        season,
        span: "unknown",
        status: "unknown",
        opens_at: null,
        closes_at: null,
        hasGroups: false,
      };
    const unopened = { span, status: "open", opens_at: opensAtMs, closes_at: closesAtMs };
    const fields: Record<string, unknown> = document.data() ?? unopened;
    return {
      season,
      span: String(fields["span"]),
      status: String(fields["status"]),
      opens_at: isoIfTime(fields["opens_at"]),
      closes_at: isoIfTime(fields["closes_at"]),
      hasGroups: fields["league"] !== undefined,
    };
  });
}

function isoIfTime(time: unknown): string | null {
  if (typeof time === "number") return new Date(time).toISOString();
  return time instanceof Timestamp ? isoTime(time) : null;
}

async function seasonStored(
  reads: PlayerReads,
  { hasGroups, ...listed }: SeasonFacts,
): Promise<SeasonOfPlayer | undefined> {
  const { db, transaction, leaderboard, player } = reads;
  const key = { leaderboard, season: listed.season };
  const paths = [playerPath(key, player), topPath(key)] as const;
  const [document, top] = await documentsAt(db, paths, transaction);
  const [line] = linesInTop(top.data(), player);
  const final = listed.status === "open" ? undefined : await standingStored(db, transaction, key, player);
  const mayHaveNote = listed.status === "closing" || listed.status === "deleting";
  const note = mayHaveNote ? await transaction.get(noteOf(db, key, player)) : undefined;
  const fields = document.data();
  const groups = hasGroups ? await seatsStored(reads, key) : [];
  const documents = [
    ...(fields === undefined ? [] : [paths[0]]),
    ...(line === undefined ? [] : [paths[1]]),
    ...(final?.documents ?? []),
    ...(note?.exists === true ? [note.ref.path] : []),
    ...groups.map(({ path }) => path),
  ];
  if (documents.length === 0) return undefined;
  return {
    ...listed,
    documents,
    ...(fields === undefined ? {} : { player: plainJson(fields) }),
    ...(line === undefined ? {} : { top: plainJson(line) }),
    ...(final?.standing === undefined ? {} : { standing: final.standing }),
    ...(groups.length === 0 ? {} : { league_seats: groups.map(({ seat }) => plainJson(seat)) }),
  };
}

/** The player's seats in groups of a season's league. Cost: 1 read for each group with one, at least 1. */
async function seatsStored(
  { db, transaction, player }: PlayerReads,
  key: SeasonKey,
): Promise<{ path: string; seat: Seat }[]> {
  const { docs } = await transaction.get(groupsWith(db, key, [player]));
  return docs.flatMap((group) => {
    const held = heldSeat(key, readGroup(group), player);
    return held === undefined ? [] : [{ path: group.ref.path, seat: held.seat }];
  });
}
