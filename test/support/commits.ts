/** Commits as they are sent: what is in them, whether Firestore would take them, and ways to hold them up. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { documentSize, entriesSize, nameSize } from "../../functions/src/model/document-size.ts";
import {
  commitBytesMax,
  documentBytesMax,
  transformsPerDocumentMax,
} from "../../functions/src/model/limits.ts";
import { grpc } from "../../functions/src/world/retryable.ts";
import type { Internals } from "../../functions/src/world/meter.ts";
import { root } from "../../scripts/project.ts";
import type { Requests } from "../../simulate/memory/wire/messages.ts";
import { pathOfName } from "../../simulate/memory/wire/values.ts";
import { compositeEntries, indexEntries, type IndexFile } from "./index-check.ts";
import { anotherClient } from "./database.ts";

type Fields = Record<string, unknown>;

/** One document of a commit. */
export interface CommitWrite {
  path: string;
  isDelete: boolean;
  /** Field transforms, such as increments. */
  transforms: number;
}

/** Stands between a client and its commits: performs one, does not, or fails before or after it. */
export type Meddle = (writes: readonly CommitWrite[], perform: () => Promise<unknown>) => Promise<unknown>;

/**
 * Notes all commits of a client from now on.
 * @returns them, in the order in which they were sent; those that failed too.
 */
export function watchCommits({ db }: { db: Firestore }, meddle?: Meddle): CommitWrite[][] {
  const commits: CommitWrite[][] = [];
  const internals = db as unknown as Internals;
  const request = internals.request.bind(db);
  internals.request = async (method, message, ...rest) => {
    const perform = () => request(method, message, ...rest);
    if (method !== "commit") return perform();
    const writes = writesIn(message as Requests["commit"]);
    if (writes.length === 0) return perform();
    commits.push(writes);
    return meddle === undefined ? perform() : meddle(writes, perform);
  };
  return commits;
}

function writesIn({ writes }: Requests["commit"]): CommitWrite[] {
  return writes.map(({ update, delete: deleted, updateTransforms }) => ({
    path: pathOfName(update?.name ?? deleted ?? ""),
    isDelete: update == null,
    transforms: updateTransforms?.length ?? 0,
  }));
}

const file = JSON.parse(readFileSync(join(root, "firestore.indexes.json"), "utf8")) as IndexFile;
const entriesMax = 40_000;

/** What a commit weighs by Firestore's rules, which no emulator has. */
export interface Weight {
  /** Of documents and index entries, those that are deleted included. */
  bytes: number;
  /** The most of a document in it. */
  documentBytes: number;
  transforms: number;
  indexEntries: number;
}

/**
 * Weighs the commits of a client from now on. The meter does not count what this reads.
 * @returns a function that expects of each of them that Firestore takes it, and returns the most that they weigh.
 */
export function weighCommits({ db }: { db: Firestore }): () => Weight {
  const weights: Weight[] = [];
  const contents = contentsIn(db);
  watchCommits({ db }, async (writes, perform) => {
    const before = await contents(writes);
    const result = await perform();
    weights.push(weightOf(writes, before, await contents(writes)));
    return result;
  });
  return () => {
    expect(weights).not.toEqual([]);
    const most = (of: (weight: Weight) => number) => Math.max(...weights.map(of));
    const heaviest = {
      bytes: most(({ bytes }) => bytes),
      documentBytes: most(({ documentBytes }) => documentBytes),
      transforms: most(({ transforms }) => transforms),
      indexEntries: most(({ indexEntries: entries }) => entries),
    };
    expect(heaviest.bytes).toBeLessThanOrEqual(commitBytesMax);
    expect(heaviest.documentBytes).toBeLessThanOrEqual(documentBytesMax);
    expect(heaviest.transforms).toBeLessThanOrEqual(transformsPerDocumentMax);
    expect(heaviest.indexEntries).toBeLessThanOrEqual(entriesMax);
    return heaviest;
  };
}

/**
 * Refuses commits for their size from now on, as Firestore does. Of each document that is written or deleted, it counts
 * the version that is there.
 * @returns the commits of some size: how many documents each had, how many bytes, and whether it was refused.
 */
export function limitCommits({ db }: { db: Firestore }) {
  const commits: { documents: number; bytes: number; isRefused: boolean }[] = [];
  const contents = contentsIn(db);
  watchCommits({ db }, async (writes, perform) => {
    const found = await contents(writes);
    const bytes = writes.reduce((sum, { path }, i) => {
      const data = found[i];
      return data === undefined ? sum : sum + documentSize(path, data) + indexedSize(path, data);
    }, 0);
    const isRefused = bytes > commitBytesMax;
    commits.push({ documents: writes.length, bytes, isRefused });
    if (isRefused) throw tooBig();
    return perform();
  });
  return commits;
}

/** Reads what the documents of a commit hold, unnoticed by the client's meter. */
function contentsIn(db: Firestore) {
  const reader = anotherClient(db);
  return async (writes: readonly CommitWrite[]) =>
    (await reader.getAll(...writes.map(({ path }) => reader.doc(path)))).map((found) => found.data());
}

function weightOf(
  writes: readonly CommitWrite[],
  before: readonly (Fields | undefined)[],
  after: readonly (Fields | undefined)[],
): Weight {
  const transforms = Map.groupBy(writes, ({ path }) => path).values();
  const documents = writes.map(({ path, isDelete }, i) => {
    const [old, next] = [before[i] ?? {}, after[i] ?? {}];
    return { path, next, written: documentSize(path, isDelete ? old : next), entries: [old, next] };
  });
  return {
    bytes: documents.reduce((sum, { path, written, entries: [old = {}, next = {}] }) => {
      return sum + written + indexedSize(path, old) + indexedSize(path, next);
    }, 0),
    documentBytes: Math.max(...documents.map(({ path, next }) => documentSize(path, next))),
    transforms: Math.max(
      ...[...transforms].map((all) => all.reduce((sum, { transforms: count }) => sum + count, 0)),
    ),
    indexEntries: Math.max(
      ...documents.map(({ path, next }) => indexEntries(collectionOf(path), next, file)),
    ),
  };
}

const collectionOf = (path: string) => path.split("/").at(-2) ?? "";

/** Bytes of a document's index entries. Those of composite indexes have both names, 32, a segment, a status, a score and a time. */
function indexedSize(path: string, data: Fields): number {
  const composites = compositeEntries(collectionOf(path), data, file);
  return entriesSize(path, data, exemptIn(path)) + composites * (2 * nameSize(path) + 160);
}

/** The fields of a document that have no index entries. */
function exemptIn(path: string): ReadonlySet<string> {
  const overrides = file.fieldOverrides.filter(
    ({ collectionGroup, indexes }) => collectionGroup === collectionOf(path) && indexes.length === 0,
  );
  return new Set(overrides.map(({ fieldPath }) => fieldPath));
}

/** The error of a commit that Firestore refuses for its size, as the client library has it. */
export function tooBig(): Error {
  const text = "3 INVALID_ARGUMENT: Transaction too big. Decrease transaction size.";
  return Object.assign(new Error(text), { code: grpc.invalidArgument });
}

/** An error as the client library has it. */
export function failure(code: keyof typeof grpc): Error {
  return Object.assign(new Error(`${code}, says the test`), { code: grpc[code] });
}

/** Loses the answer of the next commit, which goes through. */
export function loseAnswer(world: Parameters<typeof watchCommits>[0]): void {
  let isLost = false;
  watchCommits(world, async (_writes, perform) => {
    const done = await perform();
    if (isLost) return done;
    isLost = true;
    throw failure("unavailable");
  });
}
