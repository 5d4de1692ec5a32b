/** The steps of a closing, for a diagram: done, under way, or still to come. Pure. */
import type { ClosingPhase, ClosingRecord } from "../../../functions/src/documents/closing-record.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";

/** The names of the phases in the list of records. */
export const closingPhaseWords: Record<ClosingPhase, string> = {
  settling: "Settling",
  sweeping: "Sweep",
  auditing: "Audit",
  repairing: "Repair",
  ranking: "Last run",
  writing: "Standings",
  checking: "Check",
  clearing: "Clearing",
  ended: "Cleared",
};

/** What each step does, in one sentence. */
const about: Record<Exclude<ClosingPhase, "ended"> | "closed", string> = {
  settling: "Waits for submissions that began before the end.",
  sweeping: "Indexes every player with a missed event.",
  auditing: "Compares the totals of players, index and ranking.",
  repairing: "Rebuilds the ranking from the index.",
  ranking: "Ranks every score submitted before the end.",
  writing: "Writes the final table, 1,000 players to a document.",
  checking: "Compares the final table with the ranking.",
  closed: "From now on the final table counts.",
  clearing: "Deletes the index, which is no longer needed.",
};

export interface ClosingStep {
  id: keyof typeof about;
  name: string;
  about: string;
  state: "done" | "now" | "failed" | "ahead";
}

/** The data of the diagram. */
export interface ClosingSituation {
  season: Pick<Season, "status">;
  /** Undefined until the closing has begun. */
  record: Pick<ClosingRecord, "phase" | "outcome"> | undefined;
  /** A ranking of counts has no index to audit or repair, and mostly nothing to sweep. */
  source: Definition["source"] | undefined;
}

/** The steps of a closing in order; the repair, and the sweep before a ranking of counts, only while there is one. */
export function closingSteps({ season, record, source }: ClosingSituation): ClosingStep[] {
  const ids: ClosingStep["id"][] = [
    "settling",
    ...(source === "count" ? [] : (["sweeping", "auditing"] as const)),
    ...(record?.phase === "repairing" || (source === "count" && record?.phase === "sweeping")
      ? [record.phase]
      : []),
    "ranking",
    "writing",
    "checking",
    "closed",
    "clearing",
  ];
  const at = placeOf(ids, { season, record });
  return ids.map((id, i) => ({
    id,
    name: id === "closed" ? "Closed" : closingPhaseWords[id],
    about: about[id],
    state: i < at ? "done" : i > at ? "ahead" : record?.outcome === "failed" ? "failed" : "now",
  }));
}

/** The index of the step that is under way: -1 before the first, the number of steps after the last. */
function placeOf(
  ids: readonly ClosingStep["id"][],
  { season, record }: Omit<ClosingSituation, "source">,
): number {
  if (record === undefined) return season.status === "closed" ? ids.length : -1;
  return record.phase === "ended" ? ids.length : ids.indexOf(record.phase);
}
