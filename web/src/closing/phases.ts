/** The steps of a closing, for a diagram: done, under way, or still to come. Pure. */
import type { ClosingPhase, ClosingRecord } from "../../../functions/src/documents/closing-record.ts";
import type { Season } from "../../../functions/src/documents/season.ts";

/** The names of the phases in the list of records. */
export const closingPhaseWords: Record<ClosingPhase, string> = {
  settling: "Settling",
  completing: "Search",
  writing: "Standings",
  closing: "Publication",
  clearing: "Clearing",
  ended: "Cleared",
};

const about: Record<Exclude<ClosingPhase, "ended"> | "closed", string> = {
  settling: "Waits for submissions that began before the end.",
  completing: "Looks for scores of your servers that lack a time or a status.",
  writing: "Writes the final table from all players, 1,000 to a document.",
  closing: "Adds what admins have changed meanwhile, and publishes the table.",
  closed: "From now on the final table counts.",
  clearing: "Deletes what is no longer needed.",
};

export interface ClosingStep {
  id: keyof typeof about;
  name: string;
  about: string;
  state: "done" | "now" | "failed" | "ahead";
}

export interface ClosingSituation {
  season: Pick<Season, "status">;
  /** Undefined until the closing has begun. */
  record: Pick<ClosingRecord, "phase" | "outcome"> | undefined;
}

const ids = ["settling", "completing", "writing", "closing", "closed", "clearing"] as const;

export function closingSteps({ season, record }: ClosingSituation): ClosingStep[] {
  const at = placeOf({ season, record });
  return ids.map((id, i) => ({
    id,
    name: id === "closed" ? "Closed" : closingPhaseWords[id],
    about: about[id],
    state: i < at ? "done" : i > at ? "ahead" : record?.outcome === "failed" ? "failed" : "now",
  }));
}

/** The index of the step that is under way: -1 before the first, the number of steps after the last. */
function placeOf({ season, record }: ClosingSituation): number {
  if (record === undefined) return season.status === "closed" ? ids.length : -1;
  return record.phase === "ended" ? ids.length : ids.indexOf(record.phase);
}
