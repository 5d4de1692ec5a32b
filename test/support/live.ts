/**
 * The functions as an app sees them: callables over HTTP, accounts of the Auth emulator, triggers and tasks that run by
 * themselves. Needs the whole suite, which `npm test` starts.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { isMarkRight } from "../../functions/src/documents/mark.ts";
import { playersPath, seasonPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import {
  type Account,
  addressesIn,
  type AnswerOf,
  type CallableClient,
  createAccount,
  createCallableClient,
} from "../../scripts/callable-client.ts";
import { projectId } from "../../scripts/project.ts";
import { patienceMs } from "./patience.ts";
import { allTime } from "./world.ts";

export interface Live {
  /** The project's database for a trusted server, without security rules. */
  db: Firestore;
  admin: CallableClient;
  /** A client of the account `uid` of this run, made at the first call. */
  as(uid: string): Promise<CallableClient>;
  /** The uid in the Auth emulator of the account that a test calls `uid`. */
  uid(uid: string): string;
  account(uid: string, claims?: object): Promise<Account>;
  /** Creates a board of its own with this definition. */
  board(definition?: object): Promise<LiveBoard>;
  /** Takes the boards off the schedules, which would otherwise rank and audit them until the suite ends. */
  end(): Promise<void>;
}

export interface LiveBoard {
  key: SeasonKey;
  leaderboard: string;
  /** Submits, one after the other, as the players themselves. */
  submit(scores: Record<string, number>): Promise<void>;
  /** Waits until all players' documents are counted, then ranks. */
  rank(): Promise<AnswerOf<"runRanking">>;
  /** A rank in the generation that {@link LiveBoard.rank} published last, or a later one. */
  rankOf(asked: object): Promise<AnswerOf<"getRank">>;
  /** Names, ranks and positions of the top, best first. */
  top(): Promise<[player: string, rank: number, position: number][]>;
}

/** Begins with a file and ends with it; helpers of the file may use the object. */
export function useLive(): Live {
  const live = {} as Live;
  beforeAll(async () => void Object.assign(live, await createLive()));
  afterAll(() => live.end());
  return live;
}

/** Signs an admin in. */
export async function createLive(): Promise<Live> {
  const addresses = addressesIn(process.env);
  const run = randomUUID().slice(0, 8);
  const db = new Firestore({ projectId });
  const clients = new Map<string, Promise<CallableClient>>();
  const boards: LiveBoard[] = [];
  const uid = (name: string) => `${name}-${run}`;
  const account = (name: string, claims: object = {}) => createAccount(addresses, { uid: uid(name), claims });
  const clientOf = async (name: string) => createCallableClient(addresses, await account(name));
  const admin = createCallableClient(addresses, await account("admin", { leaderboard_role: "admin" }));
  const live: Live = {
    db,
    admin,
    uid,
    account,
    as(name) {
      const client = clients.get(name) ?? clientOf(name);
      clients.set(name, client);
      return client;
    },
    async board(definition = {}) {
      const leaderboard = `board-${randomUUID().slice(0, 8)}`;
      // The interval bounds how long a function may answer from pages in memory.
      const timing = { ranking_interval_minutes: 0.02 };
      const request = { leaderboard, definition: { ...timing, ...definition } };
      // A busy emulator may end a waiting transaction with an error that Firestore's library does not retry.
      await eventually(() => admin.call("saveLeaderboard", request));
      const board = liveBoard(live, leaderboard);
      boards.push(board);
      return board;
    },
    async end() {
      const seasons = await Promise.all(boards.map(({ key }) => db.doc(seasonPath(key)).get()));
      const done = { next_run_at: null, "ranking.published_at": null };
      for (const { exists, ref } of seasons) if (exists) await ref.update(done);
      await db.terminate();
    },
  };
  return live;
}

function liveBoard(live: Live, leaderboard: string): LiveBoard {
  const key = allTime(leaderboard);
  const { db, admin } = live;
  let published = 0;
  return {
    key,
    leaderboard,
    async submit(scores) {
      for (const [player, score] of Object.entries(scores)) {
        await (await live.as(player)).call("submitScore", { leaderboard, score });
      }
    },
    async rank() {
      await untilCounted(db, key);
      const record = await admin.call("runRanking", { leaderboard, include_open_slot: true });
      published = record.generation ?? published;
      return record;
    },
    rankOf: (asked) =>
      vi.waitFor(
        async () => {
          const rank = await admin.call("getRank", { leaderboard, ...asked });
          expect(rank.generation).toBeGreaterThanOrEqual(published);
          return rank;
        },
        { timeout: patienceMs(), interval: 500 },
      ),
    async top() {
      const { entries } = await admin.call("getTop", { leaderboard });
      const suffix = live.uid("").length;
      return entries.map(({ player, rank, position }) => [player.slice(0, -suffix), rank, position]);
    },
  };
}

/** Waits until each player's mark is what the document asks for. */
export async function untilCounted(db: Firestore, key: SeasonKey): Promise<void> {
  await eventually(async () => {
    const { docs } = await db.collection(playersPath(key)).get();
    expect(docs.filter((player) => !isMarkRight(player.data())).map(({ id }) => id)).toEqual([]);
  });
}

/** Waits until a condition holds that the functions bring about by themselves. */
export function eventually<T>(check: () => T | Promise<T>, timeout = patienceMs()): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 250 });
}

/** The same for one value: `await soon(() => rows.count()).toBe(2)`. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: patienceMs(), interval: 250 });
}
