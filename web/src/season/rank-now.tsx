/** The button that publishes a ranking now, after a confirmation. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { questionBefore } from "../runs/repairs.ts";

export function RankNow({ seasonKey, players }: { seasonKey: SeasonKey; players: number }) {
  const { ask, dialog } = useConfirm();
  return (
    <>
      <button
        type="button"
        class="button button-primary"
        onClick={() => ask(questionBefore("rank", seasonKey, players))}
      >
        Rank now
      </button>
      {dialog}
    </>
  );
}
