/** Merges a player into another in one season, in one transaction; in a closed season the standings follow. */
import { isDeepStrictEqual } from "node:util";
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { type Player, type PlayerChange, playerFields, readPlayer } from "../documents/player.ts";
import { readPlayerStatus } from "../documents/player-status.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { type PlayerStatus, playerStatuses, stricter } from "../model/player-status.ts";
import { mergePlayer } from "../submit/merge.ts";
import { definitionKey } from "../seasons/current.ts";
import type { ClosingServices } from "../jobs/closing/close.ts";
import { fieldsOf, heldLine, holdLine, type Standing, standingOf } from "../standings/pack.ts";
import { type Circumstances, type Revised, reviseSeason } from "./revise.ts";

/** What a merge did in a season. */
export interface MergedIn {
  /** Whether `from` was there: it is no more. */
  merged: boolean;
  /** Submissions that may have counted for both players. */
  repeated: string[];
  /** What became of `to`. */
  change: PlayerChange;
}

type Fields = Record<string, unknown>;

/**
 * Merges `from` into `to`. The document of `from` goes in the same transaction in which its score arrives at `to`, so a
 * merge that is repeated, or retried after a lost answer, adds nothing. In a closed season the standings say what the
 * two players' scores are. Fields that are not Firerank's stay; those that only `from` has come along. In `all_time` a
 * document with nothing but the status stays of a `from` who is hidden or banned.
 *
 * Cost: what {@link reviseSeason} says, for 4 reads, 1 write and 1 delete, or 2 writes where a document of `from` stays;
 * the reads and the note alone where `from` is not there.
 * @throws `score_out_of_range` if a sum cannot be stored; nothing has changed in the season then.
 */
export function mergePlayerIn(
  services: ClosingServices,
  key: SeasonKey,
  { from, to }: { from: string; to: string },
): Promise<Revised & { result: MergedIn | undefined }> {
  const { leaderboard } = key;
  const read = [playerPath(key, from), playerPath(key, to)];
  read.push(playerStatusPath(leaderboard, from), playerStatusPath(leaderboard, to));
  return reviseSeason(services, key, {
    reason: "merged",
    read,
    async change([source, target, ...kept], of) {
      if (source === undefined || target === undefined) throw new Error("there is no answer for a document");
      const statuses = kept.map((document) => readPlayerStatus(document.data()));
      return merge(of, source, target, statuses, key.season === definitionKey(leaderboard).season);
    },
  });
}

/**
 * @param statuses those that the board keeps for the two.
 * @param hasStatus whether a document keeps a status alone, as in `all_time`: submissions look for the status that the
 * board keeps only if the player may be absent from it.
 */
async function merge(
  { definition, status: season, at, standings, writer }: Circumstances,
  source: DocumentSnapshot,
  target: DocumentSnapshot,
  statuses: readonly PlayerStatus[],
  hasStatus: boolean,
): Promise<MergedIn> {
  const line = await standings?.find(source.id);
  const from = asStood(definition, source, standings && (line ?? heldLine(source.id, source.data())));
  const own = stricter(statuses[0] ?? "active", from?.status ?? "active");
  // What stays of a player who is not active, so that an account which was merged cannot play on.
  const leftover: Fields | undefined =
    hasStatus && own !== "active" ? { status: own, attempts: 0 } : undefined;
  // Even if there is no document: the players may have been read while there was.
  writer.note(source.id, true);
  if (from === undefined || (leftover !== undefined && isOnly(source, leftover))) return nothingMerged;
  const lineOfTo = await standings?.find(target.id);
  const to = asStood(definition, target, standings && (lineOfTo ?? heldLine(target.id, target.data())));
  const { player, repeated } = mergePlayer(definition, from, to);
  const status = statusOf([target.data(), source.data()], statuses.reduce(stricter, player.status));
  // In a closed season no event completes the document of somebody who was taken out before one had.
  const time = standings === undefined || player.score === undefined ? {} : { achieved_at: at };
  const fields: Fields = {
    metadata: undefined,
    ...foreignFields(source, target),
    ...time,
    ...player,
    status,
  };
  const next = standingOf(target.id, { ...fields, status: "active" });
  const isListed = status === "active";
  const kept = isListed ? undefined : next;
  if (season !== "open") fields["held_line"] = kept && holdLine(target, fields, kept);
  await standings?.put(source.id, undefined, definition);
  await standings?.put(target.id, isListed ? next : undefined, definition);
  writer.write(target, fields);
  writer.note(target.id, true);
  if (leftover === undefined) writer.remove(source);
  else writer.write(source, { ...withoutAll(source), ...leftover });
  const change = { before: target.data(), after: { ...target.data(), ...fields } };
  return { merged: true, repeated, change };
}

const nothingMerged: MergedIn = {
  merged: false,
  repeated: [],
  change: { before: undefined, after: undefined },
};

/** Whether a document has nothing but what stays of a merged player. */
function isOnly(document: DocumentSnapshot, leftover: Fields): boolean {
  const { counted: _, ...data } = document.data() ?? {};
  return isDeepStrictEqual(data, leftover);
}

/** The fields of a document, to be deleted; its mark is written anew. */
function withoutAll(document: DocumentSnapshot): Fields {
  const names = Object.keys(document.data() ?? {}).filter((name) => name !== "counted");
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** A player as the standings of a closed season have them, who may have no document any more. */
function asStood(
  { order, columns }: Definition,
  document: DocumentSnapshot,
  line: Standing | undefined,
): Player | undefined {
  const player = readPlayer(document.data());
  if (line === undefined) return player;
  const shown = fieldsOf(line);
  const { score, achieved_at } = shown;
  const values = columns === undefined ? undefined : unpackColumns(order, columns, score);
  return {
    ...(player ?? { attempts: 0, ...shown }),
    score,
    achieved_at,
    ...(values === undefined ? {} : { columns: values }),
  };
}

/** The stricter status. A status that is none, which a trusted server wrote, keeps a player out of the ranking. */
function statusOf(documents: readonly (Fields | undefined)[], status: PlayerStatus): unknown {
  const others = documents.map((data) => data?.["status"] ?? "active");
  const unknown = others.find((other) => !playerStatuses.includes(other as PlayerStatus));
  return status === "active" ? (unknown ?? status) : status;
}

/** Fields that are not Firerank's and that only `source` has. */
function foreignFields(source: DocumentSnapshot, target: DocumentSnapshot): Fields {
  const known = new Set<string>([...playerFields, ...Object.keys(target.data() ?? {})]);
  return Object.fromEntries(Object.entries(source.data() ?? {}).filter(([name]) => !known.has(name)));
}
