/** Repairs under traffic: submissions, doubled events, direct writes and ranking runs at the same time. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PlayerWrite } from "../../../../functions/src/counting/follow-player.ts";
import { FieldValue, type Timestamp } from "../../../../functions/src/documents/firestore.ts";
import { countedIn } from "../../../../functions/src/documents/mark.ts";
import { readPage } from "../../../../functions/src/documents/page.ts";
import {
  pagesPath,
  playerPath,
  playersPath,
  type SeasonKey,
  shardsPath,
} from "../../../../functions/src/documents/paths.ts";
import { FirerankError } from "../../../../functions/src/model/errors.ts";
import { slotMs } from "../../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../../functions/src/ranking/run.ts";
import { enqueueDueRuns } from "../../../../functions/src/jobs/schedule.ts";
import { isOvertaken } from "../../../../functions/src/world/retryable.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import { createSeason, damages, play, repair } from "../../../support/damage.ts";
import { expectConserved, expectConverged, expectRanked } from "../../../support/oracle.ts";
import { createWorld, versionOf, type World } from "../../../support/world.ts";

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

const damagesUnderTraffic = [
  "page 0 deleted",
  "a page with wrong counts",
  "a shard deleted",
  "increments applied twice",
  "a mark that is wrong",
  "a mark that is wrong, and counted so",
  "players changed while no trigger heard",
];

test.each(damagesUnderTraffic)("%s: once repaired under traffic, every generation is right", async (name) => {
  await damages[name]?.(world, key);
  traffic = startTraffic();
  const record = await repair(world, key, undefined, { documentsPerRead: 3, budgetMs: 0 }, async () => {
    // A step that waits for its slot to end comes after it, and no transaction lasts longer than Firestore's.
    await traffic.catchesUp();
    world.advance(slotMs);
  });
  expect(record).toMatchObject({ outcome: "done" });
  // The index is the marks but for direct writes whose events are on their way.
  await traffic.endsDirectWrites();
  traffic.checkFromNowOn();
  await traffic.reaches(6);
  await traffic.stop();
  await publishRanking(world.services, key, { includeOpenSlot: true });
  await expectConserved(world, key);
  await expectConverged(world, key);
  await expectRanked(world, key);
});

interface Traffic {
  /** From now on each publication is compared with the marks at its own read time. */
  checkFromNowOn(): void;
  /** From now on all scores are submitted, and the events of the direct writes so far have come. */
  endsDirectWrites(): Promise<void>;
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
  let isDirect = true;
  let checking = false;
  let checked = 0;
  /** Events of direct writes that have not come yet. */
  const late: (() => Promise<void>)[] = [];
  let tell: () => void = () => undefined;
  /** What is played now, with the time when it began. */
  const underWay = new Map<Promise<void>, number>();

  const playOnce = async () => {
    const player = `p${10 + Math.floor(random() * (size - 10))}`;
    // This world's clock runs minutes in a second, so that a submission may take too long for it, and is not recorded.
    await play(world, key, player, Math.floor(random() * 400)).catch((error: unknown) => {
      if (!(error instanceof FirerankError && error.code === "contention")) throw error;
    });
    // A trusted server's own write, whose event comes late and twice; while a repair is under way it comes again.
    if (isDirect && random() < 0.3) {
      const write = await overwrite(player, Math.floor(random() * 400));
      late.push(() => world.follow(key, player, write, 2));
    }
    if (isDirect && random() < 0.3) await deliverLate();
  };
  const deliverLate = async () => {
    const [deliver] = late.splice(Math.floor(random() * late.length), 1);
    await deliver?.().catch((error: unknown) => {
      if (!(error instanceof FirerankError && error.code === "contention")) throw error;
      late.push(deliver);
    });
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
      const enqueueJob = async (season: SeasonKey) => {
        const record = await publishRanking(instance, season).catch(() => undefined);
        outcomes.push(record?.outcome);
      };
      await enqueueDueRuns({ ...instance, enqueueJob });
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
    async endsDirectWrites() {
      isDirect = false;
      await Promise.all(underWay.keys());
      while (late.length > 0) await deliverLate();
    },
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

/** Overwrites a document as a trusted server does. @returns the event, with the version that was there just before. */
async function overwrite(player: string, score: number): Promise<PlayerWrite> {
  const ref = world.db.doc(playerPath(key, player));
  for (;;) {
    const before = versionOf(await ref.get());
    if (before === undefined) throw new Error(`${ref.path} is missing`);
    const others = Object.keys(before.data).map((name) => [name, FieldValue.delete()]);
    const fields = { ...(Object.fromEntries(others) as object), score };
    try {
      const { writeTime } = await ref.update(fields, { lastUpdateTime: before.updateTime as Timestamp });
      const after = { data: { score }, updateTime: writeTime, createTime: before.createTime };
      return { before, after, atMs: world.services.now() };
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
}

/** The published rows are the marks of their read time, less the changes of slots that had not ended. */
async function expectRightAtItsTime(): Promise<void> {
  const { db } = world;
  const pages = (await db.collection(pagesPath(key)).get()).docs.map((document) => readPage(document.data()));
  const [first] = pages;
  if (first === undefined) throw new Error("nothing was published");
  const readTime = first.read_at;
  const [players, shards] = await db.runTransaction(
    (transaction) =>
      Promise.all([
        transaction.get(db.collection(playersPath(key))),
        transaction.get(db.collection(shardsPath(key))),
      ]),
    { readOnly: true, readTime },
  );
  const expected = new Map<number, number>();
  const add = (score: number, players: number) => expected.set(score, (expected.get(score) ?? 0) + players);
  for (const player of players.docs) {
    const counted = countedIn(player.data());
    if (typeof counted === "number") add(counted, 1);
  }
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
