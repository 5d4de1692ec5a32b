/**
 * getRank with another way to find the place: the same callable protocol, request schema, checks (the board and who
 * may read it, from the same memory) and answer. What differs is where the rank comes from.
 */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { readableRanking } from "../../../functions/src/operations/shared/season-asked.ts";
import { rankOf } from "../../../functions/src/reading/rank.ts";
import { defineCallable } from "../../../functions/src/transports/callable.ts";

/** What was found for a request. */
export interface Found {
  /** Players with a better score. */
  above: number;
  /** All players. */
  players: number;
}

/**
 * A callable that answers as getRank does, from what `find` finds; without `dense_rank`, which would cost the other systems a
 * second query.
 */
export function rankCallable(find: (score: number) => Promise<Found>) {
  return defineCallable({
    name: "getRank",
    request: getRankSpec.request,
    async handle(services, { score = NaN, leaderboard, season, span }, caller) {
      const { board } = await readableRanking(services, { leaderboard, season, span }, caller);
      const found = await find(score);
      const rank = found.above + 1;
      const place = { rank, dense_rank: rank, exact: true, rank_best: rank, rank_worst: rank };
      const asOf = Timestamp.fromMillis(services.now());
      const places = {
        of: () => place,
        players: found.players,
        freshness: "live",
        asOf,
        generation: 1,
      } as const;
      const { dense_rank: _, ...answer } = rankOf(board.key, board.definition, places, score, undefined);
      return answer;
    },
  });
}

/** A setting of the environment, which bench/serve/systems puts there. @throws if it is missing */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; npm run bench -- serve sets it`);
  return value;
}
