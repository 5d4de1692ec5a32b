/** What the scheduled job did in a season: alerts, work under way, a timeline, what it cost, and each record. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ClosingCard } from "../closing/closing-card.tsx";
import { readRun } from "../data/documents.ts";
import { useLiveQuery } from "../data/hooks.ts";
import { repairsOf, type RunFilter } from "../data/queries.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import type { SeasonProps } from "../season/season-props.ts";
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
  if (history.list.state === "failed")
    return <Problem title="The runs could not be read" error={history.list.error} />;

  const players = season?.ranking.players ?? 0;
  const heard = [runs[0], ...(repairs ?? [])].map((run) => `${run?.id} ${run?.record?.outcome}`);
  const isLoading = history.list.state === "loading";
  return (
    <div class="stack">
      <Alerts seasonKey={seasonKey} players={players} heard={heard.join()} />
      {season !== undefined && <ClosingCard {...props} season={season} />}
      <Running runs={repairs ?? []} />
      <div class="columns">
        <Timeline runs={runs} isLoading={isLoading} />
        <div class="stack">
          <Costs runs={runs} isLoading={isLoading} region={pricedRegion} />
          <SeasonActions seasonKey={seasonKey} players={players} />
        </div>
      </div>
      <RunsTable
        runs={runs}
        isLoading={isLoading}
        filter={filter}
        region={pricedRegion.value}
        history={history}
      />
      <Days runs={runs} region={pricedRegion.value} />
    </div>
  );
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
