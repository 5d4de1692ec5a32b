/**
 * The daily look for alerts: it tells of each season whose changes wait for more than about two intervals, and of no
 * other that it is late.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type SeasonKey, seasonPath, shardsPath } from "../../functions/src/documents/paths.ts";
import { findDailyAlerts } from "../../functions/src/jobs/schedule/daily-look.ts";
import { keyIn } from "../board.ts";
import type { World } from "../world.ts";
import { insist } from "./violation.ts";

const minuteMs = 60_000;

/** The look is taken while nothing else is under way. @throws a violation */
export function beginDailyLook(world: World): void {
  const keys = [...world.life.all().map(({ id }) => keyIn(id)), ...world.boards.seasons()];
  const slackMs = 2 * world.plan.skewMsMax;
  world.invoke({
    name: "the daily look",
    secondsMax: 60,
    async handle(services) {
      const alerts = await findDailyAlerts(services);
      for (const key of keys) {
        const own = alerts.filter((one) => nameOf(one) === nameOf(key));
        const beyondMs = lateByMs(world, key);
        insist(
          beyondMs <= slackMs || own.length > 0,
          () =>
            `alerts: ${nameOf(key)} is late by ${beyondMs} ms more than allowed, and the daily look tells nothing`,
        );
        insist(
          beyondMs >= -slackMs || own.every(({ code }) => code !== "season_late"),
          () => `alerts: ${nameOf(key)} is not late, and the daily look says so`,
        );
      }
    },
  });
}

const nameOf = ({ leaderboard, season }: SeasonKey) => `${leaderboard}/${season}`;

/** How much longer than two intervals and two minutes a season's oldest change has waited; -Infinity if it has none. */
function lateByMs({ database: { store }, now }: World, key: SeasonKey): number {
  const { status, parked, interval_ms: intervalMs, opens_at: opens } = store.get(seasonPath(key))?.data ?? {};
  // Runs go on while a season closes.
  const isRunning = status === "open" || status === "closing";
  const isRanked = isRunning && parked === null && opens instanceof Timestamp && opens.toMillis() <= now();
  if (!isRanked || typeof intervalMs !== "number") return -Infinity;
  const ends = store.list(shardsPath(key)).map(({ data }) => (data["slot_ends_at"] as Timestamp).toMillis());
  const allowedMs = 2 * Math.max(intervalMs, minuteMs) + 2 * minuteMs;
  return now() - Math.min(...ends) - allowedMs;
}
