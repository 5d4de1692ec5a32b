/** The top document as callers get it. Pure: clients that listen to the document use the same code. */
import type { SeasonKey } from "../documents/paths.ts";
import type { Top } from "../documents/top.ts";
import type { Entry, TopAnswer } from "../model/answers.ts";
import { defined } from "../model/defined.ts";
import { type Instant, isoTime } from "../model/instant.ts";

type EntryRead = Omit<Top["entries"][number], "achieved_at"> & { achieved_at: Instant };

/** The shown fields of a top document, as any Firestore library reads it. */
export type TopRead = Omit<Top, "as_of" | "entries" | "lowest_at"> & { as_of: Instant; entries: EntryRead[] };

/** The answer of `getTop` from a top document: its best `limit` entries, by default all. */
export function topAnswer(key: SeasonKey, top: TopRead, limit?: number): TopAnswer {
  const { lowest_score, players, as_of, generation } = top;
  const entries = shownOf(top).slice(0, limit);
  return { ...key, entries, lowest_score, players, as_of: isoTime(as_of), generation };
}

/** Made once for all answers from one document: 80 at a time of 1,000 entries would need 130 MB more. */
const entriesShown = new WeakMap<TopRead, Entry[]>();

function shownOf(top: TopRead): Entry[] {
  const entries = entriesShown.get(top) ?? top.entries.map(toEntry);
  entriesShown.set(top, entries);
  return entries;
}

/** The answer before the first publication. */
export function emptyTop(readAt: Instant): TopRead {
  return { entries: [], lowest_score: null, players: 0, as_of: readAt, generation: 0 };
}

/**
 * An entry of the top document as callers get it. Its metadata are plain JSON: NaN, which a trusted server may have
 * stored, becomes null, and Firestore's own values what their libraries make of them. Otherwise one such player would
 * break a list for everybody.
 */
export function toEntry({ achieved_at: achieved, metadata, ...rest }: EntryRead): Entry {
  const plain = metadata && (JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>);
  return defined({ ...rest, metadata: plain, achieved_at: isoTime(achieved) });
}
