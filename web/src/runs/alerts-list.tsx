/** What is wrong with a season, as `listAlerts` says it, each with the button that mends it. */
import { computed } from "@preact/signals";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { countedAtOnceMax } from "../../../functions/src/model/limits.ts";
import type { AlertsAnswer } from "../../../functions/src/operations/list-alerts.ts";
import { now } from "../clock.ts";
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import { codeOf } from "../errors.ts";
import { formatDuration } from "../format/times.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { BadBox, Problem, valueOf } from "../parts/states.tsx";
import { questionBefore, type Work, works } from "./repairs.ts";

interface Props {
  seasonKey: SeasonKey;
  players: number;
  /** Changes with what the page hears of the season: then it asks again. */
  heard: string;
}

type Alert = AlertsAnswer["alerts"][number];

const minuteMs = 60_000;
/** Ten minutes pass before most alerts come about. */
const look = computed(() => Math.floor(now.value / (2 * minuteMs)));
/** Where a look may count so many players that it costs 250 reads or more. */
const rareLook = computed(() => Math.floor(now.value / (60 * minuteMs)));

const workOf: Record<NonNullable<Alert["call"]>, Work> = {
  runRanking: "rank",
  auditSeason: "audit",
  repairSeason: "repair",
};

/** Cost: the call's, each two minutes, of a large season each hour, and when something of the season has changed. */
export function Alerts({ seasonKey, players, heard }: Props) {
  const { ask, dialog } = useConfirm();
  const answer = usePromise(
    `alerts ${JSON.stringify(seasonKey)} ${heard} ${(players > countedAtOnceMax ? rareLook : look).value}`,
    () => call("listAlerts", seasonKey),
  );
  if (answer.state === "failed" && codeOf(answer.error) !== "unavailable")
    return <Problem title="The season's alerts could not be listed" error={answer.error} />;
  return (
    <>
      <div class="alerts" role="status" aria-live="polite">
        {valueOf(answer)?.alerts.map((alert) => (
          <AlertLine
            key={alert.code}
            alert={alert}
            onWork={(work) => ask(questionBefore(work, seasonKey, players))}
          />
        ))}
      </div>
      {dialog}
    </>
  );
}

function AlertLine({ alert, onWork }: { alert: Alert; onWork: (work: Work) => void }) {
  const { message, what_to_do: todo, since } = alert;
  const work = alert.call && workOf[alert.call];
  // In whole minutes, as alerts are read out whenever their text changes.
  const minutes = Math.floor((now.value - Date.parse(since)) / 60_000);
  const button = work !== undefined && (
    <button type="button" class="button button-danger" onClick={() => onWork(work)}>
      {works[work].verb}
    </button>
  );
  return (
    <BadBox title={message} classes="alert" beside={button}>
      <p>
        For {formatDuration(minutes * 60_000)}. {todo}
      </p>
    </BadBox>
  );
}
