/** Large seasons, on a small scale: their standings are written in ranges of players, each by tasks of its own. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { rangesOf } from "../../../functions/src/jobs/closing/close.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import type { EndOptions } from "../../../functions/src/jobs/closing/take-up.ts";
import {
  closingRangePath,
  leaderboardPath,
  pagePath,
  playerPath,
  runPath,
  type SeasonKey,
  standingsCollection,
} from "../../../functions/src/documents/paths.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import { documentBytesMax } from "../../../functions/src/model/limits.ts";
import { sumOf } from "../../../functions/src/jobs/repair/count-stretches.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import type { ClosingRequest, JobRequest } from "../../../functions/src/world/tasks.ts";
import {
  closed,
  createEnding,
  crowd,
  endSeason,
  expectFinal,
  phaseOf,
  playerFields,
  recordOf,
  seasonOf,
  sortedPlayers,
  writePlayers,
} from "../../support/closing.ts";
import { admin, createWorld, user, type World } from "../../support/world.ts";

const limits = vi.hoisted(() => ({ hourMs: 0, summaryPart: 0 }));
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return {
    ...(await original<object>()),
    ...smallDocuments,
    standingsPerDocument: 20,
    get readTimeKeptMs() {
      return limits.hourMs;
    },
    get summaryPartMax() {
      return limits.summaryPart;
    },
  };
});

const seed = Number(process.env["FIRERANK_SEED"]);
let world: World;
beforeEach(() => {
  world = createWorld();
  limits.hourMs = 3_600_000;
  limits.summaryPart = 16_384;
});

/** Small ranges, of which a step writes one document. */
const small: EndOptions = { budgetMs: 0, documentsPerRead: 15, rangePlayers: 70 };

/** Services whose tasks wait to be run, each once by its name. */
function withTasks() {
  const waiting = new Map<string, ClosingRequest>();
  const enqueueJob = (request: JobRequest, taskId: string) => {
    if (request.job === "end") waiting.set(taskId, request);
    return Promise.resolve();
  };
  const take = (random: () => number) => {
    const [name, request] = [...waiting][Math.floor(random() * waiting.size)] ?? [];
    if (name !== undefined) waiting.delete(name);
    return request;
  };
  return { services: { ...world.services, enqueueJob }, waiting, take };
}

/** Runs the steps that are due and all tasks, in any order, until the season is closed. */
async function closeWithTasks(key: SeasonKey, options = small): Promise<void> {
  const random = seededRandom(seed);
  const { services, take } = withTasks();
  await endSeason(world, key, {
    until: closed,
    async step() {
      await stepEnd(services, { ...key, step: 0 }, options);
      for (let request = take(random); request !== undefined; request = take(random))
        await stepEnd(services, request, options);
    },
  });
}

test.each([
  ["descending", "first"],
  ["ascending", "last"],
] as const)(
  "ranges that tasks write in any order, with crowds of equals across their ends, %s, ties %s",
  async (order, ties) => {
    const key = await createEnding(world, "board", crowd(420), { definition: { order, ties } });
    await world.publish(key);
    await closeWithTasks(key);
    await expectFinal(world, key);
    await endSeason(world, key);
    await expectFinal(world, key);
  },
);

