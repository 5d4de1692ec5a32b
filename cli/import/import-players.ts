/**
 * Writes players from records to the database, 200 a transaction, eight transactions in parallel.
 *
 * A transaction writes the players' documents and counts them, so the trigger finds nothing to do. The documents decide
 * everything, so repeating a part changes nothing: an import may be killed at any moment and repeated from an earlier
 * point. The top is renewed once, at the end.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerStatusPath } from "../../functions/src/documents/paths.ts";
import { readPlayerStatus } from "../../functions/src/documents/player.ts";
import type { Season } from "../../functions/src/documents/season.ts";
import { isOfTemplate } from "../../functions/src/model/template.ts";
import { openGroupsWith } from "../../functions/src/groups/keep-private.ts";
import { renewPrivateGroup } from "../../functions/src/groups/renew.ts";
import { countPlayers } from "../../functions/src/counting/count-players.ts";
import { defined } from "../../functions/src/model/defined.ts";
import { toStep } from "../../functions/src/model/arithmetic.ts";
import { type PlayerStatus, stricter } from "../../functions/src/model/player-status.ts";
import { playersPerCountMax } from "../../functions/src/model/limits.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { requestedOpenBoard } from "../../functions/src/seasons/current.ts";
import { isTaking } from "../../functions/src/seasons/open-now.ts";
import { renewTop } from "../../functions/src/top/keep-live.ts";
import { asRetryable } from "../../functions/src/world/retryable.ts";
import { inPool } from "../../functions/src/world/pool.ts";
import { tryAgain, type TryAgainOptions } from "../../functions/src/world/try-again.ts";
import { CliError } from "../cli-error.ts";
import { count as countOf } from "../progress.ts";
import type { PlayerRecord } from "../records/player-record.ts";
import { mergePlayer } from "./merge-player.ts";
import type { Ramp } from "./ramp.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";

/** Transactions at the same time: enough to keep an emulator busy, few enough to hold little memory. */
const importLanes = 8;

/** A record with its place in the file. */
export interface NumberedRecord {
  /** Its 0-based number among the file's records with a value, valid or not. */
  index: number;
  /** How many valid ones there are up to it, with it. */
  good: number;
  leaderboard: string;
  record: PlayerRecord;
}

export interface ImportWork {
  /** Of each board. It is opened where the board has none of its own yet. */
  season: string;
  records: AsyncIterable<NumberedRecord>;
  /** When the import began: scores without a time get this time, a microsecond later for each record. */
  startedMs: number;
  ramp: Ramp;
  /** Called with the last record of each round: it and all before it are imported. */
  onProgress: (last: NumberedRecord) => void;
}

/**
 * Imports records into open seasons, in rounds: each player of a board is at most once in one, with the last of the
 * round's records, so a player's last line always wins. Memory: the players of a round.
 *
 * Cost: 1 read a player, and 1 for each who is new or whose status changes; 1 write for each whose document changes, 1 read
 * for the season and 1 write to a shard document for each 200 players of a board; for a lone board {@link openGroupsWith} for
 * each 30 players and in each round {@link renewPrivateGroup} for each group, and for its top {@link renewTop}, as the next
 * runs of many renew theirs; and for a board that has no such season, the opening. For each who is hidden or banned 1 read,
 * and {@link countPlayers} says what more; where the board keeps no such ban, what {@link setPlayerStatusSpec} costs.
 * @returns the number of players whose document was written, and of those whose document was already the same.
 * @throws the first error of a transaction; everything up to the last reported progress is imported. A `SeasonEnded`
 * where the season ends meanwhile: a transaction that counts reads its status, so nothing is written that no table has.
 */
export async function importPlayers(services: Services, work: ImportWork) {
  const imported = { written: 0, unchanged: 0 };
  /** Whether there is one or more. */
  const boards = new Set<string>();
  for await (const { players, first, last } of roundsOf(work.records)) {
    const ofBoards = Map.groupBy(players, ({ leaderboard }) => leaderboard);
    const batches = [...ofBoards.values()].flatMap((some) =>
      Array.from({ length: Math.ceil(some.length / playersPerCountMax) }, (_, i) =>
        some.slice(i * playersPerCountMax, (i + 1) * playersPerCountMax),
      ),
    );
    for (const leaderboard of ofBoards.keys()) if (boards.size < 2) boards.add(leaderboard);
    try {
      await inPool(batches, importLanes, async (batch) => {
        await work.ramp(batch.length);
        const written = await writeBatch(services, work, batch);
        imported.written += written;
        imported.unchanged += batch.length - written;
      });
    } catch (error) {
      const isClosed = error instanceof FirerankError && error.code === "season_closed";
      if (!isClosed) throw error;
      throw new SeasonEnded(work.season, { ...imported, records: first.index }, error);
    }
    // Before the checkpoint: an import that goes on does not come back to these players.
    await renewGroups(services, ofBoards);
    work.onProgress(last);
  }
  const [leaderboard] = boards;
  if (imported.written > 0 && leaderboard !== undefined && boards.size === 1) {
    const key = { leaderboard, season: work.season };
    await tryAgain(
      services,
      async () => renewTop(services, await boardCacheOf(services).load(key)),
      patience,
    );
  }
  return imported;
}

