/** An admin's actions on a whole season, each with a confirmation. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { Card } from "../parts/card.tsx";
import { useConfirm } from "../parts/confirm.tsx";
import { questionBefore, works } from "./repairs.ts";

const offered = ["audit", "full_audit", "repair"] as const;

interface Props {
  seasonKey: SeasonKey;
  players: number;
}

export function SeasonActions({ seasonKey, players }: Props) {
  const { ask, dialog } = useConfirm();
  return (
    <Card id="actions" title="Check and repair">
      <div class="button-row">
        {offered.map((work) => (
          <button
            key={work}
            type="button"
            class="button"
            onClick={() => ask(questionBefore(work, seasonKey, players))}
          >
            {works[work].verb}
          </button>
        ))}
      </div>
      {dialog}
    </Card>
  );
}
