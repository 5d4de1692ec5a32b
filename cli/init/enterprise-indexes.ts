/**
 * The indexes of Firestore's Enterprise edition, which has none but those that are deployed. A query without one reads its
 * whole collection, and each entry of an index costs its writes. So these are the indexes that queries use, of the players
 * only those of the boards there are. Pure. test/functions/documents/indexes.test.ts holds them against every query.
 *
 * Each ends with `__name__`, as there nothing else puts documents with equal fields in order. `firestore.indexes.json` is
 * the Standard edition's, with its exemptions from automatic indexes, which do not exist here.
 */
import type { Definition } from "../../functions/src/model/definition.ts";
import type { Index } from "./index-file.ts";

type Direction = "ASCENDING" | "DESCENDING";

/** What a board's queries depend on. */
export interface BoardKind extends Pick<Definition, "order" | "ties"> {
  hasSegments?: boolean | undefined;
  isTemplate?: boolean | undefined;
  hasLeague?: boolean | undefined;
}

const always: readonly Index[] = [
  index("leaderboards", ["visibility"]),
  index("seasons", ["span"], { opens_at: "DESCENDING" }),
  index("seasons", ["status"], { opens_at: "DESCENDING" }),
  index("seasons", ["span", "status"], { opens_at: "DESCENDING" }),
  index("seasons", [], { opens_at: "DESCENDING" }),
  index("seasons", [], { closed_at: "DESCENDING" }),
  ofGroup(index("seasons", [], { closed_at: "DESCENDING" })),
  ofGroup(index("seasons", [], { next_run_at: "ASCENDING" })),
  ofGroup(index("seasons", [], { end_due_at: "ASCENDING" })),
  ofGroup(index("seasons", [], { "ranking.published_at": "ASCENDING" })),
  ofGroup(index("seasons", ["parked"])),
  ofGroup(index("seasons", ["template"])),
  ofGroup(index("seasons", ["template", "span"], { "ranking.published_at": "DESCENDING" })),
  index("runs", [], { started_at: "DESCENDING" }),
  index("runs", ["kind"], { started_at: "DESCENDING" }),
  index("runs", ["outcome"], { started_at: "DESCENDING" }),
  ofGroup(index("runs", ["outcome"], { started_at: "DESCENDING" })),
  ofGroup(index("runs", ["repair"], { started_at: "DESCENDING" })),
  index("scores", [], { slot_ends_at: "ASCENDING" }),
  index("scores_ranking", [], { players_until: "ASCENDING" }),
  index("players", [], { "counted.score": "ASCENDING" }),
  index("players", [], { display_name: "ASCENDING" }),
  index("player_statuses", ["status"]),
  contains("standings", "players"),
  contains("events", "players"),
  // Erasures, exports and the schedule ask on every board; without private groups these are empty.
  openWith("private_groups", "owners"),
  index("private_groups", ["season", "unsettled"]),
  index("private_groups", [], { name: "ASCENDING" }),
  ofGroup(index("private_groups", [], { end_due_at: "ASCENDING" })),
  index("group_codes", ["group"]),
];

/** One of each kind of board. */
export const everyKind: readonly BoardKind[] = (["descending", "ascending"] as const).flatMap((order) =>
  (["first", "last"] as const).flatMap((ties) =>
    [false, true].flatMap((hasSegments) =>
      [{}, { isTemplate: true }, { hasLeague: true }].map((has) => ({ order, ties, hasSegments, ...has })),
    ),
  ),
);

/**
 * The indexes that boards of some kinds need, each once.
 *
 * A new score of a board of one kind changes 3 entries of its player: the order of lists, its reverse for those that lead
 * upwards, and what is counted. With segments it changes 3 more for each that its player is in, and 3 of a
 * player in none, as on Enterprise an index has every document. A project with a template has 1 more for each player, and
 * one with a league 2.
 */
export function enterpriseIndexes(kinds: readonly BoardKind[]): Index[] {
  const all = [...always, ...kinds.flatMap(indexesOf)];
  const known = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...known.values()];
}

function indexesOf({
  order,
  ties,
  hasSegments = false,
  isTemplate = false,
  hasLeague = false,
}: BoardKind): Index[] {
  const best: Direction = order === "descending" ? "DESCENDING" : "ASCENDING";
  const time: Direction = ties === "first" ? "ASCENDING" : "DESCENDING";
  const lists = [
    index("players", ["status"], { score: best, achieved_at: time }),
    index("players", ["status"], { score: reverse(best), achieved_at: reverse(time) }),
  ];
  const pages = index("scores_ranking", [], { from_score: reverse(best) });
  return [
    ...lists,
    pages,
    ...(hasSegments ? [...lists.map(ofSegment), ...ofAnySegment] : []),
    ...(isTemplate ? ofAllBoards : []),
    ...(hasLeague ? ofLeagues : []),
  ];
}

/** The index of players with the same order in one segment. */
function ofSegment(spec: Index): Index {
  return { ...spec, fields: [{ fieldPath: "counted.segments", arrayConfig: "CONTAINS" }, ...spec.fields] };
}

const ofAnySegment: readonly Index[] = [
  ofSegment(index("players", [], { "counted.score": "ASCENDING" })),
  index("segments_ranking", [], { from_key: "DESCENDING" }),
  index("segments_ranking", [], { until_key: "ASCENDING" }),
];

/** What finds a player on all boards of a template. */
const ofAllBoards: readonly Index[] = [
  ofGroup(index("players", ["player_id"], { achieved_at: "DESCENDING" })),
  ofGroup(contains("events", "players")),
];

/** What finds the groups of a league, and those who wait for a seat. */
const ofLeagues: readonly Index[] = [
  index("seasons", ["league"]),
  index("players", ["league_seat.waits"]),
  index("players", ["league_seat.group"]),
  index("league_groups", ["newest_of"]),
  index("league_groups", ["unsettled"]),
  contains("league_groups", "owners"),
];

/** An index of fields that are compared with a value, then of those that order; `__name__` goes the way of the last. */
function index(
  collectionGroup: string,
  equal: readonly string[],
  ordered: Readonly<Record<string, Direction>> = {},
): Index {
  const fields = [
    ...equal.map((fieldPath) => ({ fieldPath, order: "ASCENDING" as const })),
    ...Object.entries(ordered).map(([fieldPath, order]) => ({ fieldPath, order })),
  ];
  const last = fields.at(-1)?.order ?? "ASCENDING";
  return {
    collectionGroup,
    queryScope: "COLLECTION",
    fields: [...fields, { fieldPath: "__name__", order: last }],
  };
}

function contains(collectionGroup: string, fieldPath: string): Index {
  return { collectionGroup, queryScope: "COLLECTION", fields: [{ fieldPath, arrayConfig: "CONTAINS" }] };
}

/** What contains a value, and of that what is not settled. */
function openWith(collectionGroup: string, fieldPath: string): Index {
  const { fields, ...spec } = index(collectionGroup, ["unsettled"]);
  return { ...spec, fields: [{ fieldPath, arrayConfig: "CONTAINS" }, ...fields] };
}

function ofGroup(spec: Index): Index {
  return { ...spec, queryScope: "COLLECTION_GROUP" };
}

function reverse(direction: Direction): Direction {
  return direction === "ASCENDING" ? "DESCENDING" : "ASCENDING";
}
