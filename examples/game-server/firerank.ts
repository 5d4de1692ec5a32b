/** The three requests of Firerank's REST interface that the game needs, with fetch alone. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Token } from "../admin.ts";

/** A place on the board; see `/openapi.json` for all fields. */
export interface Rank {
  score: number;
  rank: number;
  players: number;
  percentile: number;
  as_of: string;
}

export interface Top {
  players: number;
  entries: { player: string; rank: number; score: number; display_name?: string }[];
}

export interface Submission {
  seasons: { score: number; improved: boolean; attempts: number; rank: Rank | null }[];
}

/** One board. It need not be there: a board of a template is opened by its first score. */
export interface Board {
  /** Submits for a player. May be repeated with the same `submissionId`: it counts once. */
  submit(player: string, score: number, submissionId: string): Promise<Submission>;
  /** A player's rank; nothing before the first score. */
  rankOf(player: string): Promise<Rank | undefined>;
  top(limit: number): Promise<Top>;
}

/** The board of an id. */
export type Firerank = (leaderboard: string) => Board;

/** What Firerank refused, with its code. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: { code: string; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const attemptsMax = 4;
const firstWaitMs = 250;

interface Options {
  /** The `leaderboardApi` function's URL. */
  url: string;
  token: Token;
}

export function createFirerank({ url, token }: Options): Firerank {
  return (leaderboard) => boardAt(`${url}/v1/leaderboards/${encodeURIComponent(leaderboard)}`, token);
}

function boardAt(board: string, token: Token): Board {
  async function send<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${board}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${await token()}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer & { error?: { code: string; message: string } };
    if (answer.error !== undefined) throw new Refusal(response.status, answer.error);
    return answer;
  }

  return {
    async submit(player, score, submissionId) {
      const body = { player, score, display_name: player, submission_id: submissionId };
      for (let attempt = 1; ; attempt++) {
        try {
          return await send<Submission>("/scores", body);
        } catch (error) {
          // A refusal stays one. Whatever else may have been recorded or not: the same id makes it once.
          const final = error instanceof Refusal && error.code !== "contention" && error.status < 500;
          if (final || attempt === attemptsMax) throw error;
          await sleep(firstWaitMs * 2 ** (attempt - 1));
        }
      }
    },
    async rankOf(player) {
      try {
        return await send<Rank>(`/scores/${encodeURIComponent(player)}`);
      } catch (error) {
        if (error instanceof Refusal && error.code === "player_not_ranked") return undefined;
        throw error;
      }
    },
    top: (limit) => send<Top>(`/top?limit=${limit}`),
  };
}
