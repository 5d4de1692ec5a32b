/**
 * Hooks that load documents, queries and promises while a view shows them. Each starts over when a user signs in or
 * out, as the rules may treat users differently.
 */
import type { DocumentData } from "firebase/firestore";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asError, codeOf } from "../errors.ts";
import { session } from "../firebase/session.ts";
import { askUntilReached } from "./ask-until-reached.ts";
import type { Found, Stretch } from "./firestore-json.ts";
import type { QuerySpec } from "./queries.ts";
import { type Loaded, loading, readStretch, watchDocument, watchQuery } from "./read.ts";

const arrival = Promise.withResolvers<true>();
/** Resolves when the page has its first data. */
export const firstData = arrival.promise;

/** A document, live, parsed by `parse`. Errors of `parse` show as failures. */
export function useDocument<T>(
  path: string | undefined,
  parse: (data: DocumentData | undefined) => T,
): Loaded<T> {
  return useWatched(path, parse, watchDocument);
}

/** A query's documents, live; see {@link watchQuery} for the cost. Errors of `parse` show as failures. */
export function useLiveQuery<T>(spec: QuerySpec | undefined, parse: (found: Found) => T): Loaded<T[]> {
  return useWatched(spec, ({ found }: Stretch) => found.map(parse), watchQuery);
}

/**
 * The result of a promise; asked again when `key` changes, and every few seconds while Firestore, or the called
 * function, cannot be reached. Without a key nothing is asked. The last answer stays until the next arrives.
 */
export function usePromise<T>(key: string | undefined, ask: () => Promise<T>): Loaded<T> {
  const asked = useAsked(key, ask);
  const last = useRef<Loaded<T>>(loading);
  if (asked.state !== "loading") last.current = asked;
  return last.current;
}

function useAsked<T>(key: string | undefined, ask: () => Promise<T>): Loaded<T> {
  return useWatched(
    key,
    (value: T) => value,
    (_, tell, fail) => askUntilReached(ask, tell, fail),
  );
}

/** A list that grows on demand. */
export interface Growing<T> {
  list: Loaded<T[]>;
  hasMore: boolean;
  isGrowing: boolean;
  /** Why it did not grow; what is listed stays. */
  problem: Error | undefined;
  more: () => void;
}

interface Part<T> {
  values: T[];
  next: Stretch["next"];
}

/**
 * A query's documents, stretch by stretch, each behind the last document of the one before. With `isLive` the first
 * stretch is; what has left it stays in the list. Cost: 1 read a document, and live 1 for each that changes.
 */
export function useGrowingList<T extends { id: string }>(
  spec: QuerySpec | undefined,
  parse: (found: Found) => T,
  { isLive = false }: { isLive?: boolean } = {},
): Growing<T> {
  const of = forReader(spec);
  const partOf = ({ found, next }: Stretch): Part<T> => ({ values: found.map(parse), next });
  const first = useWatched(spec, partOf, (asked, tell, fail) =>
    isLive ? watchQuery(asked, tell, fail) : askUntilReached(() => readStretch(asked), tell, fail),
  );
  const [asked, setAsked] = useState({ of, times: 0 });
  const times = asked.of === of ? asked.times : 0;
  const known = useRef<Part<T>>({ values: [], next: undefined });
  const behind = useAsked(spec && times > 0 ? `${of} ${times}` : undefined, async () => {
    if (spec === undefined) throw new Error("there is no list to go on with");
    return partOf(await readStretch(spec, known.current.next));
  });
  const values = useMemo(() => {
    const newest = first.state === "ready" ? first.value : known.current;
    const { values: more, next } =
      behind.state === "ready" ? behind.value : { values: [], next: known.current.next };
    const all = times === 0 ? newest.values : [...newest.values, ...known.current.values, ...more];
    known.current = {
      // The first of an id is the newest.
      values: [...Map.groupBy(all, ({ id }) => id).values()].flatMap(([one]) => one ?? []),
      next: times === 0 ? newest.next : next,
    };
    return known.current.values;
  }, [of, times, first, behind]);
  const isRetried = behind.state === "failed" && codeOf(behind.error) === "unavailable";
  return {
    list: first.state === "ready" ? { ...first, value: values } : first,
    hasMore: first.state === "ready" && known.current.next !== undefined,
    isGrowing: times > 0 && (behind.state === "loading" || isRetried),
    problem: behind.state === "failed" && !isRetried ? behind.error : undefined,
    more: () => setAsked({ of, times: times + 1 }),
  };
}

/**
 * What a source tells of what is wanted, parsed: an error of `parse` inside the SDK's callback would go unnoticed. If the
 * SDK throws at once, because of the path or query, that is a failure like any other.
 */
function useWatched<Wanted, Raw, T>(
  wanted: Wanted | undefined,
  parse: (raw: Raw) => T,
  watch: (
    wanted: Wanted,
    tell: (raw: Raw, isOld?: boolean) => void,
    fail: (error: unknown) => void,
  ) => () => void,
): Loaded<T> {
  const key = forReader(wanted);
  const [state, setState] = useState<{ key: string | undefined; loaded: Loaded<T> }>({
    key,
    loaded: loading,
  });
  useEffect(() => {
    if (wanted === undefined) return;
    let stop: (() => void) | undefined;
    let isWanted = true;
    const put = (loaded: Loaded<T>) => {
      if (isWanted) setState({ key, loaded });
    };
    const trying = (work: () => void) => {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown) => put({ state: "failed", error: asError(error) });
    const tell = (raw: Raw, isOld = false) =>
      trying(() => {
        put({ state: "ready", value: parse(raw), ...(isOld ? { isOld } : {}) });
        arrival.resolve(true);
      });
    trying(() => (stop = watch(wanted, tell, fail)));
    return () => {
      isWanted = false;
      stop?.();
    };
  }, [key]);
  return state.key === key ? state.loaded : loading;
}

/** A key of what is wanted that is specific to the user who is signed in. */
function forReader(wanted: unknown): string | undefined {
  const { value } = session;
  return wanted === undefined
    ? undefined
    : `${value?.uid ?? ""} ${JSON.stringify(value?.grant)} ${JSON.stringify(wanted)}`;
}
