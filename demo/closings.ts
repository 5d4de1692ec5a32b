/** Follows the tournaments from their first match to their closing, which the functions do on their own. */
import { setTimeout as sleep } from "node:timers/promises";
import { closingRecord } from "../functions/src/documents/closing-record.ts";
import type { Firestore } from "../functions/src/documents/firestore.ts";
import { runPath, seasonPath, type SeasonKey, standingsPath } from "../functions/src/documents/paths.ts";
import { type Season, readSeason } from "../functions/src/documents/season.ts";
import { storedStandings } from "../functions/src/documents/standings.ts";
import type { YearState } from "./drawing.ts";
import type { Year } from "./football.ts";

/**
 * A closing on the emulators takes about ten seconds; this is how long it may stay at the same point on a busy machine.
 */
const sameSecondsMax = 240;
const lookEveryMs = 500;

export interface Following {
  db: Firestore;
  leaderboard: string;
  years: readonly Year[];
  /** Matches submitted so far, by tournament. */
  played: () => ReadonlyMap<string, number>;
  /** Called again and again with all years. */
  show: (states: readonly YearState[]) => void;
}

/**
 * Returns when all tournaments are closed, and cleared of what is no longer needed.
 * @throws if a closing failed, or stays at the same point for four minutes.
 */
export async function followClosings({ db, leaderboard, years, played, show }: Following): Promise<void> {
  const champions = new Map<string, string>();
  const refs = years.map(({ season }) => db.doc(seasonPath({ leaderboard, season })));
  const since = new Map<string, { point: string; ms: number }>();
  for (;;) {
    const nowMs = Date.now();
    const seasons = (await db.getAll(...refs)).map((found) =>
      found.exists ? readSeason(found.data()) : undefined,
    );
    const states: YearState[] = [];
    for (const [i, year] of years.entries()) {
      const season = seasons[i];
      const key = { leaderboard, season: year.season };
      const state = { year, played: played().get(year.season) ?? 0 };
      if (season?.status === "closed") {
        const champion = champions.get(year.season) ?? (await championOf(db, key));
        champions.set(year.season, champion);
        states.push({ ...state, champion });
      } else {
        const phase = season === undefined ? undefined : await phaseOf(db, key, season);
        states.push(phase === undefined ? state : { ...state, phase });
      }
      const point = states.at(-1)?.champion ?? states.at(-1)?.phase;
      const known = since.get(year.season);
      if (point !== undefined && point !== known?.point) {
        since.set(year.season, { point, ms: nowMs });
      } else if (known !== undefined && season?.cleared_at === null) {
        assertMoving(year, known, nowMs);
      }
    }
    show(states);
    if (seasons.every((season) => season !== undefined && season.cleared_at !== null)) {
      return;
    }
    await sleep(lookEveryMs);
  }
}

/** The first of the final table. */
async function championOf(db: Firestore, key: SeasonKey): Promise<string> {
  const { players } = storedStandings.parse((await db.doc(standingsPath(key, 0)).get()).data());
  return players[0] ?? "nobody";
}

/** Undefined while it takes results. @throws if its closing failed. */
async function phaseOf(
  db: Firestore,
  key: SeasonKey,
  { closes_at: closesAt, closing_run: run }: Season,
): Promise<string | undefined> {
  if (run === null) {
    return closesAt === null ? undefined : "closing";
  }
  const found = await db.doc(runPath(key, run)).get();
  const { phase, outcome, error } = closingRecord.parse(found.data());
  if (outcome === "failed") {
    throw new Error(`The closing of ${key.season} failed while ${phase}: ${error ?? ""}`);
  }
  return phase;
}

function assertMoving({ season }: Year, { point, ms }: { point: string; ms: number }, nowMs: number): void {
  if (nowMs - ms > sameSecondsMax * 1_000) {
    throw new Error(
      `The closing of ${season} has been at the same point for ${sameSecondsMax} seconds (${point}). ` +
        "stepSeason seems to fail; .firerank/emulators-default.log says why.",
    );
  }
}
