/** The progress of a season's closing, live, as a row of steps; and why it waits or failed, and what happens next. */
import type { ComponentChildren } from "preact";
import type { ClosingRecord } from "../../../functions/src/documents/closing-record.ts";
import { runPath } from "../../../functions/src/documents/paths.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import { isRemembered, isWaking } from "../data/connection.ts";
import { readClosing } from "../data/documents.ts";
import { useDocument } from "../data/hooks.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { formatLeft } from "../format/times.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { BadBox, Notice, Problem, Progress, valueOf } from "../parts/states.tsx";
import { type SeasonProps, stateOf } from "../season/state.ts";
import { type ClosingStep, closingSteps } from "./phases.ts";

/** A step that has been due for this long will not start by itself: the schedule looks every minute. */
const overdueMs = 3 * 60_000;

/** A season's closing until it is done, for admins in detail. Cost: 1 read, and 1 each ten seconds at most. */
export function ClosingCard(props: SeasonProps & { season: Season }) {
  const { season } = props;
  useServerClock();
  const state = stateOf(season, serverNow.value);
  if (state === "deleting") return <Deleting {...props} />;
  const isEnding = state === "closing" || (state === "closed" && season.cleared_at === null);
  if (!isEnding || (state === "closed" && !isAdmin.value)) return null;
  return isAdmin.value ? <InProgress {...props} /> : <ForPlayers />;
}

function ForPlayers() {
  return (
    <Notice role="status">
      This season has ended. Its last scores are being counted; the final table will be ready in a few
      minutes.
    </Notice>
  );
}

function InProgress({ seasonKey, season }: SeasonProps & { season: Season }) {
  const { closing_run: run } = season;
  const loaded = useDocument(run === null ? undefined : runPath(seasonKey, run), readClosing);
  const record = valueOf(loaded);
  const isOld = isRemembered(loaded);
  const steps = closingSteps({ season, record });
  const current = steps.find(({ state }) => state === "now" || state === "failed");
  const beside = (
    <>
      {record !== undefined && record.pass > 1 && (
        <span class="chip chip-warn">{`attempt ${formatCount(record.pass)}`}</span>
      )}
      {isOld && <span class="dot dot-plain muted">Last known</span>}
    </>
  );
  return (
    <Card
      id="closing"
      classes="closing"
      title={season.status === "closed" ? "Clearing up" : "Closing"}
      beside={beside}
    >
      {loaded.state === "failed" && (
        <Problem title="The record of the closing could not be read" error={loaded.error} />
      )}
      <ol class="way" aria-label="Steps of the closing">
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <div class="closing-now" role="status">
        {record?.outcome === "failed" ? (
          <Failed record={record} season={season} step={current?.name ?? "its end"} />
        ) : (
          <p>
            {current?.about ?? "The first step starts within a minute."} {!isOld && <Waits season={season} />}
          </p>
        )}
      </div>
      <div class="closing-bar">
        {record !== undefined && current !== undefined && <Bar record={record} name={current.name} />}
      </div>
    </Card>
  );
}

function Step({ step: { name, about, state } }: { step: ClosingStep }) {
  const words = { done: "done", now: "under way", failed: "failed", ahead: "to come" };
  return (
    <li
      class={`way-step way-${state}`}
      title={about}
      aria-current={state === "now" || state === "failed" ? "step" : undefined}
    >
      <span class="way-mark" aria-hidden="true">
        {state === "done" && <Icon name="check" size={13} />}
        {state === "failed" && <Icon name="alert" size={13} />}
      </span>
      <span class="way-name">{name}</span>
      <span class="visually-hidden">, {words[state]}</span>
    </li>
  );
}

function Bar({ record: { phase, progress, ranges }, name }: { record: ClosingRecord; name: string }) {
  if (progress.total === 0) return null;
  return (
    <>
      <Progress {...progress} label={name} />
      <span class="hint numbers">{`${formatCount(progress.done)} of ${formatMany(progress.total, "player")}${phase === "writing" && ranges.length > 1 ? `, in ${formatCount(ranges.length)} ranges at once` : ""}`}</span>
    </>
  );
}

/** When the next step is due; says so if the schedule does not run. */
function Waits({ season: { end_due_at: due } }: { season: Season }) {
  if (due === null) return null;
  const leftMs = due.toMillis() - serverNow.value;
  if (leftMs > 1_000)
    return <span class="muted numbers">Next step in {formatLeft(leftMs)} at the latest.</span>;
  if (leftMs > -overdueMs || isWaking.value) return null;
  return (
    <span class="closing-late">
      The next step has been due for {formatLeft(-leftMs)}. Does rankSeasons run every minute?
    </span>
  );
}

function Failed({ record, season, step }: { record: ClosingRecord; season: Season; step: string }) {
  const leftMs = (season.end_due_at?.toMillis() ?? 0) - serverNow.value;
  return (
    <BadBox title={`The closing failed at “${step}”`}>
      <p>{record.error ?? "The record does not say why."}</p>
      <p>
        No score is lost, and the season takes no more scores. The step is retried
        {leftMs > 0 ? ` in ${formatLeft(leftMs)}` : " within a minute"}.
      </p>
    </BadBox>
  );
}

function Deleting({ season }: { season: Season }): ComponentChildren {
  if (!isAdmin.value) return null;
  const leftMs = (season.end_due_at?.toMillis() ?? 0) - serverNow.value;
  return (
    <Notice role="status">
      This season and its players are being deleted: the board keeps only newer seasons. Players no longer see
      it. {leftMs > 0 && `Next step in ${formatLeft(leftMs)}.`}
    </Notice>
  );
}
