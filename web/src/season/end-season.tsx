/** Ends a tournament by hand, after a confirmation. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import { call } from "../data/calls.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { formatIn, readersZone } from "../format/zones.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { stateOf } from "./state.ts";

/** A button for a tournament that has not ended; seasons of spans are ended by their calendar. Cost: 1 read, 1 write. */
export function EndSeason({ seasonKey, season }: { seasonKey: SeasonKey; season: Season }) {
  useServerClock();
  const { ask, dialog } = useConfirm();
  const state = stateOf(season, serverNow.value);
  if (season.span !== "custom" || (state !== "open" && state !== "coming")) return dialog;
  const end = async () => {
    const { closes_at: closes } = await call("closeSeason", seasonKey);
    const until = closes === null ? "" : ` until ${formatIn(Date.parse(closes), readersZone())}, your time`;
    tell("good", `${seasonKey.season} takes scores${until}. Then its final table is made.`);
  };
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          ask({
            title: `End ${seasonKey.season}?`,
            text: "It takes scores for about one more minute, because functions cache that it is open. Then it closes, and a few minutes later its table is final. An ended season cannot be reopened.",
            verb: "End it",
            isDanger: true,
            work: end,
          });
        }}
      >
        End …
      </button>
      {dialog}
    </>
  );
}
