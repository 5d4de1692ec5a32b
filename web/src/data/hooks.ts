/**
 * Hooks that load documents, queries and promises while a view shows them. Each starts over when a user signs in or
 * out, as the rules may treat users differently.
 */
import type { DocumentData, QueryDocumentSnapshot } from "firebase/firestore";
import { useEffect, useRef, useState } from "preact/hooks";
import { asError, codeOf } from "../errors.ts";
import { session } from "../firebase/session.ts";
import { askUntilReached } from "./ask-until-reached.ts";
import type { QuerySpec } from "./queries.ts";
import { type Found, type Loaded, loading, readStretch, watchDocument, watchQuery } from "./read.ts";

/** A document, live, parsed by `parse`. Errors of `parse` show as failures. */
export function useDocument<T>(
  path: string | undefined,
  parse: (data: DocumentData | undefined) => T,
): Loaded<T> {
  return useWatched(path, (tell, fail) =>
    path === undefined ? idle : watchDocument(path, parsing(parse, tell, fail), fail),
  );
}

/** A query's documents, live; see {@link watchQuery} for the cost. Errors of `parse` show as failures. */
export function useLiveQuery<T>(spec: QuerySpec | undefined, parse: (found: Found) => T): Loaded<T[]> {
  return useWatched(spec === undefined ? undefined : JSON.stringify(spec), (tell, fail) =>
    spec === undefined
      ? idle
      : watchQuery(
          spec,
          parsing((found) => found.map(parse), tell, fail),
          fail,
        ),
  );
}

/**
 * The result of a promise; asked again when `key` changes, and every few seconds while Firestore, or the called
 * function, cannot be reached. Without a key nothing is asked. With `keepsLast`, the last answer stays until the next
 * arrives.
 */
export function usePromise<T>(
  key: string | undefined,
  ask: () => Promise<T>,
  { keepsLast = false }: { keepsLast?: boolean } = {},
): Loaded<T> {
  const watched = useWatched<T>(key, (tell, fail) =>
    key === undefined ? idle : askUntilReached(ask, tell, fail),
  );
  const last = useRef<Loaded<T>>(loading);
  if (watched.state !== "loading") last.current = watched;
  return keepsLast ? last.current : watched;
}

const idle = (): void => undefined;

/** A list that grows on demand. */
export interface Growing<T> {
  list: Loaded<T[]>;
  hasMore: boolean;
  isGrowing: boolean;
  more: () => void;
}

/** A query's documents, stretch by stretch. Cost: 1 read a document. */
export function useGrowingList<T>(spec: QuerySpec | undefined, parse: (found: Found) => T): Growing<T> {
  const of = spec === undefined ? undefined : forReader(JSON.stringify(spec));
  const [asked, setAsked] = useState({ of, stretches: 1 });
  const stretches = asked.of === of ? asked.stretches : 1;
  const known = useRef<{ values: T[]; next: QueryDocumentSnapshot | undefined }>(none);
  const grown = usePromise(of === undefined ? undefined : `${of} ${stretches}`, async () => {
    const { values, next } = stretches === 1 ? none : known.current;
    const stretch = spec === undefined ? { found: [], next } : await readStretch(spec, next);
    return { values: [...values, ...stretch.found.map(parse)], next: stretch.next };
  });
  if (grown.state === "ready") known.current = grown.value;
  const isRetried = grown.state === "failed" && codeOf(grown.error) === "unavailable";
  // The part that is loaded stays while the next one is on its way.
  const isGrowing = stretches > 1 && (grown.state === "loading" || isRetried);
  const isKnown = isGrowing || grown.state === "ready";
  return {
    list: isKnown ? { state: "ready", value: known.current.values } : grown,
    isGrowing,
    hasMore: isKnown && known.current.next !== undefined,
    more: () => setAsked({ of, stretches: stretches + 1 }),
  };
}

const none = { values: [], next: undefined };

function useWatched<T>(
  wanted: string | undefined,
  watch: (tell: (value: T, isOld?: boolean) => void, fail: (error: unknown) => void) => () => void,
): Loaded<T> {
  const key = wanted === undefined ? undefined : forReader(wanted);
  const [state, setState] = useState<{ key: string | undefined; loaded: Loaded<T> }>({
    key,
    loaded: loading,
  });
  useEffect(() => {
    let isWanted = true;
    const put = (loaded: Loaded<T>) => {
      if (isWanted) setState({ key, loaded });
    };
    const fail = (error: unknown) => put({ state: "failed", error: asError(error) });
    const tell = (value: T, isOld = false) => put({ state: "ready", value, ...(isOld ? { isOld } : {}) });
    const stop = started(() => watch(tell, fail), fail);
    return () => {
      isWanted = false;
      stop();
    };
  }, [key]);
  return state.key === key ? state.loaded : loading;
}

/** A key that is specific to the user who is signed in. */
function forReader(key: string): string {
  const { value } = session;
  return `${value?.uid ?? ""} ${JSON.stringify(value?.grant)} ${key}`;
}

/** Starts to listen; if the SDK throws at once, because of the path or query, that is a failure like any other. */
function started(start: () => () => void, fail: (error: unknown) => void): () => void {
  try {
    return start();
  } catch (error) {
    fail(error);
    return idle;
  }
}

/** Passes on parsed values. An error of `parse` inside the SDK's callback would go unnoticed. */
function parsing<Raw, T>(
  parse: (raw: Raw) => T,
  tell: (value: T, isOld: boolean) => void,
  fail: (error: unknown) => void,
) {
  return (raw: Raw, isOld: boolean) => {
    let value: T;
    try {
      value = parse(raw);
    } catch (error) {
      fail(error);
      return;
    }
    tell(value, isOld);
  };
}
