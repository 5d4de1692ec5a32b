/** What the scheduled job did in a season: alerts, work under way, a timeline, what it cost, and each record. */
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { RepairRecord } from "../../../functions/src/documents/repair-record.ts";
import { now } from "../clock.ts";
import { ClosingCard } from "../closing/closing-card.tsx";
import { isRepair, readRun, readRuns, recordsOf, type Run } from "../data/documents.ts";
import { useGrowingList, useLiveQuery } from "../data/hooks.ts";
import { repairsOf, type RunFilter, runsOf } from "../data/queries.ts";
import type { Found } from "../data/firestore-json.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { AskButton } from "../parts/confirm.tsx";
import { Empty, Problem, Progress, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import type { SeasonProps } from "../season/state.ts";
import { Alerts } from "./alerts-list.tsx";
import { Costs } from "./costs-card.tsx";
import { Days } from "./days-card.tsx";
import { kindName } from "./describe.ts";
import { pricedRegion } from "./priced-region.ts";
import { RunsTable } from "./runs-table.tsx";
import { questionBefore, works } from "./repairs.ts";
import { Timeline } from "./timeline.tsx";

/** The most audits and repairs to listen to: if all are cheap audits, those of three weeks. */
const liveRepairs = 20;

/** Runs that are live, and how many older ones each request adds. */
const runsAtFirst = 100;

const filter = signal<RunFilter>("all");
const none: readonly Run[] = [];
const asFound = (found: Found) => found;

export function Runs(props: SeasonProps) {
  return isAdmin.value ? <RunsOfSeason {...props} /> : <NotForYou />;
}

function RunsOfSeason(props: SeasonProps) {
  const { seasonKey, season } = props;
  const repairs = valueOf(useLiveQuery(repairsOf(seasonKey, liveRepairs), readRun));
  const history = useGrowingList(runsOf(seasonKey, filter.value, runsAtFirst), asFound, { isLive: true });
  if (history.list.state === "failed")
    return <Problem title="The runs could not be read" error={history.list.error} />;

  const records = valueOf(history.list);
  const { hasMore } = history;
  const ofRankings = filter.value === "all" || filter.value === "ranking" ? season : undefined;
  const runs = useMemo(
    () => (records ? readRuns(seasonKey, { records, hasMore, season: ofRankings }, now.peek()) : none),
    [records, hasMore, ofRankings],
  );
  const players = season?.ranking.players ?? 0;
  const heard = [runs[0], ...(repairs ?? [])].map((run) => `${run?.id} ${run?.record?.outcome}`);
  const isLoading = history.list.state === "loading";
  return (
    <div class="stack">
      <Alerts seasonKey={seasonKey} players={players} heard={heard.join()} />
      {season !== undefined && <ClosingCard {...props} season={season} />}
      <Running runs={repairs ?? []} />
      <div class="columns">
        <Timeline runs={runs} isLoading={isLoading} intervalMs={season?.interval_ms ?? 0} />
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

/** Audits and repairs that are under way, with their progress. */
function Running({ runs }: { runs: readonly Run[] }) {
  const running = recordsOf(runs)
    .filter(isRepair)
    .filter(({ outcome }) => outcome === "running");
  return (
    <>
      {running.map((record) => (
        <Work key={record.run} record={record} />
      ))}
    </>
  );
}

function Work({ record }: { record: RepairRecord }) {
  const { done, total } = record.progress;
  const label = `${kindName(record)}${record.kind === "repair" ? `, ${record.phase}` : ""}`;
  return (
    <section class="card progress-card" aria-label={`${label} under way`}>
      <div class="progress-head">
        <h2>{label}</h2>
        <span class="hint numbers">
          {formatCount(done)} of {formatCount(total)} documents · started{" "}
          <Ago ms={record.started_at.toMillis()} />
        </span>
      </div>
      <Progress {...record.progress} label={label} />
    </section>
  );
}

const offered = ["audit", "full_audit", "repair"] as const;

/** An admin's actions on a whole season, each with a confirmation. */
function SeasonActions({ seasonKey, players }: { seasonKey: SeasonKey; players: number }) {
  return (
    <Card id="actions" title="Check and repair">
      <div class="button-row">
        {offered.map((work) => (
          <AskButton key={work} question={questionBefore(work, seasonKey, players)}>
            {works[work].verb}
          </AskButton>
        ))}
      </div>
    </Card>
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
