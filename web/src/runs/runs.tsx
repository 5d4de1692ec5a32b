/** What the scheduled job did in a season: alerts, work under way, a timeline, what it cost, and each record. */
import { signal } from "@preact/signals";
import { isInstant } from "../../../functions/src/model/instant.ts";
import { now } from "../clock.ts";
import { readRun } from "../data/documents.ts";
import { useGrowingList, useLiveQuery } from "../data/hooks.ts";
import { oldestPending, repairsOf, runsOf, type RunFilter } from "../data/queries.ts";
import { isAdmin } from "../firebase/session.ts";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import type { SeasonProps } from "../season/season-page.tsx";
import { alertsOf } from "./alerts.ts";
import { Alerts } from "./alerts-list.tsx";
import { Costs } from "./costs-card.tsx";
import { merged } from "./merge-runs.ts";
import { pricedRegion } from "./priced-region.ts";
import { RunsTable } from "./runs-table.tsx";
import { Running } from "./running.tsx";
import { SeasonActions } from "./season-actions.tsx";
import { Timeline } from "./timeline.tsx";

/** Runs that are listened to, and those that one asks for at once. */
const liveRuns = 20;
const liveRepairs = 10;
const runsPerStretch = 100;

const filter = signal<RunFilter>("all");

export function Runs({ seasonKey, season }: SeasonProps) {
  const wanted = isAdmin.value;
  const live = useLiveQuery(wanted ? runsOf(seasonKey, filter.value, liveRuns) : undefined, readRun);
  const repairs = useLiveQuery(wanted ? repairsOf(seasonKey, liveRepairs) : undefined, readRun);
  const newest = useLiveQuery(wanted ? runsOf(seasonKey, "all", 1) : undefined, readRun);
  const pending = useLiveQuery(
    wanted ? oldestPending(seasonKey) : undefined,
    ({ data }) => data["slot_ends_at"] as unknown,
  );
  const history = useGrowingList(
    wanted ? runsOf(seasonKey, filter.value, runsPerStretch) : undefined,
    readRun,
  );
  if (!wanted) return <NotForYou />;
  if (history.list.state === "failed")
    return <Problem title="The runs could not be read" error={history.list.error} />;

  const runs = merged(valueOf(live) ?? [], valueOf(history.list) ?? []);
  const pendingSince = valueOf(pending)?.[0];
  const alerts = alertsOf({
    runs: valueOf(newest) ?? [],
    repairs: valueOf(repairs) ?? [],
    pendingSinceMs: isInstant(pendingSince) ? pendingSince.toMillis() : undefined,
    intervalMs: season?.interval_ms ?? 60_000,
    nowMs: now.value,
  });
  const isLoading = history.list.state === "loading";
  return (
    <div class="stack">
      <Alerts alerts={alerts} seasonKey={seasonKey} />
      <Running runs={valueOf(repairs) ?? []} />
      <div class="columns">
        <Timeline runs={runs} isLoading={isLoading} />
        <div class="stack">
          <Costs runs={runs} isLoading={isLoading} region={pricedRegion} />
          <SeasonActions seasonKey={seasonKey} players={season?.ranking.players ?? 0} />
        </div>
      </div>
      <RunsTable
        runs={runs}
        isLoading={isLoading}
        filter={filter}
        region={pricedRegion.value}
        history={history}
      />
    </div>
  );
}

function NotForYou() {
  return (
    <div class="card">
      <Empty icon="shield" title="Runs are for admins">
        Your account does not have the claim <code>leaderboard_admin</code>.
      </Empty>
    </div>
  );
}
