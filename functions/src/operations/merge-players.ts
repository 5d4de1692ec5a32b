/** `mergePlayers`: makes two players one, after their accounts were linked. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Fields } from "../counting/commit-players.ts";
import { hasStatusesAlone, statusOf } from "../counting/kept-status.ts";
import { erasurePath, isErased, playerErased } from "../documents/erasure.ts";
import { redactEvents } from "../documents/event.ts";
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { leagueSeatIn } from "../documents/group.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import {
  readPlayer,
  readPlayerStatus,
  readReason,
  type Player,
  type PlayerChange,
  playerData,
  playerFields,
  storedPlayerOf,
  statusAlone,
} from "../documents/player.ts";
import { documentsAt } from "../documents/reads.ts";
import type { MergePlayersAnswer } from "../model/admin-answers.ts";
import { unpackColumns } from "../model/columns.ts";
import { defined } from "../model/defined.ts";
import { type Definition, segmentNames } from "../model/definition.ts";
import { FirerankError, isBoardNotFound, TemplateAsked } from "../model/errors.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { stricter, statusNamed, type PlayerStatus } from "../model/player-status.ts";
import { definitionOf } from "../model/season-definition.ts";
import { segmentsIn } from "../model/segments.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
import { boardsOfPlayer } from "../seasons/player-boards.ts";
import { type PlayerSeason, seasonsOfPlayer, takeOut } from "../seasons/player-seasons.ts";
import { finalTablesOf } from "../standings/final-tables.ts";
import { fieldsOf, heldLine, holdLine, type Standing, standingOf } from "../standings/pack.ts";
import { askForSeats, isInTime } from "../league/ask.ts";
import { groupsOfPlayer } from "../groups/members.ts";
import { passGroups, renewPrivateGroupsOf } from "../groups/pass.ts";
import { passLateStanding, passStanding } from "../league/pass-standing.ts";
import { seatAfterMerge } from "../league/seat-after-merge.ts";
import { renewGroupsOf } from "../league/keep-group.ts";
import { mergePlayer } from "../submit/merge.ts";
import { keepTopLive, renewTopWithout } from "../top/keep-live.ts";
import { describeError } from "../world/describe-error.ts";
import { scoreShown } from "../jobs/players/set-status.ts";
import { boardProblem, boardsDefined, createAttempts } from "../seasons/boards-asked.ts";
import { type Circumstances, reviseSeason } from "../standings/revise.ts";
import type { Services } from "../world/services.ts";
import { keepForSeasonsToCome, setPlayerStatusSpec } from "./set-player-status.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { boardCacheOf, isOpened } from "../seasons/board.ts";

const request = z
  .strictObject({ from: documentId, to: documentId, leaderboard: leaderboardId.optional() })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "must not be the same player as from" });

/**
 * Merges the player `from` into `to`, on one board or on all, in every season, open or closed: scores by the board's
 * aggregation (see `submit/merge.ts`), the stricter status, also for seasons to come. `from` is gone afterwards, also
 * from tops and events; ranks follow as after {@link removePlayerSpec}. Each season is one transaction, so after an
 * error, or if the process dies, the call can be repeated, and nothing counts twice.
 *
 * Cost: 4 reads a board, and 3 more with a league; without a board 1 for each definition there is; of all boards of a
 * template 1 read more, and 1 for each document that stays of `from`; 1 write, and for all but the first 1 read, for each
 * event that names `from`; for each season 4 reads, 3 for the next one of each span, and {@link seasonsThatMayHavePlayer};
 * for each that may have `from` {@link renewTopWithout}. For each season that has `from`: 6 reads, 3 writes and 1 delete, or
 * 3 writes in the `all_time` of a `from` who is hidden or banned. A closed season with `from` costs 7 reads, and 4 writes
 * where the standings change, besides those of their documents and of publishing them; one without, in which the document of
 * `to` was changed after the end, 1 read. A status of `from` costs what `setPlayerStatus` does, and each document of `to`
 * that names none 1 read.
 * @throws `leaderboard_not_found` for a named board that does not exist; `player_not_ranked` if neither player is
 * anywhere. A named board that is damaged is a ZodError; among all boards, it is in the answer. Seasons of it that can
 * be read are merged.
 */
