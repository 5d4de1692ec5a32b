/** Merges a player into another in one season, in one transaction; in a closed season the standings follow. */
import { isDeepStrictEqual } from "node:util";
import { type DocumentSnapshot, FieldPath, FieldValue, type Timestamp } from "../documents/firestore.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { type Player, playerFields, readPlayer } from "../documents/player.ts";
import { readPlayerStatus } from "../documents/player-status.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { type PlayerStatus, playerStatuses, stricter } from "../model/player-status.ts";
import { mergePlayer } from "../submit/merge.ts";
import { definitionKey } from "../seasons/current.ts";
import type { TopServices } from "../top/gate-memory.ts";
import type { StandingsDraft } from "./draft-standings.ts";
import { type Standing, standingOf } from "./pack-standings.ts";
import { type Decided, type Revised, reviseSeason } from "./revise.ts";

/** What a merge did in a season. */
export interface MergedIn {
  /** Whether `from` was there: it is no more. */
  merged: boolean;
  /** Submissions that may have counted for both players. */
  repeated: string[];
}

type Fields = Record<string, unknown>;

/**
 * Merges `from` into `to`. The document of `from` goes in the same transaction in which its score arrives at `to`, so a
 * merge that is repeated, or retried after a lost answer, adds nothing. In a closed season the standings say what the
 * two players' scores are. Fields that are not Firerank's stay; those that only `from` has come along. In `all_time` a
 * document with nothing but the status stays of a `from` who is hidden or banned.
 *
 * Cost: what {@link reviseSeason} says, for 4 reads, 1 write and 1 delete, or 2 writes where a document of `from` stays;
 * the reads alone where `from` is not there.
 * @throws `score_out_of_range` if a sum cannot be stored; nothing has changed in the season then.
 */
export function mergePlayerIn(
  services: TopServices,
  key: SeasonKey,
  { from, to }: { from: string; to: string },
): Promise<Revised & { result: MergedIn | undefined }> {
  const { leaderboard } = key;
  return reviseSeason(services, key, "merged", {
    read: [
      playerPath(key, from),
      playerPath(key, to),
      playerStatusPath(leaderboard, from),
      playerStatusPath(leaderboard, to),
    ],
    async decide([source, target, ...kept], standings, { definition, at }) {
      if (source === undefined || target === undefined) throw new Error("there is no answer for a document");
      const statuses = kept.map((document) => readPlayerStatus(document.data()));
      return merge(definition, { key, source, target, statuses, at }, standings);
    },
  });
}

interface Found {
  key: SeasonKey;
  source: DocumentSnapshot;
  target: DocumentSnapshot;
  /** The statuses that the board keeps for the two players. */
  statuses: PlayerStatus[];
  /** Now. */
  at: Timestamp;
}

async function merge(
  definition: Definition,
  { key, source, target, statuses, at }: Found,
  standings: StandingsDraft | undefined,
): Promise<Decided<MergedIn>> {
  const line = await standings?.find(source.id);
  const from = asStood(definition, readPlayer(source.data()), line);
  const own = stricter(statuses[0] ?? "active", from?.status ?? "active");
  const leftover = key.season === definitionKey(key.leaderboard).season ? banOf(own) : undefined;
  if (from === undefined || (leftover !== undefined && isDeepStrictEqual(source.data(), leftover)))
    return { result: { merged: false, repeated: [] }, write: undefined };
  const lineOfTo = await standings?.find(target.id);
  const to = asStood(definition, readPlayer(target.data()), lineOfTo);
  const { player, repeated } = mergePlayer(definition, from, to);
  const status = statusOf([target.data(), source.data()], statuses.reduce(stricter, player.status));
  // In a closed season no event completes the document of somebody who was taken out before one had.
  const time = standings === undefined || player.score === undefined ? {} : { achieved_at: at };
  const fields: Fields = { ...foreignFields(source, target), ...time, ...player, status };
  if (standings !== undefined) {
    const next = standingOf(target.id, fields);
    await standings.takeOut(source.id);
    if (!isDeepStrictEqual(next, lineOfTo)) {
      await standings.takeOut(target.id);
      if (next !== undefined) await standings.putIn(next, definition);
    }
  }
  return {
    result: { merged: true, repeated },
    write(transaction) {
      const data: Fields = { metadata: FieldValue.delete(), ...fields };
      const mergeFields = Object.keys(data).map((name) => new FieldPath(name));
      transaction.set(target.ref, data, { mergeFields });
      if (leftover === undefined) transaction.delete(source.ref);
      else transaction.set(source.ref, leftover);
    },
  };
}

/**
 * What stays of a player who is not active, so that an account which was merged cannot play on. Submissions look for
 * the status that the board keeps only if the player may be absent from `all_time`, so there a document has it.
 */
function banOf(status: PlayerStatus): Pick<Player, "status" | "attempts"> | undefined {
  return status === "active" ? undefined : { status, attempts: 0 };
}

/** A player as the standings of a closed season have them, who may have no document any more. */
function asStood(
  { order, columns }: Definition,
  player: Player | undefined,
  line: Standing | undefined,
): Player | undefined {
  if (line === undefined) return player;
  const { score, achievedAt, name, metadata } = line;
  const shown: Player = {
    attempts: 0,
    status: "active",
    ...(name === "" ? {} : { display_name: name }),
    ...(metadata === "" ? {} : { metadata: JSON.parse(metadata) as Fields }),
  };
  const values = columns === undefined ? undefined : unpackColumns(order, columns, score);
  return {
    ...(player ?? shown),
    score,
    achieved_at: achievedAt,
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
