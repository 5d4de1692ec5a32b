/** What the scheduled job did in a season: alerts, work under way, a timeline, what it cost, and each record. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { isInstant } from "../../../functions/src/model/instant.ts";
import { isEnded } from "../../../functions/src/seasons/open-now.ts";
import { ClosingCard } from "../closing/closing-card.tsx";
import { isRemembered } from "../data/connection.ts";
import { readRun, type Run } from "../data/documents.ts";
import { useLiveQuery } from "../data/hooks.ts";
import { oldestPending, repairsOf, runsOf, type RunFilter } from "../data/queries.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import type { SeasonProps } from "../season/season-props.ts";
import type { Situation } from "./alerts.ts";
import { Alerts } from "./alerts-list.tsx";
import { Costs } from "./costs-card.tsx";
import { Days } from "./days-card.tsx";
import { pricedRegion } from "./priced-region.ts";
import { Running } from "./running.tsx";
import { RunsTable } from "./runs-table.tsx";
import { SeasonActions } from "./season-actions.tsx";
import { Timeline } from "./timeline.tsx";
import { useRuns } from "./use-runs.ts";

/** The most audits and repairs to listen to: if all are cheap audits, those of three weeks. */
const liveRepairs = 20;

const filter = signal<RunFilter>("all");

export function Runs(props: SeasonProps) {
  const [gaps, setGaps] = useState(0);
  if (!isAdmin.value) return <NotForYou />;
  return <RunsOfSeason key={gaps} {...props} onGap={() => setGaps(gaps + 1)} />;
}

function RunsOfSeason({ onGap, ...props }: SeasonProps & { onGap: () => void }) {
  const { seasonKey, season } = props;
  const repairs = valueOf(useLiveQuery(repairsOf(seasonKey, liveRepairs), readRun));
  const { runs, history } = useRuns(seasonKey, { filter: filter.value, repairs, onGap });
  const situation = useSituation(props, repairs ?? []);
  if (history.list.state === "failed")
    return <Problem title="The runs could not be read" error={history.list.error} />;

  const players = season?.ranking.players ?? 0;
  const isLoading = history.list.state === "loading";
  return (
    <div class="stack">
      <Alerts situation={situation} seasonKey={seasonKey} players={players} />
      {season !== undefined && <ClosingCard {...props} season={season} />}
      <Running runs={repairs ?? []} />
      <div class="columns">
        <Timeline runs={runs} isLoading={isLoading} />
        <div class="stack">
          <Costs runs={runs} isLoading={isLoading} region={pricedRegion} />
          <SeasonActions seasonKey={seasonKey} players={players} />
        </div>
      </div>
      <Days runs={runs} region={pricedRegion.value} />
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

/**
 * The data for alerts. Cost: 1 read for the newest ranking run and 1 for each that follows; 1 for the oldest pending shard
 * and 1 for each that replaces it.
 */
function useSituation(
  { seasonKey, definition, season }: SeasonProps,
  repairs: readonly Run[],
): Omit<Situation, "nowMs"> {
  const newest = useLiveQuery(runsOf(seasonKey, "ranking", 1), readRun);
  const pending = useLiveQuery(
    definition !== undefined && !(season !== undefined && isEnded(season))
      ? oldestPending(seasonKey)
      : undefined,
    ({ data }) => data["slot_ends_at"] as unknown,
  );
  const pendingSince = valueOf(pending)?.[0];
  return {
    runs: valueOf(newest) ?? [],
    repairs,
    pendingSinceMs: isInstant(pendingSince) ? pendingSince.toMillis() : undefined,
    intervalMs: season?.interval_ms ?? 60_000,
    isRemembered: isRemembered(newest) || isRemembered(pending),
  };
}

function NotForYou() {
  return (
    <div class="card">
      <Empty icon="shield" title="Runs are for admins">
        {session.value === null ? (
          "Sign in with an admin account to see them."
        ) : (
          <>
            Your account does not have the role <code>admin</code> for all boards.
          </>
        )}
      </Empty>
    </div>
  );
}
