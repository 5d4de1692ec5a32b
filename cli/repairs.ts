/** `firerank audit` and `repair`: the calls of those names, with their steps in this process. */
import {
  foreignSaid,
  unrankedSaid,
  type RepairKind,
  type RepairRecord,
} from "../functions/src/documents/repair-record.ts";
import type { RankingRecord } from "../functions/src/documents/ranking-record.ts";
import { leftOutSaid } from "../functions/src/model/segments.ts";
import { auditSeasonSpec, repairSeasonSpec } from "../functions/src/operations/repair-season.ts";
import { runRankingSpec } from "../functions/src/operations/run-ranking.ts";
import type { Services } from "../functions/src/world/services.ts";
import { stepRepair } from "../functions/src/jobs/repair/repair.ts";
import { type Json, toJson } from "../functions/src/documents/plain-json.ts";
import type { EnqueueJob, RepairRequest } from "../functions/src/world/tasks.ts";
import type { SeasonKey } from "../functions/src/documents/paths.ts";
import { FirerankError } from "../functions/src/model/errors.ts";
import { currentSeasons, requestedBoard, type SeasonAsked } from "../functions/src/seasons/current.ts";
import { CliError } from "./cli-error.ts";
import { call } from "./call.ts";
import { commandName } from "./command-name.ts";
import { count } from "./progress.ts";

/** Which season of a board. */
export interface SeasonWanted {
  leaderboard: string;
  season?: string | undefined;
}

/** Where a command says what it has done, and how far it has come. */
export interface Says {
  done: (line: string) => void;
  progress: (line: string) => void;
}

/**
 * Publishes the rankings of the seasons that {@link throughSeasons} goes through. Cost: the call's for each.
 * @throws as {@link throughSeasons}
 */
export async function rankSeasons(services: Services, asked: SeasonAsked, { done }: Says): Promise<void> {
  await throughSeasons(services, asked, async (key) => {
    done(`"${key.season}": ${await rank(services, key)}`);
  });
}

/**
 * Audits or repairs the seasons that {@link throughSeasons} goes through, and says of each what was found or done. Cost: the
 * call's for each.
 * @param steps into which the services enqueue
 * @param json whether to say the records; of a season that nobody has played there is none
 * @returns whether an audit found a season that needs a repair
 * @throws as {@link throughSeasons}
 */
export async function repairSeasons(
  services: Services,
  steps: ReturnType<typeof createSteps>,
  { kind, full, ...asked }: SeasonAsked & { kind: RepairKind; full: boolean },
  { done, progress }: Says,
  json = false,
): Promise<boolean> {
  let isWanting = false;
  await throughSeasons(services, asked, async (key) => {
    const { season } = await requestedBoard(services, key);
    if (season === undefined) {
      (json ? progress : done)(`"${key.season}": Nobody has played yet, so there is nothing to ${kind}.`);
      return;
    }
    const record = await repairSeason(services, steps, { kind, full, ...key }, progress);
    done(json ? JSON.stringify(record, undefined, 2) : `"${key.season}": ${repairSummary(record)}`);
    isWanting ||= record.kind === "audit" && record.repair !== "none";
  });
  return isWanting;
}

/**
 * Runs something on the season that is named; by default on the running one of each of the board's spans, one after the
 * other. A season that is refused keeps no other from its turn. Cost: 2 reads.
 * @throws CliError or FirerankError, once all have had their turn; what else `run` throws, at once
 */
async function throughSeasons(
  services: Services,
  asked: SeasonAsked,
  run: (key: SeasonKey) => Promise<void>,
): Promise<void> {
  const isNamed = asked.season !== undefined || asked.span !== undefined;
  const running = isNamed ? [] : await currentSeasons(services, asked.leaderboard);
  // A board without spans has nothing but seasons that have to be named, as this says.
  if (running.length === 0) return run((await requestedBoard(services, asked)).key);
  const refused: { season: string; error: Error }[] = [];
  for (const { key } of running)
    try {
      await run(key);
    } catch (error) {
      if (!(error instanceof CliError || error instanceof FirerankError)) throw error;
      refused.push({ season: key.season, error });
    }
  const [first] = refused;
  if (first === undefined) return;
  const said = refused.map(({ season, error }) => `"${season}": ${error.message}`).join("\n");
  throw new CliError(said, { cause: first.error });
}