export const mergePlayersSpec: OperationSpec<typeof request, MergePlayersAnswer> = {
  name: "mergePlayers",
  request,
  async handle(services, { from, to, leaderboard }) {
    const seasons: MergePlayersAnswer["seasons"] = [];
    const failed: NonNullable<MergePlayersAnswer["failed"]> = [];
    const begun = new Set<string>();
    const asked = new Set<string>();
    const inGroups: string[] = [];
    const mergeOn = async (board: string) => {
      asked.add(board);
      try {
        await boardCacheOf(services).loadDefinition(board);
        // A template keeps a status for all of its boards.
        const isStatusPassed = begun.has(definitionId(board));
        begun.add(definitionId(board));
        const merged = await mergeEverywhereOn(services, board, { from, to, isStatusPassed });
        seasons.push(...merged.seasons);
        if (merged.wasInGroups) inGroups.push(board);
      } catch (error) {
        // Its boards are merged by themselves.
        if (error instanceof TemplateAsked) return;
        // Somebody has deleted its definition by hand.
        if (leaderboard === undefined && isBoardNotFound(error)) return;
        const message = leaderboard === undefined ? boardProblem(board, error) : undefined;
        if (message === undefined) throw error;
        const problem = { leaderboard: board, error: describeError(error) };
        services.log.error("a board could not be merged", problem);
        failed.push({ leaderboard: board, message });
      }
    };
    let boards = await boardsDefined(services, leaderboard, [from, to]);
    while (boards.length > 0) {
      for (const board of boards) await mergeOn(board);
      // Boards of templates that a score of `from` has opened meanwhile.
      const areMany = boards.some((board) => isOfTemplate(board) && board !== leaderboard);
      const present = areMany ? await boardsOfPlayer(services, from, leaderboard) : [];
      boards = present.filter((board) => !asked.has(board));
    }
    let isDone = seasons.length > 0 || failed.length > 0 || inGroups.length > 0;
    // Of a merge of two without a document that is sent again, a private group tells.
    for (const board of asked) isDone ||= (await groupsOfPlayer(services, board, to)).length > 0;
    if (!isDone) {
      const message = `Neither player "${from}" nor player "${to}" has a document in any season; check both ids.`;
      throw new FirerankError("player_not_ranked", message);
    }
    return { from, to, seasons, ...(failed.length === 0 ? {} : { failed }) };
  },
};

interface PlayersToMerge {
  from: string;
  to: string;
  /** Of a guest: final tables stay as they are, also of a season that closes meanwhile. */
  isGuest?: boolean;
  /** Whether `to` has the status that the board keeps for `from`, with another board of the template. */
  isStatusPassed?: boolean;
}

type MergeResult = Pick<MergePlayersAnswer["seasons"][number], "merged" | "repeated" | "error"> & {
  /** In a closed season the line of `to`, also where it is not shown. */
  line?: Standing | undefined;
};

/**
 * The one way into a merge: merges `from` into `to` in seasons of a board, and in those that a submission begins meanwhile;
 * then no event names `from`. Cost: as {@link mergePlayersSpec} says, but for finding the seasons.
 * @returns by season what became of it, none where `from` was not in it; and whether `from` was in a private group.
 */
