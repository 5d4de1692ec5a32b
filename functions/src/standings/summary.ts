/** The summary of a season's standings as documents: one, or several for a season of many millions of players. */
import type { DocumentSnapshot, Firestore, Transaction } from "../documents/firestore.ts";
import { type SeasonKey, standingsSummaryPath } from "../documents/paths.ts";
import {
  type StandingsSummary,
  storedStandingsPart,
  storedStandingsSummary,
} from "../documents/standings.ts";
import { summaryPartMax } from "../model/limits.ts";
import { documentsAt, type Reader } from "../documents/reads.ts";
import { type Packed, unpack } from "./pack.ts";

/** Reads documents, in order; undefined for a document that is not there. */
export type ReadDocuments = (
  paths: readonly string[],
) => Promise<readonly (Record<string, unknown> | undefined)[]>;

/**
 * Reads a summary, of one revision if a transaction reads it. Cost: 1 read; 1 for each further 16,384 documents of
 * the standings.
 * @returns undefined where there is none, as in standings that are still being written; and its document.
 */
export async function readSummary(db: Firestore, key: SeasonKey, reader: Reader) {
  let found: DocumentSnapshot | undefined;
  const summary = await readSummaryBy(async (paths) => {
    const documents = await documentsAt(db, paths, reader);
    found ??= documents[0];
    return documents.map((document) => document.data());
  }, key);
  if (found === undefined) throw new Error("there is no answer for a document");
  return { summary, found };
}

/** Reads a summary by any Firestore library. @throws ZodError if a document is no part of a summary */
export async function readSummaryBy(read: ReadDocuments, key: SeasonKey) {
  const [first] = await read([standingsSummaryPath(key)]);
  if (first === undefined) return undefined;
  const { parts, ...summary } = storedStandingsSummary.parse(first);
  const further = Array.from({ length: parts - 1 }, (_, i) => standingsSummaryPath(key, i + 1));
  for (const part of further.length === 0 ? [] : await read(further)) {
    const more = storedStandingsPart.parse(part);
    for (const name of sumNames) summary[name].push(...more[name]);
  }
  return summary;
}

/** Writes a summary. Cost: 1 write, and 1 for each further 16,384 documents. */
export function writeSummary(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  summary: StandingsSummary,
): void {
  const parts = Math.max(1, Math.ceil(summary.counts.length / summaryPartMax));
  for (let part = 0; part < parts; part++) {
    const [from, until] = [part * summaryPartMax, (part + 1) * summaryPartMax];
    const elements = Object.fromEntries(sumNames.map((name) => [name, summary[name].slice(from, until)]));
    const fields = part === 0 ? { ...summary, parts, ...elements } : elements;
    transaction.set(db.doc(standingsSummaryPath(key, part)), fields);
  }
}

const sumNames = ["counts", "first_scores", "ties_before", "dense_before"] as const;

/** A document of the standings with the metadata beside it. Cost: 1 read where it has metadata. */
export async function packedIn(transaction: Transaction, document: DocumentSnapshot): Promise<Packed> {
  const packed = unpack(document.data());
  if (!packed.standings.has_metadata) return packed;
  const { ref } = document;
  const beside = await transaction.get(ref.parent.doc(`${ref.id}-metadata`));
  return unpack(document.data(), beside.data());
}
