/** What is wrong, each with the button that repairs it. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { now } from "../clock.ts";
import { isWaking } from "../data/connection.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Alert, alertsOf, type Situation } from "./alerts.ts";
import { questionBefore, works } from "./repairs.ts";

interface Props {
  /** The situation without the time, which updates by itself. */
  situation: Omit<Situation, "nowMs">;
  seasonKey: SeasonKey;
  players: number;
}

export function Alerts({ situation, seasonKey, players }: Props) {
  const { ask, dialog } = useConfirm();
  const alerts = alertsOf({
    ...situation,
    nowMs: now.value,
    isRemembered: situation.isRemembered || isWaking.value,
  });
  return (
    <>
      <div class="alerts" role="status" aria-live="polite">
        {alerts.map((alert) => (
          <AlertLine
            key={alert.id}
            alert={alert}
            onRepair={() => ask(questionBefore(alert.remedy, seasonKey, players))}
          />
        ))}
      </div>
      {dialog}
    </>
  );
}

function AlertLine({ alert: { title, text, remedy }, onRepair }: { alert: Alert; onRepair: () => void }) {
  return (
    <div class="notice notice-bad alert">
      <Icon name="alert" />
      <div>
        <p class="notice-title">{title}</p>
        <p>{text}</p>
      </div>
      <button type="button" class="button button-danger" onClick={onRepair}>
        {works[remedy].verb}
      </button>
    </div>
  );
}
