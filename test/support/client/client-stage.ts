/**
 * A board for clients that read directly: the test writes its pages and players, and each reader sees them through the
 * security rules.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { initializeTestEnvironment, type RulesTestEnvironment } from "@firebase/rules-unit-testing";
import type { FirebaseApp } from "firebase/app";
import type { Firestore } from "firebase/firestore";
import { type Leaderboard, leaderboard } from "firerank-client";
import { onTestFinished, vi } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  leaderboardPath,
  pagePath,
  pagesPath,
  playerPath,
  type SeasonKey,
} from "../../../functions/src/documents/paths.ts";
import { isBetter, type Order } from "../../../functions/src/model/score.ts";
import { packPages } from "../../../functions/src/ranking/pack-pages.ts";
import { rowsOfScores } from "../pages.ts";
import { root } from "../../../scripts/project.ts";
import { createBoard, createWorld, type World } from "../world.ts";
import { hostAndPort } from "./client-app.ts";
import { meterListening } from "./listen-meter.ts";
import { serveFunctions, type StageFunctions } from "./stage-functions.ts";

export interface Stage {
  world: World;
  key: SeasonKey;
  /** The board as a signed-in user reads it. */
  boardOf(uid: string): Leaderboard & { firestore: Firestore };
  /** Publishes the ranking of these scores, one for each player, as the next generation. */
  publish(scores: readonly number[]): Promise<void>;
  /** The rank of a score in the last publication, by counting. */
  rankOf(score: number): number;
  /** The number of the page that covers a score. */
  pageOf(score: number): Promise<string | undefined>;
  /** Writes a player's document, or deletes it. */
  setPlayer(uid: string, data: object | undefined): Promise<void>;
  /** The board's functions, at the world's clock: they say which season is current. Started with the stage. */
  functions: StageFunctions;
  /**
   * Changes fields of the board's stored definition. Saved by the functions, the stage's players would be counted, as no
   * season has counted them.
   */
  redefine(definition: Definition): Promise<void>;
  /** What all clients of this process have read since the last call, in documents. */
  reads(): number;
}

type Definition = NonNullable<Parameters<typeof createBoard>[2]>;

/** Scores in even steps; 1,100 of them are five pages. */
export const ladder = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - 2 * i);

/** A stage for a test, whose end also gives the device its own clock back. */
export async function createStage(definition: Definition = {}): Promise<Stage> {
  const world = createWorld();
  const key = await createBoard(world, "board", definition);
  const environment = await environmentOf(world.projectId);
  const functions = serveFunctions(world);
  const meter = meterListening();
  onTestFinished(async () => {
    vi.useRealTimers();
    meter.end();
    await environment.cleanup();
  });
  let order: Order = definition.order ?? "descending";
  let generation = 0;
  let published: readonly number[] = [];
  return {
    world,
    key,
    boardOf(uid) {
      const firestore = environment.authenticatedContext(uid).firestore() as unknown as Firestore;
      return { ...leaderboard({} as FirebaseApp, "board", { functions: functions.functions }), firestore };
    },
    async publish(scores) {
      published = scores;
      generation += 1;
      const at = Timestamp.fromMillis(Date.now());
      const next = Timestamp.fromMillis(Date.now() + 300_000);
      const pages = packPages(order, rowsOfScores(order, scores), {
        generation,
        unusable_scores: 0,
        as_of: at,
        read_at: at,
        next_publish_at: next,
      });
      const before = await world.db.collection(pagesPath(key)).listDocuments();
      const batch = world.db.batch();
      for (const ref of before.slice(pages.length)) batch.delete(ref);
      for (const page of pages) batch.set(world.db.doc(pagePath(key, page.page)), page);
      await batch.commit();
    },
    rankOf: (score) => 1 + published.filter((other) => isBetter(order, other, score)).length,
    async pageOf(score) {
      const pages = await world.db.collection(pagesPath(key)).get();
      const from = (id: string) => pages.docs.find((page) => page.id === id)?.get("from_score") as number;
      const covering = pages.docs.filter(({ id }) => !isBetter(order, score, from(id)));
      return covering.toSorted((a, b) => Number(b.id) - Number(a.id))[0]?.id;
    },
    async setPlayer(uid, data) {
      const document = world.db.doc(playerPath(key, uid));
      await (data === undefined ? document.delete() : document.set(data));
    },
    async redefine(changed) {
      await world.db.doc(leaderboardPath("board")).update(changed);
      order = changed.order ?? order;
    },
    functions,
    reads: () => meter.reads(),
  };
}

function environmentOf(projectId: string): Promise<RulesTestEnvironment> {
  const [host, port] = hostAndPort(process.env["FIRESTORE_EMULATOR_HOST"]);
  const rules = readFileSync(join(root, "firestore.rules"), "utf8");
  return initializeTestEnvironment({ projectId, firestore: { host, port, rules } });
}
