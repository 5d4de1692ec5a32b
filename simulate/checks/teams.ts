/** The teams that a generation shows, held against the players of each mark that are due in it, by plain sums. */
import { isDeepStrictEqual } from "node:util";
import type { Page } from "../../functions/src/documents/page.ts";
import { type SeasonKey, segmentPagesPath, teamsPath } from "../../functions/src/documents/paths.ts";
import { storedSegmentPage } from "../../functions/src/documents/segment-page.ts";
import { readTeams } from "../../functions/src/documents/teams.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { fieldToMark, segmentName } from "../../functions/src/model/segments.ts";
import type { Documents } from "../memory/store.ts";
import { type Marks, playersIn } from "./counts.ts";
import { insist } from "./violation.ts";

type Segment = NonNullable<Definition["segments"]>[number];

/**
 * Checks the document of each segment that has teams: it is of the generation of page 0, and its teams are the values with
 * the players due in them. @throws a violation
 */
export function checkTeams(
  store: Documents,
  key: SeasonKey,
  { order, segments = [] }: Pick<Definition, "order" | "segments">,
  { generation, teams: named = [], left_out: leftOut }: Page,
  marks: Marks,
): void {
  const withTeams = segments.filter(({ teams }) => teams !== undefined);
  insist(
    isDeepStrictEqual([...named].sort(), withTeams.map(({ name }) => name).sort()),
    () => `teams: page 0 of ${key.season} names those of ${named.join(", ")}`,
  );
  for (const segment of withTeams) {
    const found = store.get(teamsPath(key, segment.name));
    insist(found !== undefined, () => `teams: ${key.season} has none of ${segment.name}`);
    const stored = readTeams(found.data);
    // The best players of merged rows are read. Until they can be, the document stays as it was.
    if (segment.teams?.by === "best" && stored.generation < generation && isMerged(store, key, segment))
      continue;
    insist(
      stored.generation === generation,
      () => `teams: those of ${segment.name} are of ${stored.generation}, the pages of ${generation}`,
    );
    // Which values are ranked, the pages of segments are checked for.
    if (leftOut !== undefined) continue;
    const due = teamsDue(order, segment, marks);
    insist(
      isDeepStrictEqual(stored.entries, due),
      () =>
        `teams: those of ${segment.name} in ${key.season} are ${JSON.stringify(stored.entries)}, due are ${JSON.stringify(due)}`,
    );
  }
}

/** Whether rows of a segment are merged. */
function isMerged(store: Documents, key: SeasonKey, { name }: Segment): boolean {
  const parts = store.list(segmentPagesPath(key)).flatMap(({ data }) => storedSegmentPage.parse(data).parts);
  return parts.some(({ segment, lows }) => segmentName(segment) === name && lows !== undefined);
}

/** The teams by plain sums: scores of a simulation are whole numbers, and few. */
function teamsDue(order: Definition["order"], { name, teams }: Segment, marks: Marks) {
  const { by = "sum", best = Infinity, min_players: least = 1 } = teams ?? {};
  const sign = order === "descending" ? 1 : -1;
  const values = new Set([...marks.keys()].flatMap((field) => fieldToMark(field)?.segments ?? []));
  const own = [...values].filter((text) => text.startsWith(`${name}=`));
  const all = own.map((text) => {
    const counts = [...playersIn(marks, text)].sort(([a], [b]) => sign * (b - a));
    const players = counts.reduce((total, [, count]) => total + count, 0);
    let sum = 0;
    let left = best;
    for (const [score, count] of counts) {
      // What is owed by players whose corrections come first is taken off a sum of all, and is no player.
      const counted = best === Infinity ? count : Math.max(0, Math.min(count, left));
      sum += score * counted;
      left -= counted;
    }
    return { team: text.slice(name.length + 1), players, score: by === "mean" ? sum / players : sum };
  });
  const sorted = all
    .filter(({ players }) => players >= least)
    .sort((a, b) => sign * (b.score - a.score) || (a.team < b.team ? -1 : 1));
  return sorted.map(({ team, players, score }) => {
    const rank = 1 + sorted.filter((other) => sign * (other.score - score) > 0).length;
    return { team, rank, score, players };
  });
}
