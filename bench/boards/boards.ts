/** Boards that are full when their play begins, and what is played on them. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath, seasonPath, shardPath } from "../../functions/src/documents/paths.ts";
import { newSeason } from "../../functions/src/documents/season.ts";
import { scoreToField } from "../../functions/src/model/score.ts";
import type { Data } from "../../simulate/memory/store.ts";
import { type Play, startPlay } from "./play.ts";

/** A board of all time, whose latest scores count, so that each score changes it. */
export interface Full {
  boards: number;
  players: number;
  topSize: number;
}

/** Scores and questions come at random times, each from any player of any board. */
export interface Rates {
  /** On each board. */
  scoresPerSecond: number;
  ranksPerSecond: number;
}

/** A Sunday, some hours before audits. */
export const startMs = Date.parse("2026-03-01T00:00:00Z");
const hourMs = 3_600_000;

export const boardName = (index: number) => `board-${index}`;
const playerName = (index: number) => `player-${index}`;
/** Scores are whole numbers below this, so hardly two players have the same. */
const scoresMax = 1_000_000;

const drawScore = (random: () => number) => Math.floor(random() * scoresMax);

/**
 * Starts a play with full boards, ranked and asleep, as if nobody had played for long.
 * @param hoursBefore {@link startMs} when they are.
 */
export async function startFull(
  { boards, players, topSize }: Full,
  random: () => number,
  hoursBefore = 0,
): Promise<Play> {
  const beginMs = startMs - hoursBefore * hourMs;
  const play = startPlay(beginMs - 3 * hourMs);
  for (let board = 0; board < boards; board++) {
    await play.createBoard(boardName(board), { aggregation: "latest", top_size: topSize });
    fill(play, boardName(board), players, random);
  }
  await play.pass(beginMs);
  play.take();
  return play;
}

/** Writes a season with players, their marks, and a shard that counts them. The next run ranks them. */
function fill({ store, now }: Play, leaderboard: string, players: number, random: () => number): void {
  const key = { leaderboard, season: "all_time" };
  const at = Timestamp.fromMillis(now());
  const counts: Record<string, number> = {};
  const documents: [path: string, data: Data][] = [];
  for (let index = 0; index < players; index++) {
    const score = drawScore(random);
    const counted = { score, of: "the bench" };
    const data = { score, achieved_at: at, status: "active", attempts: 1, counted };
    documents.push([playerPath(key, playerName(index)), data]);
    counts[scoreToField(score)] = (counts[scoreToField(score)] ?? 0) + 1;
  }
  const season = {
    span: "all_time",
    opens_at: at,
    closes_at: null,
    interval_ms: 300_000,
    next_run_at: at,
  } as const;
  documents.push([seasonPath(key), { ...newSeason(season) }]);
  documents.push([shardPath(key, 0, now()), { slot_ends_at: at, player_count: counts }]);
  store.commit(documents.map(([path, data]) => ({ path, guard: {}, apply: () => data })));
}

/** Lets scores and questions come at random for some seconds, from now on; they happen when time passes. */
export function drawCalls(
  play: Play,
  full: Full,
  rates: Rates,
  seconds: number,
  random: () => number,
): number {
  const pick = (count: number) => Math.floor(random() * count);
  const each = (perSecond: number, call: (atMs: number, board: string, player: string) => void) => {
    let count = 0;
    for (let at = gap(); at < seconds; at += gap(), count++)
      call(play.now() + Math.floor(1_000 * at), boardName(pick(full.boards)), playerName(pick(full.players)));
    return count;
    function gap() {
      return -Math.log(1 - random()) / (perSecond * full.boards);
    }
  };
  each(rates.ranksPerSecond, (atMs, board, player) => {
    play.rank(atMs, board, player);
  });
  return each(rates.scoresPerSecond, (atMs, board, player) => {
    play.score(atMs, board, player, drawScore(random));
  });
}