test("a score that has to be rounded first, in a range of a task, makes all ranges be written again", async () => {
  const key = await createEnding(world, "board", crowd(300), { definition: { decimals: 1 } });
  await writePlayers(world, key, { noisy: playerFields(500.04, 1), other: playerFields(20.04, 1) });
  await closeWithTasks(key);
  expect(await recordOf(world, key)).toMatchObject({ pass: 1, completed: { players: 2, rounds: 1 } });
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("the tasks close the season by themselves: the last range's asks for the closing to go on", async () => {
  const key = await createEnding(world, "board", crowd(300));
  const { services, waiting, take } = withTasks();
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  const { end_due_at: due } = await seasonOf(world, key);
  world.advance((due?.toMillis() ?? NaN) - world.services.now());
  await stepEnd(services, { ...key, step: 0 }, small);
  const random = seededRandom(seed);
  let atOnce = 0;
  for (let request = take(random); request !== undefined; request = take(random)) {
    await stepEnd(services, request, small);
    atOnce = Math.max(atOnce, [...waiting.values()].filter(({ range }) => range !== undefined).length);
  }
  expect(atOnce).toBeGreaterThan(1);
  expect(await seasonOf(world, key)).toMatchObject({ status: "closed" });
  await expectFinal(world, key);
});

test("pages whose order is damaged are no guide to where the players are", async () => {
  const key = await createEnding(world, "board", crowd(420));
  await world.publish(key);
  const [one, other] = await Promise.all([1, 2].map((page) => world.db.doc(pagePath(key, page)).get()));
  await one?.ref.set({ ...other?.data(), page: 1 });
  await other?.ref.set({ ...one?.data(), page: 2 });
  await closeWithTasks(key, { ...small, rangePlayers: 20 });
  await expectFinal(world, key);
});

test("more players in lists than have a score are an error, and no table", async () => {
  const key = await createEnding(world, "board", crowd(300));
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  const { end_due_at: due } = await seasonOf(world, key);
  world.advance((due?.toMillis() ?? NaN) - world.services.now());
  const { db } = world;
  const runTransaction = db.runTransaction.bind(db);
  // The first count is that of the scores.
  db.runTransaction = async (work, options) => {
    const found = await runTransaction(work, options);
    const { data } = found as { data?: () => object };
    if (data === undefined || !("count" in data.call(found))) return found;
    db.runTransaction = runTransaction;
    return Object.assign(found as object, { data: () => ({ count: 0 }) }) as typeof found;
  };
  await expect(stepEnd(world.services, { ...key, step: 0 }, { rangePlayers: 70 })).rejects.toThrow(
    "more players are listed than have a score",
  );
  expect((await db.collection(standingsCollection(key)).get()).size).toBe(0);
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a task that tells its progress after the closing saw its range end leaves nobody out", async () => {
  const key = await createEnding(world, "board", crowd(300));
  let isTold = false;
  await endSeason(world, key, {
    async step(services, n) {
      if (!isTold && n > 0 && (await phaseOf(world, key)) === "publishing") {
        const range = world.db.doc(closingRangePath(key, 1));
        const documents = Number((await range.get()).get("documents"));
        await range.update({ ended: false, documents: documents - 1 });
        isTold = true;
      }
      await stepEnd(services, { ...key, step: n }, small);
    },
  });
  expect(isTold).toBe(true);
  await expectFinal(world, key);
});

test("ties that are changed while standings are written order those of the next season", async () => {
  const key = await createEnding(world, "board", crowd(300));
  let isChanged = false;
  await endSeason(world, key, {
    async step(services, n) {
      if (!isChanged && n > 0 && (await phaseOf(world, key)) === "writing") {
        await world.db.doc(leaderboardPath("board")).update({ ties: "last" });
        isChanged = true;
      }
      await stepEnd(services, { ...key, step: n }, small);
    },
  });
  expect(isChanged).toBe(true);
  await expectFinal(world, key, { ties: "first" });
});

describe("a season that takes longer than Firestore keeps a read time", () => {
  test("keeps a table that is written, though the hour is over when a step finds it so", async () => {
    const key = await createEnding(world, "board", crowd(100));
    await endSeason(world, key, {
      until: closed,
      async step(services, n) {
        const range = await world.db.doc(closingRangePath(key, 0)).get();
        limits.hourMs = range.get("ended") === true ? -1 : 3_600_000;
        await stepEnd(services, { ...key, step: n }, { ...small, rangePlayers: 100 });
      },
    });
    expect(limits.hourMs).toBe(-1);
    expect(await recordOf(world, key)).toMatchObject({ pass: 0 });
    await expectFinal(world, key);
  });

  test("is read as of another time, in ranges half as large, and what was written is deleted", async () => {
    const key = await createEnding(world, "board", crowd(300));
    const passes = new Set<number>();
    await endSeason(world, key, {
      async step(services, n) {
        const { phase, pass, ranges } =
          n === 0 ? { phase: "none", pass: 0, ranges: [] } : await recordOf(world, key);
        const written = (await world.db.collection(standingsCollection(key)).get()).size;
        // Two passes reach their hour when some of their standings are written; meanwhile the best player is deleted.
        limits.hourMs = phase === "writing" && pass < 2 && written > 3 * (pass + 1) ? -1 : 3_600_000;
        if (limits.hourMs < 0) await world.db.doc(playerPath(key, `p${3 * pass}`)).delete();
        if (phase === "writing") {
          passes.add(pass);
          for (const { players } of ranges) expect(players).toBeLessThanOrEqual(Math.ceil(70 / 2 ** pass));
        }
        await stepEnd(services, { ...key, step: n }, small);
      },
      stepsMax: 500,
    });
    expect([...passes]).toEqual([0, 1, 2]);
    expect(await recordOf(world, key)).toMatchObject({ outcome: "done", phase: "ended", pass: 2 });
    // Standings of the earlier times would be found among the others.
    await expectFinal(world, key);
    expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(2);
  });
});

test("a summary in parts says the same as one in one piece", async () => {
  limits.summaryPart = 3;
  const key = await createEnding(world, "board", crowd(300));
  await closeWithTasks(key);
  const { docs } = await world.db.collection(standingsCollection(key)).get();
  const parts = docs.filter(({ id }) => id.startsWith("summary"));
  expect(parts.length).toBeGreaterThan(4);
  for (const part of parts) expect((part.get("counts") as unknown[]).length).toBeLessThanOrEqual(3);
  await expectFinal(world, key);
  for (const status of ["hidden", "active"] as const) {
    for (const player of ["p0", "p100", "p299"])
      await world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
    await endSeason(world, key);
    await expectFinal(world, key);
  }
  const sorted = await sortedPlayers(world, key);
  for (const at of [0, 77, 150, sorted.length - 1]) {
    const { player = "", score = 0 } = sorted[at] ?? {};
    const found = await world.call("getRank", { ...key, player }, user("anyone"));
    expect(found).toMatchObject({ rank: sorted.findIndex((one) => one.score === score) + 1, score });
  }
});

describe("ranges", () => {
  const stretch = (from: number | undefined, before: number | undefined, count: number) => ({
    ...(from === undefined ? {} : { from: [from] as const }),
    ...(before === undefined ? {} : { before: [before] as const }),
    count,
  });

  test("join neighbouring stretches while they fit, and have numbers that never meet", () => {
    const stretches = [
      stretch(undefined, 80, 30),
      stretch(80, 50, 30),
      stretch(50, 20, 41),
      stretch(20, undefined, 5),
    ];
    expect(rangesOf(stretches, 60, 1)).toEqual([
      { from: null, before: [50], players: 60, first: 1_000_000_000_000 },
      { from: [50], before: null, players: 46, first: 1_000_000_000_060 },
    ]);
  });

  test("are so few that the record has room for them", () => {
    const id = (n: number) => `${n}`.padEnd(128, "x");
    const place = (n: number) => [n, Timestamp.fromMillis(n), id(n)] as const;
    const stretches = Array.from({ length: 20_000 }, (_, n) => ({
      from: place(n),
      before: place(n + 1),
      count: n % 2 === 0 ? 1 : 12_500,
    }));
    const ranges = rangesOf(stretches, 12_500, 4);
    expect(sumOf(stretches)).toBe(ranges.reduce((sum, { players }) => sum + players, 0));
    expect(documentSize(runPath({ leaderboard: "board", season: "cup" }, "run"), { ranges })).toBeLessThan(
      documentBytesMax - 16 * 1_024,
    );
  });

  test("are one for a season without players", () => {
    expect(rangesOf([stretch(undefined, undefined, 0)], 60, 0)).toEqual([
      { from: null, before: null, players: 0, first: 0 },
    ]);
  });
});
