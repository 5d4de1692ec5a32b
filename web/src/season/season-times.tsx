/**
 * When a season opens and ends, in the board's time zone and the reader's, with the time left by the server's clock.
 */
import type { ComponentChildren } from "preact";
import type { Season } from "../../../functions/src/documents/season.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { formatLeft } from "../format/times.ts";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { ZonedTime } from "../parts/time.tsx";
import { stateOf } from "./state.ts";

interface Props {
  id: string;
  season: Loaded<Season | undefined>;
  definition: Definition | undefined;
}

/** A line of times; nothing for `all_time`, which has none. */
export function SeasonTimes({ id, season: loaded, definition }: Props) {
  const season = valueOf(loaded);
  const isThere = loaded.state === "loading" || season !== undefined;
  if (id === "all_time" || !isThere) return null;
  return (
    <div class="season-times">
      {season === undefined ? (
        <Skeleton width={40} />
      ) : (
        <Times season={season} zone={definition?.time_zone ?? "UTC"} isOld={isRemembered(loaded)} />
      )}
    </div>
  );
}

function Times({ season, zone, isOld }: { season: Season; zone: string; isOld: boolean }) {
  useServerClock();
  const { opens_at: opens, closes_at: closes, closed_at: closed } = season;
  const nowMs = serverNow.value;
  const state = stateOf(season, nowMs);
  return (
    <>
      {!isOld && state === "coming" && <Countdown text="Opens in" ms={opens.toMillis() - nowMs} />}
      {!isOld && state === "open" && closes !== null && (
        <Countdown text="Closes in" ms={closes.toMillis() - nowMs} />
      )}
      <dl class="times">
        <Time name={state === "coming" ? "Opens" : "Opened"}>
          <ZonedTime ms={opens.toMillis()} zone={zone} />
        </Time>
        <Time name={state === "coming" || state === "open" ? "Closes" : "Ended"}>
          {closes === null ? "when an admin ends it" : <ZonedTime ms={closes.toMillis()} zone={zone} />}
        </Time>
        {closed !== null && (
          <Time name="Final since">
            <ZonedTime ms={closed.toMillis()} zone={zone} />
          </Time>
        )}
        <Time name="Time zone">{zone}</Time>
      </dl>
    </>
  );
}

function Countdown({ text, ms }: { text: string; ms: number }) {
  return (
    <p class="countdown">
      <span class="hint">{text}</span> <span class="countdown-left numbers">{formatLeft(ms)}</span>
    </p>
  );
}

function Time({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="time">
      <dt>{name}</dt>
      <dd class="numbers">{children}</dd>
    </div>
  );
}
