/** The seasons that a submission goes to, whether they take it, and what they and those before have of its players. */
import type { PlayersTransaction } from "../counting/commit-players.ts";
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { type Player, playerData, readPlayer, readPlayerStatus } from "../documents/player.ts";
import { erasurePath, isErased } from "../documents/erasure.ts";
import { documentsAt } from "../documents/reads.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { type Board, boardIfAny, isOpened, type OpenedBoard, type SeasonServices } from "../seasons/board.ts";
import { currentSeasons, requestedBoard } from "../seasons/current.ts";
import { isTaking, isToCome } from "../seasons/open-now.ts";
import type { Stretch } from "../seasons/stretch.ts";
import { type Applied, attemptsUsedUp, keepingIds } from "./apply.ts";
import type { Submission } from "./schema.ts";

/** Seasons that take submissions, or that only answer which ones they took. */
export interface Target {
  boards: OpenedBoard[];
  /** For each board the season of its span before, if there is one whose submissions may be sent again. */
  earlier: (OpenedBoard | undefined)[];
  /** Why no new submission is taken. */
  closed: FirerankError | undefined;
}

interface Aim {
  /** The boards in memory, whether their seasons are open or not. */
  loaded: Board[];
  /**
   * Opens seasons that are not open yet. Cost: what opening costs; in the first quarter of an hour of a season, with
   * `mayRepeat`, also 2 reads a minute for the one before.
   * @param mayRepeat whether a submission may be a repetition of a recorded one; then the seasons before count too.
   */
  take(mayRepeat: boolean): Promise<Target>;
}

/** How long after a season begins a submission to the one before may be sent again: clients retry for minutes. */
export const repeatedAfterMsMax = 15 * 60_000;

/** The present season of each span. Cost: 2 reads a minute for each. @throws `leaderboard_not_found` */
export async function aimAtSpans(services: SeasonServices, leaderboard: string, nowMs: number): Promise<Aim> {
  const { boards } = services;
  const stretches = await currentSeasons(services, leaderboard, nowMs);
  if (stretches.length === 0) {
    const message = `is missing: leaderboard "${leaderboard}" has no spans, so name an open season`;
    throw invalidField("season", message);
  }
  const loaded = await Promise.all(stretches.map(({ key }) => boards.load(key)));
  return {
    loaded,
    async take(mayRepeat) {
      const opened = await Promise.all(stretches.map((stretch) => boards.open(stretch)));
      const earlier = await Promise.all(
        stretches.map(async ({ before, opensAtMs }) => {
          const isRecent = opensAtMs !== null && nowMs < opensAtMs + repeatedAfterMsMax;
          if (before === undefined || !mayRepeat || !isRecent) return undefined;
          // A damaged one refuses nobody today; what was sent to it again may then count twice.
          const board = await boardIfAny(services, before);
          return board && isOpened(board) ? board : undefined;
        }),
      );
      return { boards: opened, earlier, closed: refusalOfSpans(opened, stretches, nowMs) };
    },
  };
}

/**
 * A custom season. Cost: 4 reads a minute.
 * @throws `leaderboard_not_found`, `season_not_found`; `invalid_request` for a season of a span
 */
export async function aimAtSeason(services: SeasonServices, key: SeasonKey, nowMs: number): Promise<Aim> {
  const board = await requestedBoard(services, key);
  if (!isOpened(board) || board.season.span !== "custom") {
    const message = `"${key.season}" belongs to a span of the board; leave season out, and the score counts for all spans`;
    throw invalidField("season", message);
  }
  const boards = [board];
  const target = { boards, earlier: [undefined], closed: refusalOfTournament(board, nowMs) };
  return { loaded: boards, take: () => Promise.resolve(target) };
}

/** How long a season may wait for the schedule to move its end, and instances for the news. */
const lengthenedAfterSeconds = 60;

/**
 * Why the present seasons of spans take no submission now. It is never for good, as scores of a span always have a season
 * to go to: one that has begun to close is followed by the next. One that is open past its stored end will be lengthened,
 * as the rules of its time zone have changed (jobs/closing/end.ts).
 */
function refusalOfSpans(boards: readonly OpenedBoard[], stretches: readonly Stretch[], nowMs: number) {
  const index = boards.findIndex(({ season }) => !isTaking(season, nowMs));
  const closed = boards[index];
  if (closed === undefined) return undefined;
  const { key, season } = closed;
  const nextMs = stretches[index]?.closesAtMs ?? nowMs;
  const isOpen = season.status === "open";
  return new FirerankError(
    "contention",
    `The season "${key.season}" of leaderboard "${key.leaderboard}" ` +
      (isOpen
        ? "is being lengthened, and nothing was recorded; send it again in a minute with the same submission_id."
        : "has ended, and nothing was recorded; send it again with the same submission_id, and it counts for the next season, " +
          `from ${new Date(nextMs).toISOString()} on.`),
    {
      retry_after_seconds: isOpen ? lengthenedAfterSeconds : Math.max(1, Math.ceil((nextMs - nowMs) / 1_000)),
    },
  );
}

/** One that came before a tournament's end, but reached it when it had begun to close, is late. */
function refusalOfTournament({ key, season }: OpenedBoard, nowMs: number) {
  if (isTaking(season, nowMs)) return undefined;
  const when =
    season.status === "open" && isToCome(season, nowMs)
      ? `opens at ${season.opens_at.toDate().toISOString()}`
      : "takes no more scores";
  return new FirerankError(
    "season_closed",
    `The season "${key.season}" of leaderboard "${key.leaderboard}" ${when}; nothing was recorded.`,
  );
}

