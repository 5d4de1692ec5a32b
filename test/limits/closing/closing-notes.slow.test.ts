/** What admins do to players while a season closes: it is in the final standings, and nothing begins again for it. */
import { describe, expect, test, vi } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { closingNotesPath, playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { submitScoreRequest } from "../../../functions/src/operations/submit-score.ts";
import {
  createEnding,
  endSeason,
  expectFinal,
  phaseOf,
  playerFields,
  recordOf,
  seasonOf,
  writePlayers,
} from "../../support/closing.ts";
import { callOn, admin, createBoard, createWorld, eachWorld, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

// Small documents, so that a small season has several; closing.test.ts revises one of documents as they are.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return {
    ...(await original<object>()),
    ...smallDocuments,
    standingsPerDocument: 30,
    closingNotesPerRead: 3,
  };
});
const world = eachWorld();

const size = 120;
const players = () =>
  Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const more = { display_name: `Player ${i}`, ...(i % 30 === 0 ? { metadata: { i } } : {}) };
      return [`p${i}`, playerFields(size - i + (i % 3), i, more)];
    }),
  );
/** As little as a step can do. */
const little = { budgetMs: 0, documentsPerRead: 40, rangePlayers: 50 };
const board = { leaderboard: "board" };
const setStatus = (player: string, status: "active" | "hidden" | "banned") =>
  world.call("setPlayerStatus", { ...board, player, status }, admin);
const remove = (player: string) => world.call("removePlayer", { ...board, player }, admin);
const merge = (from: string, to: string) => world.call("mergePlayers", { ...board, from, to }, admin);
const phases = ["waiting", "completing", "writing", "publishing"] as const;

/** Closes the season step by step, and does something before each. @returns how many steps it took. */
function closeWith(key: SeasonKey, work: (phase: string | undefined, n: number) => Promise<unknown>) {
  return endSeason(world, key, {
    async step(services, n) {
      await work(await phaseOf(world, key), n);
      await stepEnd(services, { ...key, step: n }, little);
    },
    stepsMax: 600,
  });
}

/** Closes the season, and does something once, before the first step of a phase. */
async function closeChanging(key: SeasonKey, at: string, change: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  await closeWith(key, async (phase) => {
    if (phase !== at || isDone) return;
    isDone = true;
    await change();
  });
  expect(isDone).toBe(true);
}

/** All is closed as it should be, and the players were read once. */
async function expectClosedOnce(key: SeasonKey): Promise<void> {
  await expectFinal(world, key);
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", pass: 0 });
  expect((await world.db.collection(closingNotesPath(key)).get()).size).toBe(0);
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
}

test.each(phases)(
  "bans, their ends, erasures and merges in the phase %s are in the final standings",
  async (at) => {
    const key = await createEnding(world, "board", {
      ...players(),
      p8: playerFields(500, 1, { status: "banned" }),
    });
    await closeChanging(key, at, async () => {
      await setStatus("p7", "banned");
      await setStatus("p8", "active");
      await setStatus("p9", "hidden");
      await setStatus("p9", "active");
      await remove("p0");
      await merge("p1", "p90");
      await merge("p2", "p91");
      await setStatus("p91", "hidden");
    });
    await expectClosedOnce(key);
  },
);

test("a trickle of changes, one before each step, does not keep a season from its end", async () => {
  const alone = await closeWith(await createEnding(world, "board", players()), () => Promise.resolve());
  Object.assign(world, createWorld());
  const key = await createEnding(world, "board", { ...players(), target: playerFields(1, 1) });
  let made = 0;
  const steps = await closeWith(key, async () => {
    const n = made++;
    const player = `p${(n * 7) % size}`;
    if (n % 3 === 0) await setStatus(player, "hidden");
    else if (n % 3 === 1) await remove(player);
    else await merge(player, "target");
  });
  expect(made).toBeGreaterThan(10);
  // Each revision of the closed season that waits for others takes a step more.
  expect(steps).toBeLessThanOrEqual(alone + made);
  await endSeason(world, key);
  await expectClosedOnce(key);
});

test("notes that come faster than a step applies them are applied by the next steps", async () => {
  const key = await createEnding(world, "board", players());
  const seen: number[] = [];
  await closeWith(key, async (phase) => {
    if (phase !== "publishing") return;
    if (seen.length === 0) for (let i = 0; i < 10; i++) await setStatus(`p${i * 5}`, "banned");
    seen.push((await world.db.collection(closingNotesPath(key)).get()).size);
  });
  expect(seen).toEqual([10, 7, 4, 1]);
  await expectClosedOnce(key);
});

test.each(["before", "after"] as const)(
  "a score that was let in before the end counts, though the player was hidden meanwhile and shown again %s it came",
  async (when) => {
    const hour = 3_600_000;
    const cup = { ...board, season: "cup" };
    await createBoard(world, "board");
    const closesAt = new Date(world.services.now() + hour).toISOString();
    await world.call("openSeason", { ...cup, closes_at: closesAt }, admin);
    await world.call("submitScore", { ...cup, score: 70 }, user("ann"));
    world.advance(hour - 1_000);
    const other = world.anotherInstance();
    await boardCacheOf(other).load(cup);
    const cameMs = world.services.now();
    world.advance(1_000);
    await stepEnd(world.services, { ...cup, step: 1 });
    await setStatus("ann", "hidden");
    if (when === "before") await setStatus("ann", "active");
    const late = submitScoreRequest.parse({ ...cup, score: 500 });
    await callOn({ ...other, now: () => cameMs }, "submitScore", late, user("ann"));
    if (when === "after") {
      await endSeason(world, cup);
      await setStatus("ann", "active");
    }
    await endSeason(world, cup);
    await expectClosedOnce(cup);
    const page = await world.call("getPage", cup, user("anyone"));
    expect(page.entries).toMatchObject([{ player: "ann", score: 500 }]);
  },
);

describe("a line that a ban took out", () => {
  test("is not that of somebody who was erased, if a trusted server writes the player anew", async () => {
    const key = await createEnding(world, "board", players());
    await closeChanging(key, "publishing", async () => {
      await remove("p50");
      await writePlayers(world, key, { p50: playerFields(3, 1, { display_name: "New" }) });
    });
    await expectClosedOnce(key);
  });

  test.each([...phases, "clearing"])("in the phase %s has what a merge added to it since", async (at) => {
    const key = await createEnding(world, "board", players(), { definition: { aggregation: "sum" } });
    await closeChanging(key, at, async () => {
      await setStatus("p50", "hidden");
      await merge("p60", "p50");
    });
    await world.db.doc(playerPath(key, "p50")).update({ score: 9_999 });
    await setStatus("p50", "active");
    await endSeason(world, key);
    const page = await world.call("getPage", { ...key, limit: 1 }, user("anyone"));
    expect(page.entries).toMatchObject([{ player: "p50", score: size - 50 + 2 + size - 60 }]);
    expect(await seasonOf(world, key)).toMatchObject({ ranking: { players: size - 1 } });
  });
});
