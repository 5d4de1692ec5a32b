/** Whether the last runs went well: rankings, closings, audits and repairs. */
import { z } from "zod";
import { type QueryDocumentSnapshot, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { leaderboardsPath, seasonOfPath } from "../../../functions/src/documents/paths.ts";
import { commandName } from "../../command-name.ts";
import type { Check } from "../check.ts";
import { type Finding, listed } from "../finding.ts";
import type { Patient } from "../patient.ts";
import { runsSince } from "../queries.ts";

const record = z.looseObject({
  kind: z.string(),
  started_at: z.instanceof(Timestamp),
  finished_at: z.instanceof(Timestamp),
  error: z.string().optional(),
  repair: z.string().optional(),
});
type Run = z.infer<typeof record> & { season: string };

const dayMs = 86_400_000;
/** Audits come once a day. */
const daysBack = 3;
const runsMost = 500;
/** A repair that has written nothing for so long has died: its task may take half an hour. */
const deadMs = 35 * 60_000;

/** Cost: one read for each failed, done or running record of three days, at most 1,500, and one a season that failed. */
export const runs: Check = {
  name: "runs",
  byHand: "look at the seasons in the dashboard: each shows its runs",
  async look(patient) {
    const sinceMs = patient.now() - daysBack * dayMs;
    const [failed, done, running] = await Promise.all(
      (["failed", "done", "running"] as const).map((outcome) => recordsOf(patient, outcome, sinceMs)),
    );
    const findings = [
      ...(await failedRankings(patient, failed ?? [])),
      ...differences(done ?? []),
      ...dead(patient, [...(failed ?? []), ...(running ?? [])]),
    ];
    const [bad, ended] = [failed?.length ?? 0, done?.length ?? 0];
    return {
      seen: `${bad} failed, ${ended} audits, repairs and closings done in ${daysBack} days`,
      findings,
    };
  },
};

async function recordsOf(
  { db }: Patient,
  outcome: "failed" | "done" | "running",
  sinceMs: number,
): Promise<Run[]> {
  const { docs } = await runsSince(db, outcome, sinceMs, runsMost).get();
  return docs.filter(isOwn).flatMap((document) => {
    const { data } = record.safeParse(document.data());
    return data === undefined ? [] : [{ ...data, season: document.ref.parent.parent?.path ?? "" }];
  });
}

const isOwn = ({ ref }: QueryDocumentSnapshot) =>
  ref.path.startsWith(`${leaderboardsPath}/`) && ref.path.split("/").length === 6;

/** Those after which the season has not published. */
async function failedRankings({ db }: Patient, failed: readonly Run[]): Promise<Finding[]> {
  const newest = newestBySeason(failed.filter(({ kind }) => kind === "ranking"));
  if (newest.length === 0) return [];
  const seasons = await db.getAll(...newest.map(({ season }) => db.doc(season)));
  const still = newest.filter((run, i) => {
    const published: unknown = seasons[i]?.get("ranking.published_at");
    const isLater = published instanceof Timestamp && published.toMillis() > run.started_at.toMillis();
    return seasons[i]?.exists === true && !isLater;
  });
  return still.map(({ season, error = "its record does not say why" }) => ({
    id: "run-failed",
    what: `The last ranking run of ${nameOf(season)} failed: ${error}`,
    known: `Its record in ${season}/runs.`,
    todo: `${command("audit", season)}, which names the repair`,
  }));
}

/** Audits that found something, without a later repair. */
function differences(done: readonly Run[]): Finding[] {
  const audits = newestBySeason(done.filter(({ kind }) => kind === "audit"));
  const wrong = audits.filter(
    ({ season, repair, started_at: at }) =>
      repair !== undefined &&
      repair !== "none" &&
      !done.some(
        (one) => one.season === season && isRepair(one) && one.started_at.toMillis() > at.toMillis(),
      ),
  );
  return wrong.map(({ season, repair = "" }) => ({
    id: "audit-differs",
    what: `An audit found ${nameOf(season)} wrong.`,
    known: `Its record in ${season}/runs.`,
    todo: repair === "full_rebuild" ? `${command("rebuild", season)} --full` : command(repair, season),
  }));
}

/** Audits and repairs that failed, or have not written for long. */
function dead({ now }: Patient, all: readonly Run[]): Finding[] {
  const stopped = all.filter(
    ({ kind, error, finished_at: at }) =>
      ["audit", "sweep", "rebuild"].includes(kind) && (error !== undefined || now() - at.toMillis() > deadMs),
  );
  if (stopped.length === 0) return [];
  const what = `Stopped without an end: ${listed(stopped.map(({ kind, season, error }) => `${kind} of ${nameOf(season)}${error === undefined ? "" : ` (${error})`}`))}.`;
  const todo = stopped
    .slice(0, 3)
    .map(({ kind, season }) => command(kind, season))
    .join("\n");
  return [
    { id: "repair-dead", what, known: "Their records.", todo: `${todo}\nEach part is safe to repeat.` },
  ];
}

const isRepair = ({ kind }: Run) => kind === "sweep" || kind === "rebuild";

/** The records come the newest first. */
function newestBySeason(all: readonly Run[]): Run[] {
  return all.filter((run, i) => all.findIndex(({ season }) => season === run.season) === i);
}

function nameOf(path: string): string {
  const { leaderboard, season } = seasonOfPath(path);
  return `${leaderboard}/${season}`;
}

function command(name: string, path: string): string {
  const { leaderboard, season } = seasonOfPath(path);
  return `${commandName} ${name} ${leaderboard} --season ${season}`;
}
