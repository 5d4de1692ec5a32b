/** The steps of a closing, for a diagram: done, under way, or still to come. Pure. */
import type { ClosingPhase, ClosingRecord } from "../../../functions/src/documents/closing-record.ts";
import type { Season } from "../../../functions/src/documents/season.ts";

/** Each phase's name and, where it is a step, what it does. */
const phases = {
  waiting: ["Waiting", "Waits for submissions that began before the end."],
  completing: ["Search", "Looks for scores of your servers that lack a time or a status."],
  writing: ["Standings", "Writes the final table from all players, 1,000 to a document."],
  publishing: ["Publication", "Adds what admins have changed meanwhile, and publishes the table."],
  closed: ["Closed", "From now on the final table counts."],
  clearing: ["Clearing", "Deletes what is no longer needed."],
  ended: ["Cleared", ""],
} satisfies Record<ClosingPhase | "closed", [name: string, about: string]>;

/** A phase as the list of records names it. */
export const phaseName = (phase: ClosingPhase) => phases[phase][0];

export interface ClosingStep {
  id: (typeof ids)[number];
  name: string;
  about: string;
  state: "done" | "now" | "failed" | "ahead";
}

export interface ClosingSituation {
  season: Pick<Season, "status">;
  /** Undefined until the closing has begun. */
  record: Pick<ClosingRecord, "phase" | "outcome"> | undefined;
}

const ids = ["waiting", "completing", "writing", "publishing", "closed", "clearing"] as const;

export function closingSteps({ season, record }: ClosingSituation): ClosingStep[] {
  const at = placeOf({ season, record });
  return ids.map((id, i) => ({
    id,
    name: phases[id][0],
    about: phases[id][1],
    state: i < at ? "done" : i > at ? "ahead" : record?.outcome === "failed" ? "failed" : "now",
  }));
}

/** The index of the step that is under way: -1 before the first, the number of steps after the last. */
function placeOf({ season, record }: ClosingSituation): number {
  if (record === undefined) return season.status === "closed" ? ids.length : -1;
  return record.phase === "ended" ? ids.length : ids.indexOf(record.phase);
}
