/**
 * Firerank itself, with production's own code: the operations, the trigger's handler and the run. Each question goes to
 * an instance that has no page in memory, which is the dearest case; an instance that has the page reads nothing.
 *
 * What is read by the clock is in no operation's bill, but in the dollars of a day (`firerankClock`). The live top is off,
 * so that the top is as old as the last run, as in the other systems; docs/costs.md has its price. So are events.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { followPlayer } from "../../functions/src/indexing/follow-player.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { skippedMax } from "../../functions/src/model/limits.ts";
import { chooseShard, initialShards } from "../../functions/src/model/shard.ts";
import { getAroundSpec } from "../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../functions/src/operations/get-page.ts";
import { getRankSpec } from "../../functions/src/operations/get-rank.ts";
import { getTopSpec } from "../../functions/src/operations/get-top.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { createServices, type Services } from "../../functions/src/operations/services.ts";
import { answer, type OperationSpec } from "../../functions/src/operations/spec.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { startRepair } from "../../functions/src/repair/repair.ts";
import { recordSubmissions } from "../../functions/src/submit/record-submissions.ts";
import type { Entry } from "../contest/truth.ts";
import { firerankClock, firerankCountBills, firerankIndexBills, topSize } from "./firerank-bills.ts";
import type { Event, Opened, Place, System } from "./system.ts";
import type { z } from "zod";

const leaderboard = "bench";
const key = { leaderboard, season: "all_time" };
const admin = { uid: "bench", admin: true };

const pagesInMemory =
  "An instance keeps pages until the next run is due, so a run out of turn shows up to a minute later.";

const pageLimit = `A page is refused if its offset is more than ${skippedMax.toLocaleString("en")} deep among equals; a cursor goes on from before them.`;

/** Ranks by its index: each change is counted once, and a run folds the counts. */
export const firerankIndex: System = {
  id: "firerank-index",
  name: "Firerank, source index",
  layout:
    "Players; an index entry for each; shards that count changes by score; pages of 256 scores with the players above; a top.",
  source: "this project",
  rank: "exact at the last run",
  keeps: "latest",
  cannot: {},
  asOfRun: ["top", "page"],
  lag: `A change counts from the first run after its trigger. ${pagesInMemory}`,
  limit: `${pageLimit} Above 65,536 different scores, ranks far from the top are within 0.02 %.`,
  load: {
    kind: "documents",
    // Each run sets the number of shards by the load that it has seen.
    commits: (_, random, rate) => [[`shard ${chooseShard(initialShards(rate), 0, random())}`]],
  },
  open: (place) => open(place, "index"),
  bills: firerankIndexBills,
  clock: firerankClock,
};

/** Ranks by counting players between chosen scores at each run. */
export const firerankCount: System = {
  ...firerankIndex,
  id: "firerank-count",
  name: "Firerank, source count",
  layout: "Players; pages of 256 scores with the players above, which a run gets by count(); a top.",
  lag: pagesInMemory,
  rank: "within 1 % at the last run",
  limit: `${pageLimit} Below the best 512, a rank is estimated between two scores that were counted; the answer has both bounds.`,
  load: { kind: "own document" },
  open: (place) => open(place, "count"),
  bills: firerankCountBills,
};

/** It is one function, as every operation takes a cold instance on the same database, clock and meter. */
async function open({ db, meter, now }: Place, source: "index" | "count"): Promise<Opened> {
  let ids = 0;
  const instance = () =>
    createServices({
      db,
      now,
      databaseMs: now,
      random: () => 0, // Each change takes the first shard, so that one for each slot is folded.
      newId: () => `run-${++ids}`,
      sleep: () => Promise.resolve(),
      log: { info: () => undefined, warn: console.warn, error: console.error },
      enqueueRun: () => Promise.resolve(),
      intervalMinutesMin: 1,
    });
  /** An instance that knows the board and no page. */
  const cold = () =>
    meter.aside(async () => {
      const services = instance();
      await services.boards.load(key);
      return services;
    });
  const definition = { aggregation: "latest", source, top_size: topSize, events: [] } as const;
  const first = instance();
  await answer(saveLeaderboardSpec, first, { leaderboard, definition }, admin);
  await first.boards.open({ key, span: "all_time", opensAtMs: null, closesAtMs: null, before: undefined });
  const ask = async <Schema extends z.ZodType, Answer>(
    spec: OperationSpec<Schema, Answer>,
    request: object,
    services?: Services,
  ) => answer(spec, services ?? (await cold()), { leaderboard, ...request }, admin);
  return {
    async submit({ player, score }) {
      const stored = await meter.aside(() => db.doc(playerPath(key, player)).get());
      const before = (stored.get("score") as number | undefined) ?? null;
      // The rank in the answer is priced as a question of its own.
      const [outcome] = await recordSubmissions(await cold(), leaderboard, [{ player, score }], undefined);
      if (outcome === undefined || "error" in outcome) throw outcome?.error ?? new Error("no outcome");
      return before === score ? undefined : { player, before, after: score };
    },
    async deliver({ player, before, after }: Event) {
      const services = await cold();
      await meter.aside(() => services.gates.gateOf(key));
      meter.invoked();
      const stored = (score: number) => ({
        score,
        status: "active",
        achieved_at: Timestamp.fromMillis(now()),
      });
      const change = { before: before === null ? undefined : stored(before), after: stored(after) };
      await followPlayer(services, key, player, change);
    },
    rank: (player) => unlessAbsent(null, async () => (await ask(getRankSpec, { player })).rank),
    top: async (count) => (await ask(getTopSpec, {})).entries.slice(0, count).map(entryOf),
    around: (player, above, below) =>
      unlessAbsent([], async () => (await ask(getAroundSpec, { player, above, below })).entries.map(entryOf)),
    page: async (from, size) => (await ask(getPageSpec, { offset: from, limit: size })).entries.map(entryOf),
    async run() {
      meter.invoked();
      await publishRanking(await cold(), key);
    },
    async mend() {
      await startRepair(await cold(), key, { kind: "sweep", full: true }, { inFlightMs: 0 });
    },
  };
}

/** An answer about a player, or what stands for none if the player has no score. */
async function unlessAbsent<Answer, None>(none: None, work: () => Promise<Answer>): Promise<Answer | None> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FirerankError && error.code === "player_not_ranked") return none;
    throw error;
  }
}

function entryOf({ player, score }: Entry): Entry {
  return { player, score };
}
