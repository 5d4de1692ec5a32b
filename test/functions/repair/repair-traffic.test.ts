/** Repairs under traffic: submissions, doubled events and ranking runs at the same time. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { readPage } from "../../../functions/src/documents/page.ts";
import {
  indexEntriesPath,
  pagesPath,
  type SeasonKey,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import type { RepairKind } from "../../../functions/src/documents/repair-record.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { slotMs } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { enqueueDueRuns } from "../../../functions/src/ranking/schedule.ts";
import { seededRandom } from "../../../functions/src/testing/arbitraries.ts";
import { createSeason, damages, play, repair } from "../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { createWorld, type World } from "../../support/world.ts";

const seed = Number(process.env["FIRERANK_SEED"]);
const size = 40;
let world: World;
let key: SeasonKey;
let traffic: Traffic;

beforeEach(async () => {
  world = createWorld();
  key = await createSeason(world, "board", size);
});
afterEach(() => traffic.stop());

const damagesUnderTraffic: [name: string, repairs: { kind: RepairKind; full?: boolean }[]][] = [
  ["page 0 deleted", [{ kind: "rebuild" }]],
  ["a page with wrong counts", [{ kind: "rebuild" }]],
  ["a shard deleted", [{ kind: "rebuild" }]],
  ["increments applied twice", [{ kind: "rebuild" }]],
  ["an index entry that is wrong", [{ kind: "sweep" }, { kind: "rebuild" }]],
  ["an index entry that is wrong, and counted so", [{ kind: "sweep" }]],
  ["players changed while no trigger heard", [{ kind: "rebuild", full: true }]],
];

test.each(damagesUnderTraffic)(
  "%s: once repaired under traffic, every generation is right",
  async (name, repairs) => {
    await damages[name]?.(world, key);
    traffic = startTraffic();
    for (const what of repairs) {
      const record = await repair(world, key, what, { documentsPerRead: 3, budgetMs: 0 }, async () => {
        // A step that waits for its slot to end comes after it, and no transaction lasts longer than Firestore's.
        await traffic.catchesUp();
        world.advance(slotMs);
      });
      expect(record).toMatchObject({ outcome: "done" });
    }
    // What a sweep has indexed is ranked by the next run, as every change is.
    if (repairs.at(-1)?.kind === "sweep")
      await publishRanking(world.anotherInstance(), key, { includeOpenSlot: true });
    traffic.checkFromNowOn();
    await traffic.reaches(6);
    await traffic.stop();
    await publishRanking(world.services, key, { includeOpenSlot: true });
    await expectConserved(world, key);
    await expectConverged(world, key);
    await expectRanked(world, key);
  },
);

interface Traffic {
  /** From now on each publication is compared with the index at its own read time. */
  checkFromNowOn(): void;
  /** Waits until all current submissions are done. */
  catchesUp(): Promise<unknown>;
  /** Waits until so many publications were checked. */
  reaches(publications: number): Promise<void>;
  stop(): Promise<void>;
}

/** Players who submit and runs that publish, until they are stopped. */
function startTraffic(): Traffic {
  const random = seededRandom(seed);
  let stopped = false;
  let checking = false;
  let checked = 0;
  let tell: () => void = () => undefined;
  /** What is played now, with the time when it began. */
  const underWay = new Map<Promise<void>, number>();

  const playOnce = async () => {
    const player = `p${10 + Math.floor(random() * (size - 10))}`;
    // This world's clock runs minutes in a second, so that a submission may take too long for it, and is not recorded.
    await play(world, key, player, Math.floor(random() * 400)).catch((error: unknown) => {
      if (!(error instanceof FirerankError && error.code === "contention")) throw error;
    });
    if (random() < 0.3) await world.deliver(key, player);
  };
  const players = async () => {
    while (!stopped) {
      const played = playOnce();
      underWay.set(played, world.services.now());
      await played.finally(() => underWay.delete(played));
    }
  };
  /** No transaction lasts longer than Firestore's: the clock waits for one that began minutes ago. */
  const isLong = () => Math.min(...underWay.values()) < world.services.now() - 2 * slotMs;
  const runs = async () => {
    while (!stopped) {
      while (isLong()) await Promise.race(underWay.keys());
      world.advance(slotMs / 4);
      const mustBeRight = checking;
      const instance = world.anotherInstance();
      const outcomes: (string | undefined)[] = [];
      // A task that fails is tried again by the next slot's run; on a damaged ranking every one does.
      const enqueueRun = async (season: SeasonKey) => {
        const record = await publishRanking(instance, season).catch(() => undefined);
        outcomes.push(record?.outcome);
      };
      await enqueueDueRuns({ ...instance, enqueueRun });
      if (mustBeRight && outcomes.includes("published")) {
        await expectRightAtItsTime();
        checked += 1;
        tell();
      }
    }
  };
  const work = Promise.all([players(), players(), runs()]);
  return {
    catchesUp: () => Promise.all(underWay.keys()),
    checkFromNowOn() {
      checking = true;
    },
    reaches: (publications) =>
      Promise.race([
        work.then(() => undefined),
        new Promise<void>((resolve) => {
          tell = () => {
            if (checked >= publications) resolve();
          };
        }),
      ]),
    async stop() {
      stopped = true;
      await work;
    },
  };
}

/** The published rows are the index entries of their read time, less the changes of slots that had not ended. */
async function expectRightAtItsTime(): Promise<void> {
  const { db } = world;
  const pages = (await db.collection(pagesPath(key)).get()).docs.map((document) => readPage(document.data()));
  const [first] = pages;
  if (first === undefined) throw new Error("nothing was published");
  const readTime = first.read_at;
  const [entries, shards] = await db.runTransaction(
    (transaction) =>
      Promise.all([
        transaction.get(db.collection(indexEntriesPath(key))),
        transaction.get(db.collection(shardsPath(key))),
      ]),
    { readOnly: true, readTime },
  );
  const expected = new Map<number, number>();
  const add = (score: number, players: number) => expected.set(score, (expected.get(score) ?? 0) + players);
  for (const entry of entries.docs) add(entry.get("score") as number, 1);
  // A run that took the open slot as well left nothing out.
  const asOf = first.as_of.isEqual(readTime) ? Infinity : first.as_of.toMillis();
  for (const shard of shards.docs) {
    if ((shard.get("slot_ends_at") as Timestamp).toMillis() <= asOf) continue;
    const counts = (shard.get("player_count") ?? {}) as Record<string, number>;
    for (const [score, players] of Object.entries(counts)) add(Number(score), -players);
  }
  const rows = new Map<number, number>();
  for (const { scores, players_above: above, players_until: until, owed = [] } of pages) {
    scores.forEach((score, i) => rows.set(score, (above[i + 1] ?? until) - (above[i] ?? NaN)));
    for (const { score, players } of owed) rows.set(score, players);
  }
  expect(sorted(rows)).toEqual(sorted(expected));
}

function sorted(counts: Map<number, number>): [number, number][] {
  return [...counts].filter(([, players]) => players !== 0).sort(([a], [b]) => a - b);
}