export async function mergeOnBoard(
  services: Services,
  leaderboard: string,
  pair: PlayersToMerge,
  seasons: readonly PlayerSeason[],
): Promise<{ results: Map<string, MergeResult>; wasInGroups: boolean }> {
  const { from } = pair;
  const { attempt, failures, end } = createAttempts();
  const isStandingLeft =
    pair.isStatusPassed !== true &&
    (await attempt(leaderboard, () => passStatusOn(services, leaderboard, pair)));
  const results = new Map<string, MergeResult>();
  const merge = async (found: PlayerSeason) => {
    const result = await attempt(leaderboard, () => mergeInSeason(services, found, pair));
    if (result !== undefined) results.set(found.key.season, result);
  };
  await takeOut(services, seasons, from, merge, ({ key, player }) => {
    // Of somebody who is not active a document without a score may stay.
    const isDone = results.get(key.season)?.merged === false;
    return failures.length === 0 && !isDone && player.get("score") !== undefined;
  });
  if ([...results.values()].some(({ merged }) => merged))
    await attempt(leaderboard, () => passLateStanding(services, leaderboard, pair, isStandingLeft));
  const passed = isOfTemplate(leaderboard)
    ? false
    : await attempt(leaderboard, () => passGroupsOn(services, leaderboard, pair));
  end();
  // Last, when no new top can still contain the player.
  if ([...results.values()].every(({ error }) => error === undefined))
    await redactEvents(services.db, leaderboard, from);
  return { results, wasInGroups: passed === true };
}

/** Puts `to` in the place of `from` in private groups, and shows there what `to` has now. */
async function passGroupsOn(services: Services, leaderboard: string, pair: PlayersToMerge): Promise<boolean> {
  const wasIn = await passGroups(services, leaderboard, pair);
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  if (definition.private_groups) await renewPrivateGroupsOf(services, leaderboard, pair.to);
  return wasIn;
}

async function mergeEverywhereOn(
  services: Services,
  leaderboard: string,
  pair: PlayersToMerge,
): Promise<{ seasons: MergePlayersAnswer["seasons"]; wasInGroups: boolean }> {
  const { from, to } = pair;
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  const listed = await seasonsOfPlayer(services, leaderboard, from);
  const { results, wasInGroups } = await mergeOnBoard(services, leaderboard, pair, listed);
  const seasons: MergePlayersAnswer["seasons"] = [];
  for (const found of await seasonsOfPlayer(services, leaderboard, to)) {
    const { key, span, player, season } = found;
    const { line, ...result } = results.get(key.season) ?? { merged: false };
    const { attempts = 0 } = readPlayer(player.data()) ?? {};
    if (!player.exists && result.error === undefined) continue;
    const status = statusNamed(await statusOf(services.db, key, player)) ?? "active";
    const final = line ?? (await finalLine(services, found));
    const value = scoreShown(definitionOf(board, season), player, final);
    seasons.push({ ...key, span, status, ...value, attempts, ...result });
  }
  return { seasons, wasInGroups };
}

/** What the table of a closed season has, or had, of a player. Cost: 1 read where the document was changed after the end. */
async function finalLine(services: Services, { key, season, player }: PlayerSeason) {
  if (season?.status !== "closed") return undefined;
  const listed = await finalTablesOf(services).playerOf({ key, season }, player);
  return listed ?? heldLine(player.id, player.data());
}

/**
 * Gives `to` the status that the board keeps for `from`, if it is the stricter one; before anything is merged, so that
 * nobody who is banned is ranked for a moment. `from` keeps it too: the account may still be there, and must not play
 * on. @returns whether `from` still has a standing in the league: see {@link passStanding}
 */
async function passStatusOn(services: Services, leaderboard: string, pair: PlayersToMerge): Promise<boolean> {
  const { db } = services;
  const { from, to } = pair;
  const paths = [playerStatusPath(leaderboard, from), playerStatusPath(leaderboard, to)] as const;
  const [ofFrom, ofTo] = await documentsAt(db, paths);
  const hasStanding = ofFrom.get("league") !== undefined;
  const isLeft = hasStanding && (await passStanding(services, leaderboard, pair));
  const [status, own] = [readPlayerStatus(ofFrom.data()), readPlayerStatus(ofTo.data())];
  if (status === "active" || stricter(own, status) !== status) return isLeft;
  const ownReason = own === status ? readReason(ofTo.data()) : undefined;
  const passedOn = { leaderboard, player: to, status, reason: ownReason ?? readReason(ofFrom.data()) };
  // With it, setPlayerStatus also takes a player who is in no season yet.
  await keepForSeasonsToCome(services, passedOn);
  await setPlayerStatusSpec.handle(services, passedOn, undefined);
  return isLeft;
}

