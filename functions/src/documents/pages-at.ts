/** All pages of a season at once, for what looks at the whole of a ranking. */
import type { Firestore, QueryDocumentSnapshot, Timestamp } from "./firestore.ts";
import { writesPerCommitMax } from "../model/limits.ts";
import { pagesPath, type SeasonKey, segmentPagesPath, teamsPath } from "./paths.ts";
import { byId } from "./queries.ts";
import { asOf, documentsAt, getAt } from "./reads.ts";

/**
 * The pages of a season as of a time. The pages of segments are read too, if page 0 says that there are some, or page 0 is
 * missing. Cost: 1 read each.
 * @param generation the season's generation.
 */
export async function pagesAt(db: Firestore, key: SeasonKey, at: Timestamp, generation: unknown) {
  const pagesIn = (path: string) => getAt(db, at, byId(db, path, writesPerCommitMax));
  const { docs: pages } = await pagesIn(pagesPath(key));
  const first = pages.find(({ id }) => id === "0");
  const hasSegments = generation !== 0 && (first === undefined || first.get("segment_pages") !== undefined);
  const segmentPages = hasSegments ? (await pagesIn(segmentPagesPath(key))).docs : [];
  return { pages, segmentPages };
}

/** The segments that have a document of teams, as page 0 says. It may be damaged. */
export function teamsNamed(first: { get(field: string): unknown } | undefined): string[] {
  const names = first?.get("teams");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** The documents of teams that page 0 names, as of a time. Cost: 1 read each. */
export async function teamsAt(
  db: Firestore,
  key: SeasonKey,
  at: Timestamp,
  pages: readonly QueryDocumentSnapshot[],
): Promise<Map<string, Record<string, unknown> | undefined>> {
  const names = teamsNamed(pages.find(({ id }) => id === "0"));
  if (names.length === 0) return new Map();
  const paths = names.map((name) => teamsPath(key, name));
  const found = await asOf(db, at, (transaction) => documentsAt(db, paths, transaction));
  return new Map(names.map((name, i) => [name, found[i]?.data()]));
}
