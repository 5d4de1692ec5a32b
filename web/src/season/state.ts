/** A season: the props of all parts of its page, and its state by the server's time. Pure. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { spanOfId } from "../../../functions/src/model/season-id.ts";
import { type Hours, isToCome } from "../../../functions/src/seasons/open-now.ts";

/** The season is missing until the first score opens it. */
export interface SeasonProps {
  seasonKey: SeasonKey;
  definition: Definition | undefined;
  season: Season | undefined;
}

/** What a call takes to say how far ranks have moved today, where they are compared with midnight's. */
export function sinceToday(key: SeasonKey, definition: Definition | undefined, segment: string | undefined) {
  const isKept = definition?.movement === true && segment === undefined && spanOfId(key.season) !== "daily";
  return isKept ? { since: "day" as const } : {};
}

/** Like a season's status, but by the clock: a future season is `coming`, and one that has ended is not `open`. */
export type SeasonState = "coming" | Season["status"];

export function stateOf(season: Hours, nowMs: number): SeasonState {
  if (season.status !== "open") return season.status;
  if (isToCome(season, nowMs)) return "coming";
  return season.closes_at !== null && season.closes_at.toMillis() <= nowMs ? "closing" : "open";
}

/** Each state's name, and the colour of its chip. */
export const stateWords: Record<SeasonState, [word: string, tone: "good" | "warn" | "plain", about: string]> =
  {
    coming: ["Upcoming", "plain", "It takes no scores yet."],
    open: ["Open", "good", "It takes scores."],
    closing: ["Closing", "warn", "It takes no more scores, and its final table is being made."],
    closed: ["Closed", "plain", "Its final table is ready."],
    deleting: ["Being deleted", "warn", "Players no longer see it."],
  };
