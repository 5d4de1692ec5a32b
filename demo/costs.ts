/** What reads and ranking runs cost: measured, not assumed. */
import { Firestore } from "../functions/src/documents/firestore.ts";
import { closingRecord } from "../functions/src/documents/closing-record.ts";
import { runPath, seasonPath, type SeasonKey } from "../functions/src/documents/paths.ts";
import type { Bill } from "../functions/src/documents/ranking-record.ts";
import { readSeason } from "../functions/src/documents/season.ts";
import { boardCacheMs } from "../functions/src/model/limits.ts";
import { getRankSpec } from "../functions/src/operations/get-rank.ts";
import { getTopSpec } from "../functions/src/operations/get-top.ts";
import { createServices } from "../functions/src/operations/services.ts";
import { answer } from "../functions/src/operations/spec.ts";
import { projectId } from "../scripts/project.ts";
import { createMeteredFirestore } from "../test/support/meter.ts";
import { columnsOf, count } from "./drawing.ts";
import type { Standing } from "./recount.ts";

/**
 * Calls the callables' handlers with a metered client and nothing in memory yet: a line for each call, with its answer
 * and its reads.
 */
export async function questionLines(key: SeasonKey, team: Standing): Promise<string[]> {
  const { db, meter } = createMeteredFirestore(new Firestore({ projectId }));
  try {
    const instance = () => createInstance(db);
    const { leaderboard } = key;
    const score = { points: team.points, goal_difference: team.goalDifference, goals: team.goals };
    const [first, second] = [instance(), instance()];
    const rows: (string | number)[][] = [["question", "answer", "reads"]];
    const ask = async (question: string, work: () => Promise<string>) => {
      const { result, bill } = await meter.measure(work);
      rows.push([question, result, bill.reads]);
    };
    const rank = async (services: typeof first, asked: object) => {
      const found = await answer(getRankSpec, services, { leaderboard, ...asked }, undefined);
      return `rank ${found.rank} of ${found.players}`;
    };

    await ask("the board, kept in memory for a minute", async () => {
      const { definition } = await first.boards.load(key);
      return `${definition.aggregation}, ${definition.order}`;
    });
    await second.boards.load(key);
    await ask(`rank of a player, ${team.team}`, () => rank(first, { player: team.team }));
    await ask(`rank of a score, ${team.points} points`, () => rank(second, { columns: score }));
    await ask("the same score again, its page in memory", () => rank(second, { columns: score }));
    await ask("top 10", async () => {
      const top = await answer(getTopSpec, first, { leaderboard, limit: 10 }, undefined);
      return `${top.entries[0]?.display_name ?? "nobody"} and ${top.entries.length - 1} more`;
    });
    return columnsOf(rows);
  } finally {
    await db.terminate();
  }
}

/** What all ranking runs of a season cost together, by their records: "14 ranking runs: 412 reads, …". */
export async function runsLine(db: Firestore, key: SeasonKey): Promise<string> {
  const { docs } = await db.collection(`${seasonPath(key)}/runs`).get();
  const failed = docs.filter((run) => run.get("outcome") === "failed").length;
  const failures = failed === 0 ? "" : ` (${failed} failed)`;
  return `${docs.length} ranking runs${failures}: ${billLine(docs.map((run) => run.get("billed") as Bill))}`;
}

/** What the closings of tournaments cost together, by their records: "20 closings: 3,412 reads, …". */
export async function closingsLine(
  db: Firestore,
  leaderboard: string,
  seasons: readonly string[],
): Promise<string> {
  const bills = await Promise.all(
    seasons.map(async (season) => {
      const key = { leaderboard, season };
      const { closing_run: run } = readSeason((await db.doc(seasonPath(key)).get()).data());
      return closingRecord.parse((await db.doc(runPath(key, run ?? "")).get()).data()).billed;
    }),
  );
  return `${seasons.length} closings: ${billLine(bills)}`;
}

function billLine(bills: readonly Bill[]): string {
  const total = (kind: keyof Bill) => bills.reduce((sum, bill) => sum + bill[kind], 0);
  return (["reads", "writes", "deletes"] as const).map((kind) => `${count(total(kind))} ${kind}`).join(", ");
}

/** Services like those of an instance of the functions, but without logs, and with `db` as their database. */
function createInstance(db: Firestore) {
  const quiet = () => undefined;
  return createServices({
    db,
    now: Date.now,
    random: Math.random,
    newId: () => db.collection("ids").doc().id,
    log: { info: quiet, warn: quiet, error: quiet },
    enqueueJob: () => Promise.reject(new Error("questions ask for no ranking run")),
    sleep: () => Promise.resolve(),
    intervalMinutesMin: 0,
    boardCacheMs,
  });
}
