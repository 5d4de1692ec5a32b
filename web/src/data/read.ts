/**
 * Reads from Firestore: a document or a query, once or live. What is read once comes over Firestore's REST interface,
 * which needs no SDK; so a list is on the screen before the SDK, a third of the page's bytes, is loaded for what is live.
 */
import { FirebaseError } from "firebase/app";
import type { DocumentData } from "firebase/firestore";
import { codeOf, unreached } from "../errors.ts";
import { firebase } from "../firebase/connect.ts";
import {
  type DocumentJson,
  type Found,
  foundIn,
  queryJson,
  type Stretch,
  stretchOf,
} from "./firestore-json.ts";
import type { QuerySpec } from "./queries.ts";

/** `isOld` marks the last known value of something live, while Firestore cannot be reached. */
export type Loaded<T> =
  { state: "loading" } | { state: "ready"; value: T; isOld?: true } | { state: "failed"; error: Error };

export const loading = { state: "loading" } as const;

/** How long an answer may take. */
const answerMs = 20_000;

/** Reads a document. Cost: 1 read. @throws as {@link readDocuments} */
export async function readDocument(path: string): Promise<DocumentData | undefined> {
  return (await readDocuments([path]))[0];
}

/**
 * Reads documents in one request, in the order of their paths. Cost: 1 read each.
 * @throws FirebaseError, `unavailable` if Firestore cannot be reached
 */
export async function readDocuments(paths: readonly string[]): Promise<(DocumentData | undefined)[]> {
  const root = documentsRoot();
  const answers = await ask<{ found?: DocumentJson }>("batchGet", "", {
    documents: paths.map((path) => `${root}/${path}`),
  });
  const read = answers.flatMap(({ found }) => (found === undefined ? [] : [foundIn(root, found)]));
  const byPath = new Map(read.map(({ path, data }) => [path, data]));
  return paths.map((path) => byPath.get(path));
}

/**
 * Reads a query's documents, those after `after`. Cost: 1 read each, at least 1.
 * @throws FirebaseError, `unavailable` if Firestore cannot be reached
 */
export async function readStretch(spec: QuerySpec, after?: Found): Promise<Stretch> {
  const root = documentsRoot();
  const structuredQuery = queryJson(root, spec, after);
  const answers = await ask<{ document?: DocumentJson }>("runQuery", parentOf(spec), { structuredQuery });
  return stretchOf(
    spec,
    answers.flatMap(({ document }) => (document === undefined ? [] : [foundIn(root, document)])),
  );
}

/** How many documents a query finds, at most its limit. Cost: 1 read. @throws as {@link readStretch} */
export async function readCount(spec: QuerySpec): Promise<number> {
  const structuredQuery = queryJson(documentsRoot(), spec);
  const aggregations = [{ alias: "count", count: {} }];
  const structuredAggregationQuery = { structuredQuery, aggregations };
  const [answer] = await ask<CountJson>("runAggregationQuery", parentOf(spec), {
    structuredAggregationQuery,
  });
  return Number(answer?.result.aggregateFields.count.integerValue);
}

interface CountJson {
  result: { aggregateFields: { count: { integerValue: string } } };
}

/** The path of the document below which a query looks, with a slash before it; empty for the database. */
function parentOf({ collection }: QuerySpec): string {
  const end = collection.lastIndexOf("/");
  return end < 0 ? "" : `/${collection.slice(0, end)}`;
}

/** Firestore's SDK, connected; it is loaded once. */
export const loadLive = () => import("./live.ts");

/**
 * Listens to one document; `undefined` while it does not exist. It fails with `unavailable` while Firestore cannot be
 * reached and nothing is known, and continues when it can. Cost: 1 read, and 1 for each change.
 * @param tell is also called, at no cost, when the value becomes old, and when it is confirmed.
 */
export function watchDocument(
  path: string,
  tell: (data: DocumentData | undefined, isOld: boolean) => void,
  fail: (error: unknown) => void,
): () => void {
  return watching(({ listenToDocument }) => listenToDocument(path, tell, fail), fail);
}

/**
 * Listens to a query, whose limit bounds it; as {@link watchDocument}. Cost: 1 read a document, and 1 for each that
 * changes.
 */
export function watchQuery(
  spec: QuerySpec,
  tell: (stretch: Stretch, isOld: boolean) => void,
  fail: (error: unknown) => void,
): () => void {
  return watching(({ listenToQuery }) => listenToQuery(spec, tell, fail), fail);
}

/** Listens as soon as the SDK is there, unless it has been stopped by then. */
function watching(
  listen: (live: Awaited<ReturnType<typeof loadLive>>) => () => void,
  fail: (error: unknown) => void,
): () => void {
  let isWanted = true;
  let stop: (() => void) | undefined;
  loadLive()
    .then((live) => {
      if (isWanted) stop = listen(live);
    })
    .catch((error: unknown) => {
      if (isWanted) fail(error);
    });
  return () => {
    isWanted = false;
    stop?.();
  };
}

function documentsRoot(): string {
  const { options, database = "(default)" } = firebase().config;
  return `projects/${options.projectId ?? ""}/databases/${database}/documents`;
}

/** Sends a request of Firestore's REST interface, as the user who is signed in. */
async function ask<Answer>(method: string, parent: string, body: object): Promise<Answer[]> {
  const { headersOfUser, config } = firebase();
  const at = config.emulators?.firestore;
  const host = at === undefined ? "https://firestore.googleapis.com" : `http://${at.host}:${at.port}`;
  try {
    const response = await fetch(`${host}/v1/${documentsRoot()}${parent}:${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(await headersOfUser()) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMs),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw refusal(answer);
    return answer as Answer[];
  } catch (error) {
    // No answer, or one that somebody in between has cut or written.
    const isRefused = codeOf(error) !== undefined && codeOf(error) !== "auth/network-request-failed";
    throw isRefused ? error : unreached(error);
  }
}

/** Firestore's own words for what it refuses. A query's answer is a list, also where it is an error. */
function refusal(answer: unknown): FirebaseError {
  const first: unknown = Array.isArray(answer) ? (answer as unknown[])[0] : answer;
  const { status = "UNKNOWN", message = "Firestore refused this." } =
    (first as { error?: { status?: string; message?: string } } | null)?.error ?? {};
  return new FirebaseError(status.toLowerCase().replaceAll("_", "-"), message);
}