/**
 * Merges `from` into `to` in one season. The document of `from` goes in the same transaction in which its score arrives at
 * `to`, so a merge that is repeated, or retried after a lost answer, adds nothing. In a closed season the standings say
 * what the two players' scores are. Fields that are not Firerank's stay; those that only `from` has come along. In
 * `all_time` a document with nothing but the status stays of a `from` who is hidden or banned.
 * @returns nothing where `from` was not in it; an `error` if a sum cannot be stored: nothing has changed then.
 */
async function mergeInSeason(
  services: Services,
  season: PlayerSeason,
  pair: PlayersToMerge,
): Promise<MergeResult | undefined> {
  const { from, to, isGuest = false } = pair;
  const { key, player: document, status } = season;
  const { leaderboard } = key;
  let result: MergeResult | undefined;
  let merged: PlayerChange | undefined;
  const both = (path: (player: string) => string) => [path(from), path(to)] as const;
  const board = isGuest ? await boardCacheOf(services).load(key) : undefined;
  const isLate = board !== undefined && isOpened(board) && !isInTime(board, services.now());
  if (status !== "open" || document.exists) {
    try {
      const done = await reviseSeason(services, key, {
        reason: "merged",
        read: [
          ...both((id) => playerPath(key, id)),
          ...both((id) => playerStatusPath(leaderboard, id)),
          ...both(erasurePath),
        ] as const,
        async change([source, target, ofFrom, ofTo, erasureOfFrom, erasure], of) {
          if (isGuest && of.standings !== undefined) return nothingMerged;
          const kept = [ofFrom, ofTo];
          const statuses = kept.map((one) => readPlayerStatus(one.data()));
          const leftover = { hasStatus: hasStatusesAlone(key), isGuest, isLate };
          const done = await merge(of, [source, erasureOfFrom], target, statuses, leftover);
          // Also where only a final table has `from`. Nothing of the transaction is written then.
          if (done.merged && !target.exists && isErased(erasure, leaderboard, services.now()))
            throw playerErased(to, leaderboard);
          return done;
        },
      });
      if (done.status === undefined) return undefined;
      if (isGuest && done.status === "closed") return { merged: false };
      if (done.result?.merged === true) {
        const { repeated, change, line } = done.result;
        result = { merged: true, line, ...(repeated.length === 0 ? {} : { repeated }) };
        if (done.status !== "closed") await keepTopLive(services, key, [change]);
        merged = change;
      }
    } catch (error) {
      if (!(error instanceof FirerankError) || error.code !== "score_out_of_range") throw error;
      return { merged: false, error: { code: error.code, message: error.message } };
    }
  }
  // Even if there is no document: an earlier call may have died while the top still showed the player.
  await renewTopWithout(services, key, from, { score: readPlayer(document.data())?.score, isErased: true });
  await showMergedInGroups(services, season, pair, merged);
  return result;
}

/**
 * @param source the document of `from`, and what an erasure has left.
 * @param statuses those that the board keeps for the two.
 * @param hasStatus whether a document of the season may keep a status alone. @param isGuest whether `from` is a guest.
 * @param isLate whether it is too late for a first score to get a seat.
 * @returns whether `from` was there, who is no more; and submissions that may have counted for both.
 */
