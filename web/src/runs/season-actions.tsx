/** What an admin may do with a whole season, each after a question. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { questionBefore, works } from "./repairs.ts";

const offered = ["audit", "full_audit", "sweep", "rebuild", "full_rebuild"] as const;

export function SeasonActions({ seasonKey, players }: { seasonKey: SeasonKey; players: number }) {
  const { ask, dialog } = useConfirm();
  return (
    <section class="card" aria-labelledby="actions-heading">
      <div class="card-head">
        <h2 id="actions-heading">Check and repair</h2>
      </div>
      <div class="button-row">
        {offered.map((work) => (
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
