/** Whether the last runs went well: rankings, closings, audits and repairs. */
import { z } from "zod";
import { type QueryDocumentSnapshot, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { leaderboardsPath, seasonOfPath } from "../../../functions/src/documents/paths.ts";
import type { Check } from "../check.ts";
import { type Finding, listed } from "../finding.ts";
import { commandOn, type Patient } from "../patient.ts";
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
const runsMost = 2_000;
/** A repair that has written nothing for so long has died: its task may take half an hour. */
const deadMs = 35 * 60_000;

/** Cost: one read for each failed, done or running record of three days, at most 6,000, and one a season that failed. */
export const runs: Check = {
  name: "runs",
  byHand: "look at the seasons in the dashboard: each shows its runs",
  async look(patient) {
    const sinceMs = patient.now() - daysBack * dayMs;
    const recordsOf = (outcome: "failed" | "done" | "running") => runsOf(patient, outcome, sinceMs);
    const [failed, done, running] = await Promise.all([
      recordsOf("failed"),
      recordsOf("done"),
      recordsOf("running"),
    ]);
    const findings = [
      ...(await failedRankings(patient, failed.runs)),
      ...differences(patient, done.runs),
      ...dead(patient, { stopped: [...failed.runs, ...running.runs], done: done.runs }),
    ];
    const why = `Only the newest ${runsMost.toLocaleString("en")} records of an outcome were looked at.`;
    const isCut = failed.isCut || done.isCut || running.isCut;
    return {
      seen: `${failed.runs.length} failed, ${done.runs.length} audits, repairs and closings done in ${daysBack} days`,
      findings,
      unchecked: isCut ? [{ why, isAbsent: false }] : [],
    };
  },
};

async function runsOf(
  { db }: Patient,
  outcome: "failed" | "done" | "running",
  sinceMs: number,
): Promise<{ runs: Run[]; isCut: boolean }> {
  const { docs } = await runsSince(db, outcome, sinceMs, runsMost).get();
  const runs = docs.filter(isOwn).flatMap((document) => {
    const { data } = record.safeParse(document.data());
    return data === undefined ? [] : [{ ...data, season: document.ref.parent.parent?.path ?? "" }];
  });
  return { runs, isCut: docs.length === runsMost };
}

const isOwn = ({ ref }: QueryDocumentSnapshot) =>
  ref.path.startsWith(`${leaderboardsPath}/`) && ref.path.split("/").length === 6;

/** Those after which the season has not published. */
async function failedRankings(patient: Patient, failed: readonly Run[]): Promise<Finding[]> {
  const { db } = patient;
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
    todo: `${command(patient, "audit", season)}, which names the repair`,
  }));
}

/** Audits that found something, without a later repair. */
function differences(patient: Patient, done: readonly Run[]): Finding[] {
  const audits = newestBySeason(done.filter(({ kind }) => kind === "audit"));
  const wrong = audits.filter(
    ({ season, repair, started_at: at }) =>
      repair !== undefined &&
      repair !== "none" &&
      !done.some(
        (one) => one.season === season && one.kind === "repair" && one.started_at.toMillis() > at.toMillis(),
      ),
  );
  return wrong.map(({ season, repair = "" }) => ({
    id: "audit-differs",
    what: `An audit found ${nameOf(season)} wrong.`,
    known: `Its record in ${season}/runs.`,
    todo: command(patient, repair, season),
  }));
}

/** Audits and repairs that failed or have not written for long, and were not repeated since. */
function dead(
  patient: Patient,
  { stopped: all, done }: { stopped: readonly Run[]; done: readonly Run[] },
): Finding[] {
  const isRepeated = ({ season, kind, started_at: at }: Run) =>
    done.some(
      (one) =>
        one.season === season &&
        (one.kind === kind || one.kind === "repair") &&
        one.started_at.toMillis() > at.toMillis(),
    );
  const stopped = all.filter(
    (run) =>
      ["audit", "repair"].includes(run.kind) &&
      (run.error !== undefined || patient.now() - run.finished_at.toMillis() > deadMs) &&
      !isRepeated(run),
  );
  if (stopped.length === 0) return [];
  const what = `Stopped without an end: ${listed(stopped.map(({ kind, season, error }) => `${kind} of ${nameOf(season)}${error === undefined ? "" : ` (${error})`}`))}.`;
  const todo = stopped
    .slice(0, 3)
    .map(({ kind, season }) => command(patient, kind, season))
    .join("\n");
  return [
    { id: "repair-dead", what, known: "Their records.", todo: `${todo}\nEach part is safe to repeat.` },
  ];
}

/** The records come the newest first. */
function newestBySeason(all: readonly Run[]): Run[] {
  return all.filter((run, i) => all.findIndex(({ season }) => season === run.season) === i);
}

function nameOf(path: string): string {
  const { leaderboard, season } = seasonOfPath(path);
  return `${leaderboard}/${season}`;
}

function command(patient: Patient, name: string, path: string): string {
  const { leaderboard, season } = seasonOfPath(path);
  return commandOn(patient, `${name} ${leaderboard} --season ${season}`);
}
