/**
 * The answer to a submission, for one call and for many. The score is already recorded, so nothing here may fail: what
 * cannot be read is left out. Otherwise the caller would send the score again, or think it lost.
 */
import type { Rank, SeasonAnswer, SubmissionAnswer } from "../model/answers.ts";
import { publishedPlace, rankOf } from "../reading/rank.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { AppliedTo } from "../submit/players-found.ts";
import type { Services } from "./services.ts";

/** The generations that a caller has seen: each season counts its own. */
export interface GenerationsSeen {
  bySeason?: Readonly<Record<string, number>> | undefined;
  /** Of the first of the seasons that the score counts in, from callers who do not name it. */
  ofFirst?: number | undefined;
}

/**
 * Cost: for each season 1 read, 0 while the page of the score is in memory and not older than the caller has seen. A
 * rank that cannot be read, for instance because the page is damaged, is null, and logged.
 */
export async function answerSubmission(
  services: Services,
  leaderboard: string,
  player: string,
  applied: readonly AppliedTo[],
  { bySeason = {}, ofFirst = 0 }: GenerationsSeen = {},
): Promise<SubmissionAnswer> {
  const seasons = await Promise.all(
    applied.map((result, i) => {
      const { season } = result.board.key;
      const seen = Object.hasOwn(bySeason, season) ? (bySeason[season] ?? 0) : 0;
      return answerSeason(services, player, result, i === 0 ? Math.max(seen, ofFirst) : seen);
    }),
  );
  return { leaderboard, player, seasons };
}

async function answerSeason(
  services: Services,
  id: string,
  { board, player, improved, repeated }: AppliedTo,
  minGeneration: number,
): Promise<SeasonAnswer> {
  const { score = 0, columns, attempts, status } = player;
  return {
    season: board.key.season,
    span: board.season.span,
    score,
    ...(columns === undefined ? {} : { columns }),
    improved,
    attempts,
    ...(repeated ? { repeated } : {}),
    rank: status === "active" ? await rankIfTold(services, board, { id, score, minGeneration }) : null,
  };
}

async function rankIfTold(
  { pages, log }: Services,
  { key, definition }: OpenedBoard,
  { id, score, minGeneration }: { id: string; score: number; minGeneration: number },
): Promise<Rank | null> {
  const { order } = definition;
  try {
    const page = await pages.pageOf(key, order, score, minGeneration);
    if (page.generation === 0) return null;
    return rankOf(key, definition, publishedPlace(order, page, score), score, id);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    log.error("a score is recorded, but its rank could not be found out", {
      ...key,
      player: id,
      score,
      cause,
    });
    return null;
  }
}