async function merge(
  { definition, status: season, at, standings, writer }: Circumstances,
  [source, erasure]: readonly [DocumentSnapshot, DocumentSnapshot],
  target: DocumentSnapshot,
  statuses: readonly PlayerStatus[],
  { hasStatus, isGuest, isLate }: { hasStatus: boolean; isGuest: boolean; isLate: boolean },
) {
  const line = await standings?.find(source.id);
  const from = asStood(definition, source, standings && (line ?? heldLine(source.id, source.data())));
  const own = stricter(statuses[0] ?? "active", from?.status ?? "active");
  // What stays of a player who is not active, so that an account which was merged cannot play on.
  const leftover = hasStatus && own !== "active" ? statusAlone(own) : undefined;
  // Even if there is no document: the players may have been read while there was.
  writer.note(source.id, true);
  if (from === undefined || (leftover !== undefined && isOnly(source, leftover))) return nothingMerged;
  const lineOfTo = await standings?.find(target.id);
  const to = asStood(definition, target, standings && (lineOfTo ?? heldLine(target.id, target.data())));
  const { player, repeated } = mergePlayer(definition, from, to);
  const status = statuses.reduce(stricter, player.status);
  // In a closed season no event completes the document of somebody who was taken out before one had.
  const time = standings === undefined || player.score === undefined ? {} : { achieved_at: at };
  const others = foreignFields(source, target);
  const none = { metadata: undefined, ...(standings && { display_name: undefined, segments: undefined }) };
  const fields: Fields = { ...none, ...others, ...time, ...player, status };
  const segments = segmentsIn({ ...target.data(), ...fields }["segments"], segmentNames(definition));
  const next = standingOf(target.id, { ...fields, status: "active" }, definition, segments);
  const [shown, kept] = status === "active" ? [next, undefined] : [undefined, next];
  if (season !== "open") fields["held_line"] = kept && holdLine(target, fields, kept);
  const seat = season === "open" ? seatAfterMerge({ source, target, player, isGuest, isLate }) : undefined;
  if (seat !== undefined) fields["league_seat"] = seat;
  await standings?.put(source.id, undefined, definition);
  await standings?.put(target.id, shown, definition);
  writer.write(target, fields);
  writer.note(target.id, true);
  // What was on its way must not count for both: a submission of `from` is refused from now on.
  writer.keepOut(source.id, erasure);
  if (leftover === undefined) writer.remove(source);
  else writer.write(source, { ...withoutAll(source), ...leftover });
  const change = { before: target.data(), after: { ...target.data(), ...fields } };
  return { merged: true, repeated, change, line: standings && next };
}

const noChange: PlayerChange = { before: undefined, after: undefined };
const nothingMerged = { merged: false, repeated: [] as string[], change: noChange, line: undefined };

/**
 * Takes `from` out of the groups of a season's league, and shows there what `to` has now. Cost: {@link renewGroupsOf}, for
 * `from`, and where `from` was in a group or is merged, for `to`.
 */
async function showMergedInGroups(
  services: Services,
  season: PlayerSeason,
  { from, to }: PlayersToMerge,
  merged: PlayerChange | undefined,
): Promise<void> {
  const wasIn = await renewGroupsOf(services, season, from, true);
  if (!wasIn && merged === undefined) return;
  await renewGroupsOf(services, season, to);
  if (wasIn || leagueSeatIn(merged?.after)?.waits === true) await askForSeats(services, season.key);
}

function isOnly(document: DocumentSnapshot, leftover: Fields): boolean {
  const { counted: _, ...data } = document.data() ?? {};
  return isDeepStrictEqual(data, leftover);
}

function withoutAll(document: DocumentSnapshot): Fields {
  const names = Object.keys(document.data() ?? {}).filter((name) => name !== "counted");
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** A player as the standings of a closed season have them, whatever a server has made of the document since. */
function asStood(
  definition: Definition,
  document: DocumentSnapshot,
  line: Standing | undefined,
): Player | undefined {
  const player = storedPlayerOf(document);
  if (line === undefined) return player;
  const { status, ...shown } = fieldsOf(line);
  const stood = { ...shown, columns: unpackColumns(definition.order, definition.columns, line.score) };
  const { display_name, metadata, segments, ...others } = player ?? { attempts: 0, status };
  const own = segmentsIn(segments, segmentNames(definition));
  const isSame = isDeepStrictEqual(
    line,
    standingOf(document.id, { ...document.data(), status }, definition, own),
  );
  // Nobody has changed the document since: it has values to the last bit, and those that no table shows.
  const texts = isSame ? { display_name, metadata, segments } : {};
  return defined({ ...others, ...stood, ...texts }) as Player;
}

function foreignFields(source: DocumentSnapshot, target: DocumentSnapshot): Fields {
  const known = new Set<string>([...playerFields, ...Object.keys(target.data() ?? {})]);
  return Object.fromEntries(Object.entries(playerData(source) ?? {}).filter(([name]) => !known.has(name)));
}
