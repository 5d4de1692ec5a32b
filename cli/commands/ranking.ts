/** `rank`, `audit` and `repair`. */
import type { RepairKind } from "../../functions/src/documents/repair-record.ts";
import { runRankingSpec } from "../../functions/src/operations/run-ranking.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { requestedBoard } from "../../functions/src/seasons/current.ts";
import { call } from "../call.ts";
import { connect } from "../connect.ts";
import { count } from "../progress.ts";
import { createSteps, repairSeason, repairSummary } from "../repairs.ts";
import { confirmWriting } from "../target.ts";
import { onTarget, type TargetOptions } from "./on-target.ts";

interface SeasonOptions extends TargetOptions {
  season?: string | undefined;
  yes?: boolean | undefined;
}

interface AuditOptions extends SeasonOptions {
  full?: boolean | undefined;
  json?: boolean | undefined;
}

export function rank(leaderboard: string, options: SeasonOptions): Promise<void> {
  return onTarget(options, async (target) => {
    await confirmWriting(target, "Ranking", options.yes);
    const asked = { leaderboard, season: options.season, include_open_slot: true };
    const { outcome, generation, players, rows } = await call(runRankingSpec, await connect(target), asked);
    if (outcome === "nothing_to_do")
      console.log(`Nothing has changed since generation ${generation ?? "none"}.`);
    else console.log(generationLine({ generation, players, rows }));
  });
}

/** An audit only writes its record, which nobody is asked about. */
export function audit(leaderboard: string, options: AuditOptions): Promise<void> {
  return lookThrough("audit", leaderboard, options);
}

export function repair(leaderboard: string, options: AuditOptions): Promise<void> {
  return lookThrough("repair", leaderboard, options);
}

function lookThrough(kind: RepairKind, leaderboard: string, options: AuditOptions): Promise<void> {
  const { season, full = false } = options;
  return onTarget(options, async (target) => {
    if (kind !== "audit") await confirmWriting(target, `The ${kind}`, options.yes);
    const steps = createSteps();
    const services = await connect(target, steps);
    const record = await repairSeason(services, steps, { kind, leaderboard, season, full }, (line) =>
      console.error(line),
    );
    console.log(options.json ? JSON.stringify(record, undefined, 2) : repairSummary(record));
    if (record.kind === "audit" && record.repair !== "none") process.exitCode = 1;
  });
}

/** Publishes a ranking after an import. */
export async function publish(services: Services, leaderboard: string, season?: string): Promise<void> {
  console.error("Ranking …");
  const { key } = await requestedBoard(services, { leaderboard, season });
  console.log(generationLine(await publishRanking(services, key, { includeOpenSlot: true })));
}

function generationLine(run: { generation: number | null; players: number; rows: number }): string {
  return `Generation ${run.generation ?? "none"}: ${count(run.players, "player")} in ${count(run.rows, "row")}.`;
}
