/** What is wrong, each with the button that repairs it. */
import type { SeasonKey } from "../../../functions/src/model/paths.ts";
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { tell } from "../parts/messages.tsx";
import type { Alert } from "./alerts.ts";
import { works } from "./repairs.ts";

export function Alerts({ alerts, seasonKey }: { alerts: readonly Alert[]; seasonKey: SeasonKey }) {
  return (
    <div class="alerts" role="status" aria-live="polite">
      {alerts.map((alert) => (
        <AlertLine key={alert.id} alert={alert} seasonKey={seasonKey} />
      ))}
    </div>
  );
}

function AlertLine({ alert: { title, text, remedy }, seasonKey }: { alert: Alert; seasonKey: SeasonKey }) {
  const [isBusy, setBusy] = useState(false);
  const { verb, run } = works[remedy];
  const repair = () => {
    setBusy(true);
    run(seasonKey)
      .catch((error: unknown) => {
        tell("bad", error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        setBusy(false);
      });
  };
  return (
    <div class="notice notice-bad alert">
      <Icon name="alert" />
      <div>
        <p class="notice-title">{title}</p>
        <p>{text}</p>
      </div>
      <button type="button" class="button button-danger" disabled={isBusy} onClick={repair}>
        {isBusy ? "Working …" : verb}
      </button>
    </div>
  );
}
