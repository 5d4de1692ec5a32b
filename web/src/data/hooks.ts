/** Documents, queries and promises as hooks: what they load, while a view shows it. */
import type { DocumentData, QueryDocumentSnapshot } from "firebase/firestore";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { QuerySpec } from "./queries.ts";
import { type Found, type Loaded, loading, readStretch, watchDocument, watchQuery } from "./read.ts";

/** A document, live, as `parse` reads it. What `parse` throws shows as a failure. */
export function useDocument<T>(
  path: string | undefined,
  parse: (data: DocumentData | undefined) => T,
): Loaded<T> {
  return useWatched(path, (tell, fail) =>
    path === undefined
      ? () => undefined
      : watchDocument(
          path,
          (data) => {
            tell(parse(data));
          },
          fail,
        ),
  );
}

/** A query's documents, live; see {@link watchQuery} for the cost. */
export function useLiveQuery<T>(spec: QuerySpec | undefined, parse: (found: Found) => T): Loaded<T[]> {
  return useWatched(spec === undefined ? undefined : JSON.stringify(spec), (tell, fail) =>
    spec === undefined
      ? () => undefined
      : watchQuery(
          spec,
          (found) => {
            tell(found.map(parse));
          },
          fail,
        ),
  );
}

/**
 * What a promise gives; asked anew when `key` changes. Nothing is asked without a key. With `keepsLast`, the last
 * answer stands until the next is there.
 */
export function usePromise<T>(
  key: string | undefined,
  ask: () => Promise<T>,
  { keepsLast = false }: { keepsLast?: boolean } = {},
): Loaded<T> {
  const watched = useWatched<T>(key, (tell, fail) => {
    if (key !== undefined) ask().then(tell, fail);
    return () => undefined;
  });
  const last = useRef<Loaded<T>>(loading);
  if (watched.state !== "loading") last.current = watched;
  return keepsLast ? last.current : watched;
}

/** A list that grows on demand. */
export interface Growing<T> {
  list: Loaded<T[]>;
  hasMore: boolean;
  isGrowing: boolean;
  more: () => void;
}

/** A query's documents, stretch after stretch. Cost: 1 read a document. */
export function useGrowingList<T>(spec: QuerySpec | undefined, parse: (found: Found) => T): Growing<T> {
  const key = spec === undefined ? undefined : JSON.stringify(spec);
  const [state, setState] = useState<{ key: string | undefined; list: Loaded<T[]>; isGrowing: boolean }>({
    key,
    list: loading,
    isGrowing: false,
  });
  const next = useRef<QueryDocumentSnapshot | undefined>(undefined);
  const latest = useRef(key);
  latest.current = key;
  const load = useCallback(
    (after: QueryDocumentSnapshot | undefined) => {
      if (spec === undefined) return;
      readStretch(spec, after).then(
        (stretch) => {
          if (latest.current !== key) return;
          next.current = stretch.next;
          const values = stretch.found.map(parse);
          setState(({ list }) => ({
            key,
            isGrowing: false,
            list: {
              state: "ready",
              value: after !== undefined && list.state === "ready" ? [...list.value, ...values] : values,
            },
          }));
        },
        (error: unknown) => {
          if (latest.current === key)
            setState({ key, isGrowing: false, list: { state: "failed", error: asError(error) } });
        },
      );
    },
    [key],
  );
  useEffect(() => {
    next.current = undefined;
    setState({ key, list: loading, isGrowing: false });
    load(undefined);
  }, [key]);
  const more = useCallback(() => {
    if (next.current === undefined) return;
    setState((now) => ({ ...now, isGrowing: true }));
    load(next.current);
  }, [load]);
  const current = state.key === key ? state : { list: loading, isGrowing: false };
  return { list: current.list, isGrowing: current.isGrowing, hasMore: next.current !== undefined, more };
}

function useWatched<T>(
  key: string | undefined,
  watch: (tell: (value: T) => void, fail: (error: Error) => void) => () => void,
): Loaded<T> {
  const [state, setState] = useState<{ key: string | undefined; loaded: Loaded<T> }>({
    key,
    loaded: loading,
  });
  useEffect(() => {
    let isWanted = true;
    const put = (loaded: Loaded<T>) => {
      if (isWanted) setState({ key, loaded });
    };
    const fail = (error: unknown) => {
      put({ state: "failed", error: asError(error) });
    };
    const stop = watch((value) => {
      put({ state: "ready", value });
    }, fail);
    return () => {
      isWanted = false;
      stop();
    };
  }, [key]);
  return state.key === key ? state.loaded : loading;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
