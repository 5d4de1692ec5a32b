/** What a run is called, and the one thing to know of it. Pure. */
import type { RunRecord } from "../../../functions/src/documents/repair-record.ts";
import { formatCount, formatMany } from "../format/numbers.ts";

/** `Ranking`, `Full audit`, `Rebuild`. */
export function kindName(record: RunRecord): string {
  const names = { ranking: "Ranking", audit: "Audit", sweep: "Sweep", rebuild: "Rebuild" };
  const name = names[record.kind];
  if (record.kind === "ranking" || record.kind === "sweep" || !record.full) return name;
  return `Full ${name.toLowerCase()}`;
}

/** How it ended, and the tone of that. */
export function outcomeOf(record: RunRecord): { word: string; tone: "good" | "bad" | "warn" | "plain" } {
  switch (record.outcome) {
    case "failed":
      return { word: "Failed", tone: "bad" };
    case "running":
      return { word: "Running", tone: "plain" };
    case "published":
      return { word: "Published", tone: "good" };
    case "nothing_to_do":
      return { word: "Nothing to do", tone: "plain" };
    case "done":
      return record.kind === "audit" && record.repair !== "none"
        ? { word: "Found drift", tone: "warn" }
        : { word: "Done", tone: "good" };
  }
}

/** What it did: `Generation 12, 3,000 players`. */
export function summaryOf(record: RunRecord): string {
  if (record.error !== undefined) return record.error;
  switch (record.kind) {
    case "ranking":
      return record.generation === null
        ? ""
        : `Generation ${formatCount(record.generation)}, ${formatMany(record.players, "player")}`;
    case "audit":
      return record.repair === "none" ? "Nothing wrong" : `Repair: ${record.repair.replace("_", " ")}`;
    case "sweep":
      return `${formatMany(record.swept.changed, "entry", "entries")} corrected of ${formatCount(record.swept.players)}`;
    case "rebuild":
      return `Generation ${formatCount(record.generation ?? 0)}, ${formatMany(record.rebuilt.players, "player")}`;
  }
}

/** From the end of the newest slot it folded to its publication; of other runs none. */
export function lagOf(record: RunRecord): number | undefined {
  return record.kind === "ranking" ? (record.lag_ms ?? undefined) : undefined;
}

/** Shard documents folded. */
export function shardsOf(record: RunRecord): number | undefined {
  return record.kind === "ranking" ? record.read.shards : undefined;
}

/** Attempts beyond the first, its own and those of the indexing that it folded: writers who met. */
export function contentionOf(record: RunRecord): number | undefined {
  return record.kind === "ranking" ? record.attempts - 1 + record.found.index_retries : undefined;
}