/** A queue of this process, for the one repair that it runs. */
export function createSteps() {
  let next: { request: RepairRequest; delaySeconds: number } | undefined;
  const enqueueJob: EnqueueJob = (request, _taskId, delaySeconds) => {
    if (request.job === "audit" || request.job === "repair") next = { request, delaySeconds };
    return Promise.resolve();
  };
  return {
    enqueueJob,
    /** Takes what was enqueued last. */
    take() {
      const taken = next;
      next = undefined;
      return taken;
    },
  };
}

/**
 * Runs a repair to its end. The services must enqueue into `steps`. Interrupted, it does no harm: the same command starts
 * a new one. Cost: the call's. @throws CliError, FirerankError
 */
export async function repairSeason(
  services: Services,
  steps: ReturnType<typeof createSteps>,
  { kind, full, ...season }: SeasonWanted & { kind: RepairKind; full: boolean },
  say: (line: string) => void,
): Promise<Json<RepairRecord>> {
  let record =
    kind === "audit"
      ? await call(auditSeasonSpec, services, { ...season, full })
      : await call(repairSeasonSpec, services, season);
  for (let next = steps.take(); next !== undefined; next = steps.take()) {
    const { done, total } = record.progress;
    say(`${done.toLocaleString("en")} of about ${total.toLocaleString("en")} documents`);
    await services.sleep(next.delaySeconds * 1_000);
    record = toJson(await stepRepair(services, next.request));
  }
  return record;
}

/** What becomes of a closed season: a step of its end publishes it. */
const again = "Its pages are published again from its final table, within some minutes.";

/** A repair's record in words, with the command that comes next. Pure. */
export function repairSummary(record: Json<RepairRecord>): string {
  const { leaderboard, season } = record;
  switch (record.kind) {
    case "repair": {
      // That of a closed season looks at no player, and its next step publishes.
      if (record.phase === "ended" && record.generation === null)
        return `The season is closed: no player is counted anew. ${again}`;
      const { changed } = record.marked;
      const ranked = generationLine({ generation: record.generation, ...record.rebuilt });
      const corrected = `${count(record.marked.players, "player")} checked, ${count(changed, "correction")}.`;
      // A repair makes all pages anew, whatever it corrects. One that another took over has not come so far.
      return `${corrected}${record.phase === "ended" ? " All pages are published again." : ""} ${ranked}`;
    }
    case "audit": {
      if (record.found === null) return "Nothing to audit: the season has no ranking yet.";
      const { players, pages, foreign, conservation, convergence, unranked } = record.found;
      const { scores } = conservation;
      const rows = scores === null ? `by ${conservation.difference}` : `at ${count(scores, "score")}`;
      const { players: wrong } = convergence;
      const marks = wrong === null ? `by ${convergence.difference}` : `for ${count(wrong, "player")}`;
      const found = [
        `${count(players, "player")}; ${count(pages.length, "problem")} of pages.`,
        `The ranking differs from what is counted ${rows}, and what is counted from the players' documents ${marks}.`,
        ...foreign.map((path) => `${foreignSaid(path)}.`),
        ...(unranked === undefined
          ? []
          : [
              `${unrankedSaid(unranked)}. Such documents are for a server to correct; ${commandName} export names them.`,
            ]),
      ].join(" ");
      // In a closed season, an audit that finds wrong pages has their publication requested itself.
      return record.repair === "none"
        ? `${found} ${pages.length === 0 ? "Nothing to repair." : again}`
        : `${found} To repair it: ${commandName} repair ${leaderboard} --season ${season}`;
    }
  }
}

/** Publishes the ranking of a season now. Cost: the call's. @returns what it did, in words */
export async function rank(services: Services, wanted: SeasonWanted): Promise<string> {
  const { outcome, ...run } = await call(runRankingSpec, services, { ...wanted, include_open_slot: true });
  return outcome === "nothing_to_do" ? unchangedLine(run) : generationLine(run);
}

interface Published {
  generation: number | null;
  players: number;
  rows: number;
  /** Of a ranking run. */
  found?: Pick<RankingRecord["found"], "segments" | "left_out">;
}

/** Of a run that found nothing to do. */
const unchangedLine = ({ generation }: Pick<Published, "generation">): string =>
  generation === null
    ? "Nobody has played yet, so there is nothing to rank."
    : `Nothing has changed since generation ${generation}.`;

export function generationLine({ generation, players, rows, found }: Published): string {
  const values =
    found === undefined || found.segments === 0 ? "" : `, ${count(found.segments, "value")} of segments`;
  const line = `Generation ${generation ?? "none"}: ${count(players, "player")} in ${count(rows, "row")}${values}.`;
  return found?.left_out === undefined ? line : `${line} ${leftOutSaid(found.left_out)}`;
}
