/** What happened to a season since its end: its closing, and players who were removed or readmitted, without names. */
import { readRun, type Run } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { runsOf } from "../data/queries.ts";
import { formatMany } from "../format/numbers.ts";
import { formatDuration } from "../format/times.ts";
import { Card, ShowMore } from "../parts/card.tsx";
import { Problem, Skeleton, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { revisionText } from "../runs/describe.ts";
import type { SeasonProps } from "../season/state.ts";

const perStretch = 10;

/** Cost: 1 read a line, 10 at a time; the lines are read again when a revision is published. */
export function HistoryCard({ seasonKey, season }: SeasonProps) {
  const generation = season?.ranking.generation ?? 0;
  return <History key={generation} seasonKey={seasonKey} />;
}

function History({ seasonKey }: Pick<SeasonProps, "seasonKey">) {
  const growing = useGrowingList(runsOf(seasonKey, "end", perStretch), readRun);
  const { list } = growing;
  const runs = valueOf(list);
  return (
    <Card id="history" title="After its end">
      {list.state === "failed" && <Problem title="The history could not be read" error={list.error} />}
      {list.state === "loading" && <Skeleton width={28} />}
      {runs !== undefined && (
        <ol class="history">
          {runs.map((run) => (
            <Line key={run.id} run={run} />
          ))}
        </ol>
      )}
      <ShowMore of={growing}>Show earlier</ShowMore>
    </Card>
  );
}

function Line({ run: { id, record } }: { run: Run }) {
  if (record?.kind === "revision")
    return (
      <li>
        <span>{revisionText(record)}</span> <Ago ms={record.started_at.toMillis()} />
      </li>
    );
  if (record?.kind === "closing")
    return (
      <li>
        <span>
          {record.players === null
            ? "The closing began"
            : `Closed with ${formatMany(record.players, "player")}, after ${formatDuration(record.duration_ms)}`}
        </span>{" "}
        <Ago ms={record.started_at.toMillis()} />
      </li>
    );
  return <li>Record {id} was written by another release.</li>;
}
