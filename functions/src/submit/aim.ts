/** The seasons that a submission goes to: those that run now, or one that it names; and whether they take it. */
import type { SeasonKey } from "../documents/paths.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import type { Board, OpenedBoard, SeasonServices } from "../seasons/board.ts";
import { currentSeasons, requestedBoard } from "../seasons/current.ts";
import { isTaking, isToCome } from "../seasons/open-now.ts";

/** Seasons that take submissions, or that only answer which ones they took. */
export interface Target {
  boards: OpenedBoard[];
  /**
   * For each board the season of its span before, as long as a submission of that time may be sent again;
   * undefined where there is none.
   */
  earlier: (OpenedBoard | undefined)[];
  /** Why no new submission is taken. */
  closed: FirerankError | undefined;
}

/** What a call is directed at. */
export interface Aim {
  /** The boards in memory, whether their seasons are open or not. */
  loaded: Board[];
  /**
   * Opens seasons that are not open yet. Cost: what opening costs; where a submission may be a repetition, in the first
   * quarter of an hour of a season also 2 reads a minute for the one before.
   * @param mayRepeat whether a submission may be a repetition of a recorded one; then the seasons before count too.
   */
  take(mayRepeat: boolean): Promise<Target>;
}

/**
 * How long after a season begins a submission to the one before may be sent again: the client retries for minutes.
 */
export const repeatedAfterMsMax = 15 * 60_000;

/** The present season of each span. Cost: 2 reads a minute for each. @throws `leaderboard_not_found` */
export async function aimAtSpans(services: SeasonServices, leaderboard: string, nowMs: number): Promise<Aim> {
  const { boards } = services;
  const stretches = await currentSeasons(services, leaderboard, nowMs);
  if (stretches.length === 0) {
    const message = `is missing: leaderboard "${leaderboard}" has no spans, so name an open season`;
    throw invalidRequest([{ path: "season", message }]);
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
          const board = await boards.load(before);
          return hasSeason(board) ? board : undefined;
        }),
      );
      return { boards: opened, earlier, closed: refusalOf(opened, nowMs, "spans") };
    },
  };
}

/**
 * A custom season. Cost: 4 reads a minute.
 * @throws `leaderboard_not_found`, `season_not_found`; `invalid_request` for a season of a span
 */
export async function aimAtSeason(services: SeasonServices, key: SeasonKey, nowMs: number): Promise<Aim> {
  const board = await requestedBoard(services, key);
  if (!hasSeason(board) || board.season.span !== "custom") {
    const message = `"${key.season}" belongs to a span of the board; leave season out, and the score counts for all spans`;
    throw invalidRequest([{ path: "season", message }]);
  }
  const boards = [board];
  return {
    loaded: boards,
    take: () =>
      Promise.resolve({ boards, earlier: [undefined], closed: refusalOf(boards, nowMs, "tournament") }),
  };
}

function hasSeason(board: Board): board is OpenedBoard {
  return board.season !== undefined;
}

/**
 * Why seasons take no submission. One that came before a season's end, but reached it when it had begun to close, is late
 * for a tournament; of the spans, the next season takes it.
 */
function refusalOf(
  boards: readonly OpenedBoard[],
  nowMs: number,
  of: "spans" | "tournament",
): FirerankError | undefined {
  const closed = boards.find(({ season }) => !isTaking(season, nowMs));
  if (closed === undefined) return undefined;
  const { key, season } = closed;
  if (of === "spans" && season.closes_at !== null && nowMs < season.closes_at.toMillis())
    return new FirerankError(
      "contention",
      `The season "${key.season}" of leaderboard "${key.leaderboard}" has just ended, and nothing was recorded; send it ` +
        "again with the same submission_id, and it counts for the next season.",
    );
  const when =
    season.status === "open" && isToCome(season, nowMs)
      ? `opens at ${season.opens_at.toDate().toISOString()}`
      : "takes no more scores";
  return new FirerankError(
    "season_closed",
    `The season "${key.season}" of leaderboard "${key.leaderboard}" ${when}; nothing was recorded.`,
  );
}
