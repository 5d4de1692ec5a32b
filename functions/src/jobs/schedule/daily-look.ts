/** The look for alerts that the schedule takes once a day. */
import type { Firestore, Query, QueryDocumentSnapshot } from "../../documents/firestore.ts";
import {
  definitionPath,
  isSeasonPath,
  type SeasonKey,
  seasonOfPath,
  seasonPath,
} from "../../documents/paths.ts";
import { dueSeasons, parkedSeasons, runsSince, wrongAudits } from "../../documents/queries.ts";
import { documentsAt, inChunks } from "../../documents/reads.ts";
import { formOfSeason, readSeason } from "../../documents/season.ts";
import { storedDefinition } from "../../model/definition.ts";
import { documentsPerReadMax, endRetryMs, runKeepDays } from "../../model/limits.ts";
import { inPool } from "../../world/pool.ts";
import type { Services } from "../../world/services.ts";
import { type Alert, alertsOf, isRanked, lateAfterMs } from "../alerts.ts";
import {
  atOnce,
  findAlerts,
  oldestPending,
  recordsMost,
  seenIn,
  type WatchOptions,
  zoneAlerts,
} from "./watch.ts";

/** The most seasons that one look looks at more closely. */
const suspectsMost = 1_000;

/**
 * The alerts of all seasons that are suspect, for the look that the schedule takes once a day. It is complete however many
 * boards there are, and costs nothing for seasons that sleep: their last changes were published, and an audit has counted
 * their players since. What happens to a sleeping season without waking it, it does not see.
 *
 * Cost: six queries, each 1 read a document and at least 1: of seasons that are awake, whose end is overdue, or that are
 * parked; and of records of 30 days that failed, are running, or found errors. 1 read for the definition of each board
 * that is awake; 1 for each awake season that published nothing for two intervals. And what {@link findAlerts} costs,
 * for each season that is suspect by these, 1,000 at most.
 */
export async function findDailyAlerts(
  services: Pick<Services, "db" | "now" | "log">,
  options: WatchOptions = {},
): Promise<Alert[]> {
  const { suspects, boards } = await findSuspects(services);
  if (suspects.size > suspectsMost)
    services.log.warn("more seasons are suspect than one look for alerts looks at", { count: suspects.size });
  const some = [...suspects].slice(0, suspectsMost).map(seasonOfPath);
  const found = await inPool(some, atOnce, (key) => findAlerts(services, key, options));
  // Suspect seasons tell of their boards' time zones themselves.
  const others = [...boards].filter(([, key]) => !suspects.has(seasonPath(key)));
  const zones = await findUnknownZones(services, new Map(others));
  return [...zones, ...found.flatMap(({ alerts }) => alerts)];
}

/** How far ahead the next run of an awake season is at most. Of a season that opens later it may be further. */
const awakeMsMax = 2 * 86_400_000;

/** The paths of suspect seasons; and of the definitions of boards that are awake, each with one of its seasons. */
async function findSuspects({ db, now }: Pick<Services, "db" | "now">) {
  const nowMs = now();
  const sinceMs = nowMs - runKeepDays * 86_400_000;
  const suspects = new Set<string>();
  const boards = new Map<string, SeasonKey>();

  async function addAll(
    query: Query,
    isSuspect: (found: QueryDocumentSnapshot) => boolean | Promise<boolean>,
  ) {
    for await (const docs of inChunks(query, documentsPerReadMax))
      await inPool(docs, atOnce, async (found) => {
        const { path } = found.ref;
        if (isSeasonPath(path) && (await isSuspect(found))) suspects.add(path);
      });
  }

  async function addRecorded(records: Query) {
    const { docs } = await records.get();
    for (const { path } of docs.flatMap(seenIn)) suspects.add(path);
  }

  await Promise.all([
    addAll(dueSeasons(db, "next_run_at", nowMs + awakeMsMax), (found) => {
      const key = seasonOfPath(found.ref.path);
      boards.set(definitionPath(key.leaderboard), key);
      return isTold(found, nowMs) || waitsLong(db, found, nowMs);
    }),
    addAll(dueSeasons(db, "end_due_at", nowMs + endRetryMs), (found) => isTold(found, nowMs)),
    addAll(parkedSeasons(db), () => true),
    addRecorded(runsSince(db, "failed", { sinceMs }, recordsMost)),
    addRecorded(runsSince(db, "running", { sinceMs }, recordsMost)),
    addRecorded(wrongAudits(db, sinceMs, recordsMost)),
  ]);
  return { suspects, boards };
}

/** Whether a season's document tells of an alert by itself, or cannot be read. */
function isTold(found: QueryDocumentSnapshot, nowMs: number): boolean {
  if (formOfSeason(found.data()) !== "known") return true;
  const season = readSeason(found.data());
  return alertsOf({ key: seasonOfPath(found.ref.path), season, records: [] }, nowMs).length > 0;
}

/** Whether changes of an awake season wait for too long. Cost: 1 read if it published nothing for two intervals. */
async function waitsLong(db: Firestore, found: QueryDocumentSnapshot, nowMs: number): Promise<boolean> {
  const key = seasonOfPath(found.ref.path);
  const season = readSeason(found.data());
  const { ranking, opens_at: opensAt } = season;
  const sinceMs = (ranking.published_at ?? opensAt).toMillis();
  if (!isRanked(season, nowMs) || nowMs - sinceMs <= lateAfterMs(season)) return false;
  const pendingSinceMs = await oldestPending(db, key);
  return alertsOf({ key, season, records: [], pendingSinceMs }, nowMs).length > 0;
}

/** Alerts about boards whose time zone this runtime does not know. Cost: 1 read a board. */
async function findUnknownZones(
  { db, now }: Pick<Services, "db" | "now">,
  boards: ReadonlyMap<string, SeasonKey>,
): Promise<Alert[]> {
  const paths = [...boards.keys()];
  const alerts: Alert[] = [];
  for (let from = 0; from < paths.length; from += documentsPerReadMax)
    for (const found of await documentsAt(db, paths.slice(from, from + documentsPerReadMax))) {
      const { data: definition } = storedDefinition.safeParse(found.data());
      const key = boards.get(found.ref.path);
      if (definition !== undefined && key !== undefined) alerts.push(...zoneAlerts(key, definition, now()));
    }
  return alerts;
}