/** Players whose groups one query looks for. */
const playersPerQuery = 30;

/** Brings a round's scores into the private groups of its players. A board of a template has none. */
async function renewGroups(
  services: Services,
  ofBoards: ReadonlyMap<string, readonly NumberedRecord[]>,
): Promise<void> {
  for (const [leaderboard, records] of ofBoards) {
    const groups = new Set<string>();
    for (let from = 0; from < records.length && !isOfTemplate(leaderboard); from += playersPerQuery) {
      const players = records.slice(from, from + playersPerQuery).map(({ record }) => record.player);
      const found = await tryAgain(services, () => openGroupsWith(services, leaderboard, players), patience);
      for (const group of found) groups.add(group);
    }
    for (const group of groups)
      await tryAgain(
        services,
        () => renewPrivateGroup(services, leaderboard, group, { isAudit: true }),
        patience,
      );
  }
}

/** The season has ended while an import went on. The rest of the file counts nowhere yet. */
export class SeasonEnded extends CliError {
  constructor(
    season: string,
    { written, unchanged, records }: { written: number; unchanged: number; records: number },
    cause: unknown,
  ) {
    super(
      `The season "${season}" takes no scores any more, so the import has stopped. In the season are ` +
        `${countOf(written, "player")} that it wrote, and ${countOf(unchanged, "player")} that were as they should be: ` +
        `all of the file's first ${countOf(records, "record")}, and perhaps some of the next. Import those after them into ` +
        "an open season, from a file of their own; or the whole file, with --restart.",
      { cause },
    );
  }
}

async function* roundsOf(
  records: AsyncIterable<NumberedRecord>,
): AsyncGenerator<{ players: NumberedRecord[]; first: NumberedRecord; last: NumberedRecord }> {
  let round = new Map<string, NumberedRecord>();
  let ends: { first: NumberedRecord; last: NumberedRecord } | undefined;
  for await (const numbered of records) {
    round.set(`${numbered.leaderboard} ${numbered.record.player}`, numbered);
    ends = { first: ends?.first ?? numbered, last: numbered };
    if (round.size < importLanes * playersPerCountMax) continue;
    yield { players: [...round.values()], ...ends };
    round = new Map();
    ends = undefined;
  }
  if (ends !== undefined) yield { players: [...round.values()], ...ends };
}

/** A killed import leaves locks for up to a minute. */
const patience: TryAgainOptions = {
  mayPass: (error) => asRetryable(error, "") !== undefined,
  firstWaitMs: 500,
};

async function writeBatch(
  services: Services,
  { season, startedMs }: ImportWork,
  batch: readonly NumberedRecord[],
): Promise<number> {
  const [{ leaderboard } = { leaderboard: "" }] = batch;
  const open = () => requestedOpenBoard(services, { leaderboard, season });
  const { key, definition } = await tryAgain(services, open, patience);
  const records = new Map(batch.map((numbered) => [numbered.record.player, numbered]));
  const statusIn = (player: string) => records.get(player)?.record.status;
  const rewrite = (player: string, data: Record<string, unknown> | undefined, kept?: PlayerStatus) => {
    const found = records.get(player);
    if (found === undefined) return undefined;
    const { record, index } = found;
    // As it will be stored: another score would be a new one each time, with a new time.
    const score = record.score === undefined ? undefined : toStep(definition, record.score);
    return mergePlayer(data, defined({ ...record, score }), timeOf(startedMs, index), kept);
  };
  for (const { record } of batch)
    if (record.status !== undefined && record.status !== "active")
      await banElsewhere(services, leaderboard, record.player, record.status);
  const takes = (stored: Season) => isTaking(stored, services.now());
  const count = () => countPlayers(services, key, [...records.keys()], { rewrite, statusIn, takes });
  return (await tryAgain(services, count, patience)).rewritten;
}

/**
 * Hides or bans a player of a file in the board's other seasons, unless the board keeps a status that is as strict. It
 * comes before the player is imported: an import that is killed in between begins here again.
 */
async function banElsewhere(services: Services, leaderboard: string, player: string, status: PlayerStatus) {
  const ban = async () => {
    const kept = readPlayerStatus(
      (await services.db.doc(playerStatusPath(leaderboard, player)).get()).data(),
    );
    if (stricter(status, kept) === kept) return;
    try {
      await setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined);
    } catch (error) {
      // Then there is no other season to change.
      const isNowhere =
        error instanceof FirerankError && ["player_not_ranked", "player_erased"].includes(error.code);
      if (!isNowhere) throw error;
    }
  };
  await tryAgain(services, ban, patience);
}

/**
 * The start, a microsecond later for each record: among equals without a time, the first in the file counts as first.
 */
function timeOf(startedMs: number, index: number): Timestamp {
  const microseconds = startedMs * 1_000 + index;
  return new Timestamp(Math.floor(microseconds / 1e6), (microseconds % 1e6) * 1_000);
}
