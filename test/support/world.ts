/**
 * A separate world for a test: a database of its own (in memory, or on the Firestore emulator under a unique project id,
 * so that the suite's functions do not react to it), a clock that the test moves, a meter, and the services of the
 * functions. The clock starts on 2 January 2100 at noon: read times are the database's own, and none may be ahead of the
 * clock.
 */
import { randomUUID } from "node:crypto";
import type { Caller } from "../../functions/src/operations/shared/access.ts";
import { answer, type OperationSpec } from "../../functions/src/operations/shared/spec.ts";
import * as specs from "../../functions/src/operations/specs.ts";
import type { DocumentSnapshot, Firestore } from "../../functions/src/documents/firestore.ts";
import type { PlayerWrite } from "../../functions/src/counting/changed-player.ts";
import { followPlayer } from "../../functions/src/counting/follow-player.ts";
import type { Version } from "../../functions/src/documents/mark.ts";
import { playerPath, playersPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import type { Bill, RankingRecord } from "../../functions/src/documents/ranking-record.ts";
import { enqueueDue } from "../../functions/src/jobs/schedule/schedule.ts";
import { stepJob, stepTogether } from "../../functions/src/jobs/schedule/step.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";

import { createServices } from "../../functions/src/operations/shared/services.ts";
import type { Services } from "../../functions/src/world/services.ts";
import type { SpanSeason } from "../../functions/src/seasons/span-season.ts";
import type { JobRequest, SeasonRequest, TopRefreshRequest } from "../../functions/src/world/tasks.ts";
import { type AccountsInMemory, createAccounts } from "./accounts.ts";
import { createDatabase } from "./database.ts";
import type { Given } from "./definitions.ts";
import { createMeteredFirestore, type Meter } from "./meter.ts";
import { beforeEach, expect } from "vitest";
import type { z } from "zod";
import type { AnswerOf } from "../../scripts/callable-client.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";

export type Operation = keyof typeof specs;

/** What a test may send to an operation. */
export type RequestOf<Of extends Operation> =
  (typeof specs)[Of] extends OperationSpec<infer Schema, infer _> ? z.input<Schema> : never;

export interface World {
  projectId: string;
  db: Firestore;
  meter: Meter;
  services: Services;
  accounts: AccountsInMemory;
  /** What was logged, newest last. */
  logged: { level: "info" | "warn" | "error"; message: string; fields: object | undefined }[];
  /** Requested refreshes of tops, by the names of their tasks. */
  refreshes: Map<string, TopRefreshRequest>;
  /** Moves the clock. */
  advance(ms: number): void;
  /** Calls an operation as the functions do, with its checks, and checks the answer against its schema. */
  call<Of extends Operation>(name: Of, request: RequestOf<Of>, caller?: Caller): Promise<AnswerOf<Of>>;
  /**
   * Writes a player's document as a trusted server does by itself: with exactly these fields, or not at all.
   * @returns the event of the write, which is not delivered.
   */
  writeDirectly(
    key: SeasonKey,
    player: string,
    data: Record<string, unknown> | undefined,
  ): Promise<PlayerWrite>;
  /** Delivers the event of a write, any number of times. */
  follow(key: SeasonKey, player: string, write: PlayerWrite, times?: number): Promise<void>;
  /**
   * Delivers events of players' documents that changed no mark: those of a trusted server's new documents, or of its
   * updates of single fields.
   */
  deliver(key: SeasonKey, ...players: string[]): Promise<void>;
  /** The same for each existing player. */
  deliverAll(key: SeasonKey): Promise<void>;
  /**
   * Fires the schedule, and does at once the steps that it requests.
   * @returns the steps of seasons.
   */
  tick(): Promise<SeasonRequest[]>;
  /** Publishes all changes so far, the open slot's too. */
  publish(key: SeasonKey): Promise<RankingRecord>;
  /** A player submits a score to the board `board`. */
  submit(player: string, score: number, more?: object): Promise<AnswerOf<"submitScore">>;
  /** What some work is billed. */
  bill(work: () => Promise<unknown>): Promise<Bill>;
  /** The reads of some work, which must write nothing. */
  reads(work: () => Promise<unknown>): Promise<number>;
  /** Another instance of the functions: the same database and clock, its own memory. */
  anotherInstance(): Services;
  /** The same with a board in memory, and nothing else. */
  coldInstance(key: SeasonKey): Promise<Services>;
}

export const admin: Caller = { uid: "admin", role: "admin" };
export const user = (uid: string): Caller => ({ uid });

/** The only season of a board. */
export const allTime = (leaderboard: string): SeasonKey => ({ leaderboard, season: "all_time" });

/** The season `all_time` as it is opened. */
export function presentOf(key: SeasonKey): SpanSeason {
  return { key, span: "all_time", opensAtMs: null, closesAtMs: null, before: undefined };
}

/** The steps of seasons for which a task was requested. */
export function stepsIn(request: JobRequest): SeasonRequest[] {
  if (request.job === "shared") return request.steps.map((step) => step.request);
  return "season" in request ? [request] : [];
}

export function createWorld(): World {
  const projectId = `demo-${randomUUID().slice(0, 13)}`;
  const { db, meter } = createMeteredFirestore(createDatabase(projectId));
  const logged: World["logged"] = [];
  const log = (level: "info" | "warn" | "error") => (message: string, fields?: object) => {
    logged.push({ level, message, fields });
  };
  let nowMs = Date.parse("2100-01-02T12:00:00Z");
  let ids = 0;
  const refreshes: World["refreshes"] = new Map();
  const accounts = createAccounts();
  const parts = {
    db,
    accounts,
    now: () => nowMs,
    databaseMs: () => nowMs,
    random: () => 0.5,
    newId: () => `run-${++ids}`,
    sleep: () => Promise.resolve(),
    log: { info: log("info"), warn: log("warn"), error: log("error") },
    enqueueTopRefresh: (request: TopRefreshRequest, taskId: string) => {
      refreshes.set(taskId, request);
      return Promise.resolve();
    },
    intervalMinutesMin: 1,
  };
  const services = createServices(parts);
  const world: World = {
    projectId,
    db,
    meter,
    services,
    accounts,
    logged,
    refreshes,
    advance(ms) {
      nowMs += ms;
    },
    async call(name, request, caller) {
      const answered = await callOn(services, name, request, caller);
      specs[name].answer?.parse(answered, { reportInput: true });
      return answered as never;
    },
    async writeDirectly(key, player, data) {
      const ref = db.doc(playerPath(key, player));
      const before = versionOf(await ref.get());
      if (data === undefined) await ref.delete();
      else await ref.set(data);
      return { before, after: versionOf(await ref.get()), atMs: nowMs };
    },
    async follow(key, player, write, times = 1) {
      for (let i = 0; i < times; i++) await followPlayer(services, key, player, write);
    },
    async deliver(key, ...players) {
      for (const player of players) {
        const after = versionOf(await db.doc(playerPath(key, player)).get());
        const { counted } = after?.data ?? {};
        const before = after && { ...after, data: counted === undefined ? {} : { counted } };
        await followPlayer(services, key, player, { before, after, atMs: nowMs });
      }
    },
    async deliverAll(key) {
      const players = await db.collection(playersPath(key)).listDocuments();
      await world.deliver(key, ...players.map(({ id }) => id));
    },
    async tick() {
      const asked: JobRequest[] = [];
      const enqueueJob = (request: JobRequest) => Promise.resolve(void asked.push(request));
      const queued = { ...services, enqueueJob };
      await enqueueDue(queued);
      for (const request of asked)
        await (request.job === "shared" ? stepTogether(queued, request.steps) : stepJob(services, request));
      return asked.flatMap(stepsIn);
    },
    publish: (key) => publishRanking(services, key, { includeOpenSlot: true }),
    submit: (player, score, more) =>
      world.call("submitScore", { leaderboard: "board", score, ...more }, user(player)),
    bill: async (work) => (await meter.measure(work)).bill,
    async reads(work) {
      const { reads, ...others } = await world.bill(work);
      expect(others).toEqual({ writes: 0, deletes: 0 });
      return reads;
    },
    anotherInstance: () => createServices(parts),
    async coldInstance(key) {
      const services = createServices(parts);
      await boardCacheOf(services).load(key);
      return services;
    },
  };
  return world;
}

/** All answers of a call that answers page by page. */
export async function allPages<Page extends { next_cursor?: string | undefined }>(
  ask: (more: { cursor?: string }) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let more: { cursor?: string } | undefined = {}; more !== undefined;) {
    if (pages.length > 100) throw new Error("the pages have no end");
    const page: Page = await ask(more);
    pages.push(page);
    more = page.next_cursor === undefined ? undefined : { cursor: page.next_cursor };
  }
  return pages;
}

/** A new world for each test of a file, in the same object: helpers of the file may use it. */
export function eachWorld(): World {
  const world = {} as World;
  beforeEach(() => {
    Object.assign(world, createWorld());
  });
  return world;
}

/** Calls an operation on any instance of the functions, with any data, right or wrong. */
export function callOn<Of extends Operation>(
  services: Services,
  name: Of,
  data: unknown,
  caller: Caller | undefined,
  isKnown?: boolean,
): Promise<AnswerOf<Of>> {
  const spec = specs[name] as unknown as OperationSpec<z.ZodType, AnswerOf<Of>>;
  return answer(spec, services, data, caller, isKnown);
}

/** A document as an event has it. */
export function versionOf(document: DocumentSnapshot): Version | undefined {
  const { updateTime, createTime } = document;
  if (updateTime === undefined || createTime === undefined) return undefined;
  return { data: document.data() ?? {}, updateTime, createTime };
}

/** Creates a board; see the API's `Definition`. */
export async function createBoard(
  world: World,
  leaderboard: string,
  definition: Given = {},
): Promise<SeasonKey> {
  await world.call("saveLeaderboard", { leaderboard, definition }, admin);
  return allTime(leaderboard);
}
