/** A run's name, and a one-line summary. Pure. */
import type { RevisionRecord } from "../../../functions/src/documents/closing-record.ts";
import type { AuditRecord } from "../../../functions/src/documents/repair-record.ts";
import type { Bill } from "../../../functions/src/documents/ranking-record.ts";
import { type HistoryRecord, isRepair } from "../data/documents.ts";
import { closingPhaseWords } from "../closing/phases.ts";
import { formatCount, formatMany } from "../format/numbers.ts";

/** `Ranking`, `Full audit`, `Rebuild`. */
export function kindName(record: HistoryRecord): string {
  const names = {
    ranking: "Ranking",
    audit: "Audit",
    sweep: "Sweep",
    rebuild: "Rebuild",
    closing: "Closing",
    revision: "Revision",
  };
  const name = names[record.kind];
  return isRepair(record) && record.kind !== "sweep" && record.full ? `Full ${name.toLowerCase()}` : name;
}

/** The outcome, and its colour. */
export function outcomeOf(record: HistoryRecord): { word: string; tone: "good" | "bad" | "warn" | "plain" } {
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
      return record.kind === "audit" && differencesIn(record) !== undefined
        ? { word: "Found differences", tone: "warn" }
        : { word: "Done", tone: "good" };
  }
}

/** What it did: `Generation 12, 3,000 players`. */
export function summaryOf(record: HistoryRecord): string {
  if (record.kind === "revision") return revisionText(record);
  if (record.error !== undefined) return record.error;
  switch (record.kind) {
    case "ranking":
      return record.generation === null
        ? ""
        : `Generation ${formatCount(record.generation)}, ${formatMany(record.players, "player")}`;
    case "audit":
      return differencesIn(record) ?? "Nothing wrong";
    case "sweep":
      return `${formatMany(record.swept.changed, "entry", "entries")} corrected of ${formatCount(record.swept.players)}`;
    case "rebuild":
      return `Generation ${formatCount(record.generation ?? 0)}, ${formatMany(record.rebuilt.players, "player")}`;
    case "closing":
      return record.players === null
        ? `At ${closingPhaseWords[record.phase].toLowerCase()}`
        : `Closed with ${formatMany(record.players, "player")}`;
  }
}

/** What an audit found; a closed season is repaired automatically, so its audit names no repair. */
function differencesIn({ repair, found }: AuditRecord): string | undefined {
  if (repair !== "none") return `Repair: ${repair.replace("_", " ")}`;
  if (found === null) return undefined;
  const [problem] = found.pages;
  const players = Math.abs(found.convergence.difference);
  return problem ?? (players === 0 ? undefined : `Off by ${formatMany(players, "player")}`);
}

/** What happened to a closed season; the player's name is not kept. */
export function revisionText({ reason, players }: RevisionRecord): string {
  const what = {
    removed: "A player was removed",
    hidden: "A player was hidden",
    banned: "A player was banned",
    active: "A player was readmitted",
    merged: "A player was merged into another",
  };
  return `${what[reason]}; ${formatMany(players, "player")} since`;
}

const nothing: Bill = { reads: 0, writes: 0, deletes: 0 };

/** What it was billed; nothing for a revision, which does not count its operations. */
export function billedOf(record: HistoryRecord): Bill {
  return record.kind === "revision" ? nothing : record.billed;
}

/** How long it took; a revision is done in its call. */
export function tookOf(record: HistoryRecord): number | undefined {
  return record.kind === "revision" ? undefined : record.duration_ms;
}

/** The time from the end of the newest slot it folded to its publication; none for other runs. */
export function lagOf(record: HistoryRecord): number | undefined {
  return record.kind === "ranking" ? (record.lag_ms ?? undefined) : undefined;
}

/** Shard documents folded. */
export function shardsOf(record: HistoryRecord): number | undefined {
  return record.kind === "ranking" ? record.read.shards : undefined;
}

/** Attempts beyond the first, of its own and of the indexing that it folded: conflicts between writers. */
export function contentionOf(record: HistoryRecord): number | undefined {
  return record.kind === "ranking" ? record.attempts - 1 + record.found.index_retries : undefined;
}
