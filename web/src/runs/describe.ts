/** A run's name, and a one-line summary. Pure. */
import type { RevisionRecord } from "../../../functions/src/documents/closing-record.ts";
import type { Bill } from "../../../functions/src/documents/ranking-record.ts";
import { differencesIn, type SeasonRepairRecord } from "../../../functions/src/documents/repair-record.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { phaseName } from "../closing/phases.ts";
import { formatCount, formatMany } from "../format/numbers.ts";

/** `Ranking`, `Full audit`, `Repair`. */
export function kindName(record: HistoryRecord): string {
  const names = {
    ranking: "Ranking",
    audit: "Audit",
    repair: "Repair",
    closing: "Closing",
    revision: "Revision",
  };
  const name = names[record.kind];
  return record.kind === "audit" && record.full ? `Full ${name.toLowerCase()}` : name;
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
      return record.kind === "audit" && differencesIn(record.found) !== undefined
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
      return differencesIn(record.found) ?? "Nothing wrong";
    case "repair":
      return repairText(record);
    case "closing":
      return record.players === null
        ? `At ${phaseName(record.phase).toLowerCase()}`
        : `Closed with ${formatMany(record.players, "player")}`;
  }
}

/** What a repair did; the pages of a closed season are published again by the next step of its end. */
export function repairText({
  generation,
  rebuilt,
}: Pick<SeasonRepairRecord, "generation"> & { rebuilt: { players: number } }): string {
  return generation === null
    ? "Pages are published again"
    : `Generation ${formatCount(generation)}, ${formatMany(rebuilt.players, "player")}`;
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

export interface Figures {
  billed: Bill;
  /** How long it took, in milliseconds. */
  took?: number;
  /** The time from the end of the newest slot it folded to its publication, in milliseconds. */
  lag?: number | undefined;
  /** Shard documents folded. */
  shards?: number;
  /** Attempts beyond the first: another run published, or a shard changed. */
  retries?: number;
}

/** What is measured of a record; a revision is done in a call, whose time and operations are not. */
export function figuresOf(record: HistoryRecord): Figures {
  if (record.kind === "revision") return { billed: { reads: 0, writes: 0, deletes: 0 } };
  const { billed, duration_ms: took } = record;
  if (record.kind !== "ranking") return { billed, took };
  const { lag_ms: lag, read, attempts } = record;
  return { billed, took, lag: lag ?? undefined, shards: read.shards, retries: attempts - 1 };
}
