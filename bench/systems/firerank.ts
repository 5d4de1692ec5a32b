/**
 * Firerank itself, with production's own code: the operations, the trigger's handler and the run. One instance takes the
 * scores, alone as they come here one after the other.
 *
 * What is read by the clock is in no operation's bill, but in the dollars of a day (`clockOf`): the board, and what an
 * instance keeps to answer many questions with, pages and the sums of what is pending. The live top is off, so that the
 * top is as old as the last run, as in the other systems; docs/costs.md has its price. So are events.
 */
import type { z } from "zod";
import { versionOf } from "../../functions/src/counting/changed-player.ts";
import { followPlayer } from "../../functions/src/counting/follow-player.ts";
import { playerPath } from "../../functions/src/documents/paths.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { skippedMax } from "../../functions/src/model/limits.ts";
import { getAroundSpec } from "../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../functions/src/operations/get-page.ts";
import { getRankSpec } from "../../functions/src/operations/get-rank.ts";
import { getTopSpec } from "../../functions/src/operations/get-top.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { createServices } from "../../functions/src/operations/shared/services.ts";
import { answer, type OperationSpec } from "../../functions/src/operations/shared/spec.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { recordSubmissions } from "../../functions/src/submit/record-submissions.ts";
import type { Entry } from "../contest/truth.ts";
import { ratePerSecondMax } from "../load/scenarios.ts";
import { billsOf, clockOf, tasksOf, topSize, type Way } from "./firerank-bills.ts";
import type { Opened, Place, Submission, System } from "./system.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";
import { topGatesOf } from "../../functions/src/top/gate-memory.ts";

const admin = { uid: "bench", role: "admin" } as const;

/** Scores by calls and no trigger; an instance that is asked all the time, and so has the page in memory. */
export const usual: Way = { hasTrigger: false, pages: "memory", freshness: "published" };

function systemOf(id: string, name: string, way: Way, about: Partial<System> = {}): System {
  return {
    id,
    name,
    layout:
      "Players, each with what is counted of it; shards that count changes by score, written with the players; pages of 256 scores with the players above; a top.",
    source: "this project",
    rank: "exact at the last run",
    asOfRun: ["top", "page"],
    ties: "first to reach it",
    limit: `A page is refused if its offset is more than ${skippedMax.toLocaleString("en")} deep among equals; a cursor goes on from before them. Above 65,536 different scores, ranks far from the top are within 0.02 %.`,
    // An instance commits together what comes during a commit; runs publish so many.
    updatesPerSecondMax: ratePerSecondMax,
    open: (place) => open(place, way),
    bills: (start, updatesPerSecond) => billsOf(way, start, updatesPerSecond),
    clock: clockOf(way),
    tasks: tasksOf,
    ...about,
  };
}

export const firerank = systemOf("firerank", "Firerank", usual);

/** All ways to use it. */
export const firerankSystems: readonly System[] = [
  firerank,
  systemOf("firerank-trigger", "Firerank, calls beside the trigger", { ...usual, hasTrigger: true }),
  systemOf("firerank-cold", "Firerank, without a page in memory", { ...usual, pages: "none" }),
  systemOf(
    "firerank-live",
    "Firerank, `live`",
    { ...usual, freshness: "live" },
    { rank: "exact", asOfRun: [], ageSeconds: 5 },
  ),
];

/**
 * It is one function, as every operation takes an instance on the same database, clock and meter.
 * @param countryOf where it has countries as segments: a player's own, in which each rank is asked for too.
 */
export async function open(
  { db, meter, now }: Place,
  { hasTrigger, pages, freshness }: Way,
  countryOf?: (player: string) => string,
): Promise<Opened> {
  const leaderboard = "bench";
  const key = { leaderboard, season: "all_time" };
  let ids = 0;
  const instance = () =>
    createServices({
      db,
      now,
      databaseMs: now,
      random: () => 0,
      newId: () => `run-${++ids}`,
      sleep: () => Promise.resolve(),
      log: { info: () => undefined, warn: console.warn, error: console.error },
      intervalMinutesMin: 1,
    });
  /** An instance that knows the board, and no page. */
  const knowing = (services = instance()) =>
    meter.aside(async () => {
      await boardCacheOf(services).load(key);
      await topGatesOf(services).gateOf(key);
      return services;
    });
  const [writer, follower, asked] = [instance(), instance(), instance()];
  const segments = countryOf && { segments: [{ name: "country", from: "server" }] };
  const definition = { aggregation: "latest", top_size: topSize, events: [], ...segments } as const;
  await answer(saveLeaderboardSpec, writer, { leaderboard, definition }, admin);
  await boardCacheOf(writer).open({
    key,
    span: "all_time",
    opensAtMs: null,
    closesAtMs: null,
    before: undefined,
  });

  const ask = async <Schema extends z.ZodType, Answer>(
    spec: OperationSpec<Schema, Answer>,
    request: object,
  ): Promise<Answer> => {
    // Sums of what is pending must not be older than the last update.
    const services = await knowing(pages === "none" || freshness === "live" ? instance() : asked);
    const put = () => answer(spec, services, { leaderboard, ...request }, admin);
    // An instance with pages has answered the same before.
    if (pages === "memory") await meter.aside(() => put().catch(() => undefined));
    return put();
  };
  const inCountry = countryOf && { segments: ["country"] };
  const page = async (from: number, size: number) =>
    (await ask(getPageSpec, { offset: from, limit: size, freshness })).entries.map(entryOf);
  const stored = (player: string) => meter.aside(() => db.doc(playerPath(key, player)).get());

  async function submit({ player, score }: Submission): Promise<void> {
    const before = await stored(player);
    // The rank in the answer is priced as a question of its own.
    const services = await knowing(writer);
    const said = countryOf && { segments: { country: countryOf(player) } };
    const [outcome] = await recordSubmissions(services, leaderboard, [{ player, score, ...said }], undefined);
    if (outcome === undefined || "error" in outcome) throw outcome?.error ?? new Error("no outcome");
    const after = await stored(player);
    if (!hasTrigger || before.get("score") === score) return;
    meter.invoked();
    const write = { before: versionOf(before), after: versionOf(after), atMs: now() };
    await followPlayer(await knowing(follower), key, player, write);
  }

  return {
    submit,
    rank: (player) =>
      unlessAbsent(null, async () => (await ask(getRankSpec, { player, freshness, ...inCountry })).rank),
    top: async (count) =>
      freshness === "live"
        ? page(0, count)
        : (await ask(getTopSpec, {})).entries.slice(0, count).map(entryOf),
    around: (player, above, below) =>
      unlessAbsent([], async () =>
        (await ask(getAroundSpec, { player, above, below, freshness })).entries.map(entryOf),
      ),
    page,
    async run() {
      meter.invoked();
      await publishRanking(await knowing(), key);
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
