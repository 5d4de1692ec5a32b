/** The answer to a submission, for one call and for many. */
import type { SeasonAnswer, SubmissionAnswer } from "../model/answers.ts";
import { publishedPlace, rankOf } from "../ranking/rank.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { Services } from "../services.ts";
import type { Applied } from "../submit/apply.ts";

/** Cost: for each season 1 read, 0 while the page of the score is in memory. */
export async function answerSubmission(
  services: Services,
  boards: readonly OpenedBoard[],
  player: string,
  applied: readonly Applied[],
): Promise<SubmissionAnswer> {
  const seasons = await Promise.all(
    boards.flatMap((board, i) => {
      const result = applied[i];
      return result === undefined ? [] : [answerSeason(services, board, player, result)];
    }),
  );
  return { leaderboard: boards[0]?.key.leaderboard ?? "", player, seasons };
}

async function answerSeason(
  services: Services,
  { key, definition, season }: OpenedBoard,
  id: string,
  { player, improved, repeated }: Applied,
): Promise<SeasonAnswer> {
  const { score = 0, columns, attempts, status } = player;
  const { order } = definition;
  const page = status === "active" ? await services.pages.pageOf(key, order, score) : undefined;
  const isPublished = page !== undefined && page.generation > 0;
  return {
    season: key.season,
    span: season.span,
    score,
    ...(columns === undefined ? {} : { columns }),
    improved,
    attempts,
    ...(repeated ? { repeated } : {}),
    rank: isPublished ? rankOf(key, definition, publishedPlace(order, page, score), score, id) : null,
  };
}