/** What a submission does in a season; `refused` says why it does not count there, though it does in another. */
export type AppliedTo = Applied & { board: OpenedBoard; refused?: FirerankError };

/** A player's documents, in the order of the boards of a {@link Target}. */
export interface PlayerFound {
  /** As they were read, whether they exist or not. */
  documents: (DocumentSnapshot | undefined)[];
  present: (Player | undefined)[];
  earlier: (Player | undefined)[];
  /** Whether the board takes no document of the player, who was erased a while ago. */
  isErased: boolean;
}

/**
 * Reads players' documents. A player who has none in a season begins there with the status and the segments that the
 * player has elsewhere, so that a ban outlasts the season.
 * Cost: 1 read for each player and board, and 1 for each season before if the call names an id of the player. For a
 * player who has no document in any of the boards 1 for an erasure; and 1 for the status where the seasons before have
 * none either, unless `all_time` is among them and was from the beginning.
 * @param asked players, with the submission ids that the call names.
 */
export async function readPlayers<Asked extends { player: string; ids: ReadonlySet<string> }>(
  db: Firestore,
  players: Pick<PlayersTransaction, "getAll">,
  { boards, earlier, closed }: Target,
  asked: readonly Asked[],
  nowMs: number,
): Promise<(Asked & PlayerFound)[]> {
  const paths = asked.flatMap(({ player, ids }) => {
    const all = ids.size === 0 ? boards : [...boards, ...earlier];
    return all.flatMap((board) => (board === undefined ? [] : playerPath(board.key, player)));
  });
  const read = new Map((await documentsAt(db, paths, players)).map((one) => [one.ref.path, one]));
  const found = asked.map((one): Asked & PlayerFound => {
    const { player, ids } = one;
    const documentIn = (board?: OpenedBoard) => board && read.get(playerPath(board.key, player));
    const documents = boards.map((board) => documentIn(board));
    const present = documents.map((document) =>
      keepingIds(document && readPlayer(playerData(document)), ids),
    );
    const before = earlier.map((board) => readPlayer(documentIn(board)?.data()));
    return { ...one, documents, present, earlier: before, isErased: false };
  });
  const isKnown = boards.some((board) => board.season.span === "all_time" && !board.gotAllTimeLate);
  const strangers = isKnown ? [] : found.filter((one) => firstOf(one) === undefined);
  // An erasure is through only when it finds no document of the player: so who has one is not erased, or not yet.
  const isNew = ({ present }: PlayerFound) => present.every((player) => player === undefined);
  const unseen = closed === undefined ? found.filter(isNew) : [];
  const leaderboard = boards[0]?.key.leaderboard ?? "";
  const erasurePaths = unseen.map(({ player }) => erasurePath(player));
  const statusPaths = strangers.map(({ player }) => playerStatusPath(leaderboard, player));
  const beside = await documentsAt(db, [...erasurePaths, ...statusPaths], players);
  const [erasures, statuses] = [beside.slice(0, unseen.length), beside.slice(unseen.length)];
  return found.map((player) => {
    const erasure = erasures[unseen.indexOf(player)];
    const one = { ...player, isErased: isErased(erasure, leaderboard, nowMs) };
    const status = firstOf(one)?.status ?? readPlayerStatus(statuses[strangers.indexOf(player)]?.data());
    const segments = [...one.present, ...one.earlier].find((player) => player?.segments)?.segments;
    if (status === "active" && segments === undefined) return one;
    const begun = { attempts: 0, status, ...(segments && { segments }) };
    return { ...one, present: one.present.map((player) => player ?? begun) };
  });
}

function firstOf({ present, earlier }: PlayerFound): Player | undefined {
  return [...present, ...earlier].find((player) => player !== undefined);
}

/**
 * The result of a submission that was recorded before, found by its id, in the seasons of that time. It may be known in
 * only some of the seasons that it went to: all changed together, but a score that was no better left nothing behind, nor
 * did one where the attempts were used up.
 */
export function repeatedTo(
  { boards, earlier }: Target,
  found: Pick<PlayerFound, "present" | "earlier">,
  { submission_id: id }: Submission,
): AppliedTo[] | undefined {
  // Banned players are refused as always, by applySubmission.
  if (id === undefined || found.present.some((player) => player?.status === "banned")) return undefined;
  const knows = (player: Player | undefined) => player?.submission_ids?.includes(id) === true;
  const isOfBefore = found.earlier.some(knows);
  if (!isOfBefore && !found.present.some(knows)) return undefined;
  return boards.flatMap((present, i) => {
    const before = earlier[i];
    // A server may have spoilt the score since: the id still tells that the submission went there.
    const isThere = (player: Player | undefined) => player?.score !== undefined || knows(player);
    const useBefore = before !== undefined && (isOfBefore || !isThere(found.present[i]));
    const player = useBefore ? found.earlier[i] : found.present[i];
    if (player === undefined || !isThere(player)) return [];
    const board = useBefore ? before : present;
    const refused = knows(player) ? undefined : attemptsUsedUp(board.definition, board.season.span, player);
    return [{ board, player, changed: false, improved: false, repeated: true, ...(refused && { refused }) }];
  });
}
