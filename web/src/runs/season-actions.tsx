/** An admin's actions on a whole season, each with a confirmation. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { questionBefore, works } from "./repairs.ts";

const offered = ["audit", "full_audit", "sweep", "rebuild", "full_rebuild"] as const;
/** For a closed season: its table is final, and the audit compares it with the ranking. */
const offeredOfFinal = ["audit"] as const;

interface Props {
  seasonKey: SeasonKey;
  players: number;
  isFinal: boolean;
}

export function SeasonActions({ seasonKey, players, isFinal }: Props) {
  const { ask, dialog } = useConfirm();
  return (
    <section class="card" aria-labelledby="actions-heading">
      <div class="card-head">
        <h2 id="actions-heading">{isFinal ? "Check" : "Check and repair"}</h2>
      </div>
      <div class="button-row">
        {(isFinal ? offeredOfFinal : offered).map((work) => (
          <button
            key={work}
            type="button"
            class="button"
            onClick={() => {
              ask(questionBefore(work, seasonKey, players));
            }}
          >
            {works[work].verb}
          </button>
        ))}
      </div>
      {dialog}
    </section>
  );
}
