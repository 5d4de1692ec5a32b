import { describe, expect, test } from "vitest";
import { Firestore, Timestamp as ServerTimestamp } from "../../../functions/src/documents/firestore.ts";
import { dashboardQuery } from "../../../test/support/dashboard-query.ts";
import { Timestamp } from "../firebase/server-firestore.ts";
import { type DocumentJson, foundIn, queryJson, stretchOf } from "./firestore-json.ts";
import * as queries from "./queries.ts";

const root = "projects/demo/databases/(default)/documents";
const key = { leaderboard: "chess", season: "all_time" };
const time = new Timestamp(1_764_417_600, 123_456_000);

describe("a query", () => {
  const [firstEdge, lastEdge] = queries.edgesOfSegment(key, "country=AT");
  const specs: Record<string, queries.QuerySpec> = {
    "public boards": queries.boards({ publicOnly: true, prefix: "", limit: 20 }),
    "boards by a prefix": queries.boards({ publicOnly: false, prefix: "ch", limit: 20 }),
    "open tournaments": queries.openTournaments("chess", new Date(5_000)),
    "failed runs of all": queries.failedRuns(new Date(1_000), 100),
    "parked seasons, without an order": queries.parkedSeasons(20),
    "boards of a template": queries.boardsOfTemplate("level", "all_time", 20),
    "a board of a template by name": queries.boardWithPrefix("level", "me", "level:meadow"),
    "runs of some kinds": queries.runsOf(key, "end", 20),
    "players by name": queries.playersNamed(key, "An", 8),
    "the first page of a segment": firstEdge,
    "the last page of a segment": lastEdge,
  };
  const db = new Firestore({ projectId: "demo" });

  test.each(Object.entries(specs))("is sent as Firestore's library sends it: %s", (_name, spec) => {
    expect(plain(queryJson(root, spec))).toEqual(plain(protoOf(dashboardQuery(db, spec))));
  });

  test("goes on behind a document: its values of all orders, and its name", () => {
    const spec = queries.endedSeasons("chess", 1);
    const path = "leaderboards/chess/seasons/cup";
    const after = { id: "cup", path, data: { opens_at: time } };
    const behind = dashboardQuery(db, spec).startAfter(
      new ServerTimestamp(time.seconds, time.nanoseconds),
      db.doc(path),
    );
    expect(plain(queryJson(root, spec, after))).toEqual(plain(protoOf(behind)));
  });

  test("goes on by the value inside a map", () => {
    const data = { ranking: { published_at: time } };
    const found = { id: "all_time", path: "leaderboards/level:1/seasons/all_time", data };
    const { startAt } = queryJson(root, queries.boardsOfTemplate("level", "all_time", 20), found);
    expect(startAt?.values[0]).toEqual({ timestampValue: "2025-11-29T12:00:00.123456000Z" });
  });

  test("is at its end where it finds fewer than it may", () => {
    const one = { id: "a", path: "b/a", data: {} };
    const spec = queries.endedSeasons("chess", 2);
    expect(stretchOf(spec, [one]).next).toBeUndefined();
    expect(stretchOf(spec, [one, one]).next).toBe(one);
  });
});

/** A query in the form in which the library sends it over gRPC. */
function protoOf(query: ReturnType<typeof dashboardQuery>): unknown {
  return (query as unknown as { toProto: () => { structuredQuery: unknown } }).toProto().structuredQuery;
}

/**
 * A query without what only one of the two forms has: JSON has times as text and numbers bare, and the library leaves a
 * single filter alone.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { compositeFilter, timestampValue, limit, ...rest } = value as Record<string, unknown>;
  const filters = (compositeFilter as { filters?: unknown[] } | undefined)?.filters;
  if (filters?.length === 1) return plain(filters[0]);
  const fields = { ...rest, ...(compositeFilter !== undefined && { compositeFilter }) };
  return {
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, one]) => (isLeftOut(name, one) ? [] : [[name, plain(one)]])),
    ),
    ...(timestampValue !== undefined && { timestampValue: millisOf(timestampValue) }),
    ...(limit !== undefined && {
      limit: typeof limit === "object" ? (limit as { value: number }).value : limit,
    }),
  };
}

/** What says the same as nothing, and the name of the kind of a value. */
function isLeftOut(name: string, value: unknown): boolean {
  return (
    value === undefined ||
    name === "valueType" ||
    (["allDescendants", "before"].includes(name) && value === false)
  );
}

function millisOf(value: unknown): number {
  if (typeof value === "string") return Date.parse(value);
  const { seconds = 0, nanos = 0 } = value as { seconds?: number | string; nanos?: number };
  return Number(seconds) * 1_000 + Math.floor(nanos / 1e6);
}

describe("a document", () => {
  const fieldsOf = (fields: DocumentJson["fields"]) =>
    foundIn(root, { name: `${root}/leaderboards/chess`, ...(fields && { fields }) }).data;

  test("has its path and id", () => {
    const name = `${root}/leaderboards/chess/seasons/all_time`;
    const path = "leaderboards/chess/seasons/all_time";
    expect(foundIn(root, { name })).toEqual({ id: "all_time", path, data: {} });
  });

  test("is read without the types of its values", () => {
    const fields = {
      rank: { integerValue: "12" },
      share: { doubleValue: 0.5 },
      odd: { doubleValue: "NaN" },
      name: { stringValue: "Ann" },
      isOpen: { booleanValue: false },
      closes_at: { nullValue: null },
      list: { arrayValue: { values: [{ integerValue: "1" }, { mapValue: {} }] } },
      none: { arrayValue: {} },
      inside: { mapValue: { fields: { rank: { integerValue: "3" } } } },
    };
    expect(fieldsOf(fields)).toEqual({
      ...{ rank: 12, share: 0.5, odd: NaN, name: "Ann", isOpen: false, closes_at: null },
      ...{ list: [1, {}], none: [], inside: { rank: 3 } },
    });
  });

  test.each([
    ["2026-11-29T12:00:00Z", 0],
    ["2026-11-29T12:00:00.1Z", 100_000_000],
    ["2026-11-29T12:00:00.123456789Z", 123_456_789],
    ["1969-12-31T23:59:59.5Z", 500_000_000],
  ])("has the time %s to the nanosecond", (timestampValue, nanoseconds) => {
    const { at } = fieldsOf({ at: { timestampValue } }) as { at: Timestamp };
    expect(at).toBeInstanceOf(Timestamp);
    expect(at.nanoseconds).toBe(nanoseconds);
    expect(Math.floor(at.toMillis())).toBe(Date.parse(timestampValue));
  });
});
