/** `firerank seasons` and `close`: lists a board's seasons, and watches the end of one. */
import { type ClosingRecord, closingRecord } from "../functions/src/documents/closing-record.ts";
import { runPath, type SeasonKey, seasonPath } from "../functions/src/documents/paths.ts";
import { type Season, readSeason } from "../functions/src/documents/season.ts";
import type { SeasonListed } from "../functions/src/model/answers.ts";
import { isoTime } from "../functions/src/model/instant.ts";
import { seasonsPerAnswerMax } from "../functions/src/model/limits.ts";
import { listSeasonsSpec } from "../functions/src/operations/list-seasons.ts";
import type { Services } from "../functions/src/world/services.ts";
import { CliError } from "./cli-error.ts";
import { call } from "./call.ts";

/**
 * The seasons of a board, by default all, the newest first. Cost: 1 read a season, and 2 for the board.
 * @throws CliError, FirerankError
 */
export async function seasonsOf(
  services: Services,
  leaderboard: string,
  { span, status }: { span?: string | undefined; status?: string | undefined } = {},
): Promise<SeasonListed[]> {
  const found: SeasonListed[] = [];
  let cursor: string | undefined;
  do {
    const stored = span === "tournament" ? "custom" : span;
    const asked = { leaderboard, span: stored, status, cursor, limit: seasonsPerAnswerMax };
    const { seasons, next_cursor: next } = await call(listSeasonsSpec, services, asked);
    found.push(...seasons);
    cursor = next;
  } while (cursor !== undefined);
  return found;
}

/** Seasons as a table for people, in UTC. Pure. */
export function seasonsTable(seasons: readonly SeasonListed[], nowMs: number): string {
  const rows = seasons.map((season) => [
    season.season,
    season.span === "custom" ? "tournament" : season.span,
    statusOf(season, nowMs),
    shortTime(season.opens_at),
    season.closes_at === null ? "-" : shortTime(season.closes_at),
    season.players.toLocaleString("en"),
  ]);
  const head = ["season", "span", "status", "opens (UTC)", "closes (UTC)", "players"];
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const padded = (cell: string, i: number) =>
    i === head.length - 1 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return all.map((row) => row.map(padded).join("  ")).join("\n");
}

/** The functions begin a closing within a minute or two of a season's end; after this time they do not seem to run. */
const beginMsMax = 180_000;

const pauseMs = 2_000;

/**
 * Waits until a season is closed, and reports the progress, a line when there is news. Cost: 2 reads a look, every two
 * seconds.
 * @throws CliError if the season is deleted meanwhile, or no function begins to close it
 */
export async function waitUntilClosed(
  { db, now, sleep }: Services,
  key: SeasonKey,
  say: (line: string) => void,
): Promise<Season> {
  let said = "";
  for (;;) {
    const found = await db.doc(seasonPath(key)).get();
    const season = found.exists ? readSeason(found.data()) : undefined;
    if (season === undefined || season.status === "deleting")
      throw new CliError(`Season "${key.season}" of "${key.leaderboard}" was deleted while it was closing.`);
    const { closing_run: run, closes_at: closes } = season;
    const record = run === null ? undefined : (await db.doc(runPath(key, run)).get()).data();
    const line = closingLine(season, record === undefined ? undefined : closingRecord.parse(record), now());
    if (line !== said) say(line);
    said = line;
    if (season.status === "closed") return season;
    if (season.status === "open" && closes !== null && now() > closes.toMillis() + beginMsMax) {
      throw new CliError(
        "The season has ended, but no function has started to close it. Are the functions deployed, with rankSeasons, " +
          "stepSeason and stepSmallSeasons? On the emulators `npm run emulators` runs them. They close it as soon as they run.",
      );
    }
    await sleep(pauseMs);
  }
}

/** How long after its closing `getResults` shows a season: minutes, or seconds on the emulators. Pure. */
export const resultsWait = ({ endWaitMs }: Pick<Services, "endWaitMs">) =>
  endWaitMs < 60_000 ? `${endWaitMs / 1_000} seconds` : `${endWaitMs / 60_000} minutes`;

/** The progress of a closing, in one line. Pure. */
export function closingLine(
  { status, closes_at: closes, ranking }: Pick<Season, "status" | "closes_at" | "ranking">,
  record: Pick<ClosingRecord, "phase" | "outcome" | "progress" | "error" | "players"> | undefined,
  nowMs: number,
): string {
  if (status === "closed")
    return `closed: ${(record?.players ?? ranking.players).toLocaleString("en")} players`;
  if (status === "open" || record === undefined) {
    if (closes === null) return "open";
    const end = isoTime(closes);
    return closes.toMillis() <= nowMs ? `ended at ${end}; waiting for the functions` : `open until ${end}`;
  }
  const { phase, outcome, progress, error } = record;
  // In steps of 5 %, so that not every look prints a line.
  const share = progress.total === 0 ? 0 : Math.floor((20 * progress.done) / progress.total) * 5;
  const howFar = progress.total === 0 ? "" : `, ${Math.min(share, 100)} %`;
  const trouble = outcome === "failed" ? `; failed and is retried: ${error ?? "no reason is stored"}` : "";
  return `closing: ${phase}${howFar}${trouble}`;
}

/** A season's status for people; for a future season it says so. */
function statusOf({ status, opens_at: opens }: SeasonListed, nowMs: number): string {
  return status === "open" && Date.parse(opens) > nowMs ? "to come" : status;
}

/** To the second, like the times of seasons. */
const shortTime = (iso: string) => iso.slice(0, 19).replace("T", " ");
