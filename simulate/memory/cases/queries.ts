/** What queries find, in which order, and what they count. */
import { expect } from "vitest";
import {
  FieldPath,
  Timestamp,
  type CollectionReference,
  type Query,
} from "../../../functions/src/documents/firestore.ts";
import { at, type Cases, failure, fill, idsOf, type Stage, timesOf } from "./case.ts";

const all = ({ db, path }: Stage): CollectionReference => db.collection(path);
const byName = FieldPath.documentId();
const seconds = (count: number) => new Timestamp(count, 0);

/** Documents whose field `x` is of every type, in Firestore's order. */
const everyType = {
  none: null,
  no: false,
  yes: true,
  nan: NaN,
  minusInfinity: -Infinity,
  least: -1.7976931348623157e308,
  minusOne: -1,
  tiny: 5e-324,
  third: 1 / 3,
  one: 1,
  big: 2 ** 53 - 1,
  bigger: 2 ** 53,
  infinity: Infinity,
  time: new Timestamp(5, 0),
  later: new Timestamp(5, 1_000),
  emptyText: "",
  capital: "Z",
  small: "a",
  longer: "aa",
  accent: "é",
  private: "\uffee",
  astral: "🏆",
  emptyList: [],
  list: [1],
  longerList: [1, 0],
  laterList: [2],
  emptyMap: {},
  map: { a: 1 },
  laterMap: { a: 2 },
  otherMap: { b: 0 },
};
const names = Object.keys(everyType);

async function fillEveryType(stage: Stage): Promise<void> {
  // In another order than that of the query.
  for (const [id, x] of Object.entries(everyType).reverse()) await at(stage, id).set({ x });
  await at(stage, "without").set({ y: 1 });
}

/** Players as a board has them: two of them equal, one that cannot be ranked, one that is banned. */
const players = {
  eve: { score: 30, status: "active", achieved_at: seconds(1) },
  dan: { score: 20, status: "active", achieved_at: seconds(3) },
  cat: { score: 20, status: "active", achieved_at: seconds(2) },
  bob: { score: 20, status: "active", achieved_at: seconds(2) },
  ann: { score: 10.5, status: "active", achieved_at: seconds(9) },
  odd: { score: "40", status: "active", achieved_at: seconds(1) },
  nan: { score: NaN, status: "active", achieved_at: seconds(1) },
  bare: { score: 25, status: "active" },
  bad: { score: 99, status: "banned", achieved_at: seconds(1) },
};

const ranked = (stage: Stage): Query =>
  all(stage)
    .where("status", "==", "active")
    .orderBy("score", "desc")
    .orderBy("achieved_at", "asc")
    .orderBy(byName, "asc");

const order = {
  "without an order documents come by id, and ids by code points": async (stage) => {
    const ids = ["10", "9", "A", "_", "a", "aa", "a b", "a-b", "é", "\uffee", "🏆"];
    for (const id of ids.toReversed()) await at(stage, id).set({});
    expect(await idsOf(all(stage))).toEqual([
      "10",
      "9",
      "A",
      "_",
      "a",
      "a b",
      "a-b",
      "aa",
      "é",
      "\uffee",
      "🏆",
    ]);
    expect(await idsOf(all(stage).orderBy(byName))).toEqual(await idsOf(all(stage)));
  },

  "ids that are numbers come first, as imports from Datastore make them, and by number": async (stage) => {
    const numbers = ["-9223372036854775808", "-5", "7", "10", "9007199254740993", "9223372036854775807"];
    const ids = [...numbers.map((number) => `__id${number}__`), "!", "_", "__id7_", "a"];
    for (const id of ids.toReversed()) await at(stage, id).set({ x: 1 });
    expect(await idsOf(all(stage))).toEqual(ids);
    expect(await idsOf(all(stage).orderBy("x", "desc"))).toEqual(ids.toReversed());
    expect(await idsOf(all(stage).orderBy(byName).startAfter("__id8__").limit(2))).toEqual(ids.slice(3, 5));
    expect(await idsOf(all(stage).where(byName, "<=", "__id10__"))).toEqual(ids.slice(0, 4));
    expect((await all(stage).listDocuments()).map(({ id }) => id)).toEqual(ids);
  },

  "no index has the ids of a collection backwards, but those of an equality": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 1 } });
    const backwards = (query: Query) => query.orderBy(byName, "desc");
    expect(await failure(() => backwards(all(stage)).get())).toBe("failedPrecondition");
    expect(await failure(() => backwards(all(stage).where(byName, ">", "a")).get())).toBe(
      "failedPrecondition",
    );
    expect(await failure(() => all(stage).orderBy(byName).limitToLast(1).get())).toBe("failedPrecondition");
    expect(await idsOf(backwards(all(stage).where("x", "==", 1)))).toEqual(["b", "a"]);
  },

  "values are ordered by type and then by value, and who lacks the field is left out": async (stage) => {
    await fillEveryType(stage);
    expect(await idsOf(all(stage).orderBy("x"))).toEqual(names);
    expect(await idsOf(all(stage).orderBy("x", "desc"))).toEqual(names.toReversed());
  },

  "equals come by id, in the direction of the last order": async (stage) => {
    await fill(stage, { b: { x: 1 }, a: { x: 1 }, c: { x: 0 }, d: { x: -0 } });
    expect(await idsOf(all(stage).orderBy("x"))).toEqual(["c", "d", "a", "b"]);
    expect(await idsOf(all(stage).orderBy("x", "desc"))).toEqual(["b", "a", "d", "c"]);
    expect(await idsOf(all(stage).orderBy("x", "desc").orderBy(byName, "asc"))).toEqual(["a", "b", "c", "d"]);
  },

  "several orders, each in its own direction": async (stage) => {
    await fill(stage, players);
    expect(await idsOf(ranked(stage))).toEqual(["odd", "eve", "bob", "cat", "dan", "ann", "nan"]);
    const lastFirst = all(stage).orderBy("score", "asc").orderBy("achieved_at", "desc");
    expect(await idsOf(lastFirst)).toEqual(["nan", "ann", "dan", "cat", "bob", "eve", "bad", "odd"]);
  },
} satisfies Cases;

const filters = {
  "an equality finds its own type and value": async (stage) => {
    await fillEveryType(stage);
    const equal = (x: unknown) => idsOf(all(stage).where("x", "==", x));
    for (const [name, x] of Object.entries(everyType))
      expect([name, ...(await equal(x))]).toEqual([name, name]);
    expect(await equal("nothing")).toEqual([]);
    expect(await equal(0)).toEqual([]);
  },

  "zero and minus zero are equal": async (stage) => {
    await fill(stage, { a: { x: 0 }, b: { x: -0 }, c: { x: 5e-324 } });
    expect(await idsOf(all(stage).where("x", "==", 0))).toEqual(["a", "b"]);
    expect(await idsOf(all(stage).where("x", "==", -0))).toEqual(["a", "b"]);
    expect(await idsOf(all(stage).where("x", ">=", 0))).toEqual(["a", "b", "c"]);
    expect(await idsOf(all(stage).where("x", ">", -0))).toEqual(["c"]);
  },

  "one of several values is never null or NaN": async (stage) => {
    await fill(stage, { a: { x: null }, b: { x: NaN }, c: { x: 1 } });
    const among = (...values: unknown[]) => idsOf(all(stage).where("x", "in", values));
    expect(await among(null)).toEqual([]);
    expect(await among(NaN)).toEqual([]);
    expect(await among(1, null, NaN)).toEqual(["c"]);
  },

  "a range finds values of its own type, and no NaN": async (stage) => {
    await fillEveryType(stage);
    const range = (operator: "<" | "<=" | ">" | ">=", x: unknown) =>
      idsOf(all(stage).where("x", operator, x));
    expect(await range(">=", 1)).toEqual(["one", "big", "bigger", "infinity"]);
    expect(await range(">", 1)).toEqual(["big", "bigger", "infinity"]);
    expect(await range("<", 1 / 3)).toEqual(["minusInfinity", "least", "minusOne", "tiny"]);
    expect(await range("<=", 1 / 3)).toEqual(["minusInfinity", "least", "minusOne", "tiny", "third"]);
    expect(await range("<=", seconds(5))).toEqual(["time"]);
    expect(await range(">", seconds(5))).toEqual(["later"]);
    expect(await range(">=", "aa")).toEqual(["longer", "accent", "private", "astral"]);
    expect(await range("<", true)).toEqual(["no"]);
  },

  "a range on both sides is ordered by its field, by id among equals": async (stage) => {
    await fill(stage, { c: { x: 2 }, d: { x: 1 }, b: { x: 1 }, a: { x: 3 }, e: { x: "2" }, f: { x: NaN } });
    const between = all(stage).where("x", ">=", -1e15).where("x", "<=", 1e15);
    expect(await idsOf(between)).toEqual(["b", "d", "c", "a"]);
    expect(await idsOf(between.orderBy("x", "desc"))).toEqual(["a", "c", "d", "b"]);
    expect(await idsOf(all(stage).where("x", ">", 1).where("x", "<", 3))).toEqual(["c"]);
  },

  "filters hold all together, and with orders by further fields": async (stage) => {
    await fill(stage, players);
    const top = all(stage)
      .where("status", "==", "active")
      .where("score", ">=", -1e15)
      .where("score", "<=", 1e15)
      .orderBy("score", "desc")
      .orderBy("achieved_at", "asc");
    expect(await idsOf(top)).toEqual(["eve", "bob", "cat", "dan", "ann"]);
    const two = all(stage).where("status", "==", "active").where("score", "==", 20);
    expect(await idsOf(two)).toEqual(["bob", "cat", "dan"]);
  },

  "orders and filters by a field inside a map": async (stage) => {
    await fill(stage, { a: { map: { x: 2 } }, b: { map: { x: 1 } }, c: { "map.x": 2 }, d: { map: [2] } });
    expect(await idsOf(all(stage).orderBy("map.x"))).toEqual(["b", "a"]);
    expect(await idsOf(all(stage).where("map.x", ">=", 2))).toEqual(["a"]);
    expect(await idsOf(all(stage).where("map.x", "==", 1))).toEqual(["b"]);
  },

  "a list contains a value, of its own type": async (stage) => {
    await fill(stage, { a: { x: ["1", 2] }, b: { x: [1] }, c: { x: 1 }, d: { x: [] }, e: { x: [2, 1, 1] } });
    expect(await idsOf(all(stage).where("x", "array-contains", 1))).toEqual(["b", "e"]);
    expect(await idsOf(all(stage).where("x", "array-contains", "1").limit(1))).toEqual(["a"]);
    expect(await idsOf(all(stage).where("x", "array-contains", 3))).toEqual([]);
    expect(await idsOf(all(stage).where("x", "array-contains-any", [3, 1]))).toEqual(["b", "e"]);
    expect(await idsOf(all(stage).where("x", "array-contains-any", [3, 4]))).toEqual([]);
    const before = all(stage).where(byName, "<", "e");
    expect(await idsOf(before.where("x", "array-contains", 1))).toEqual(["b"]);
    const byId = all(stage).where("x", "array-contains", 1).orderBy(byName);
    expect(await idsOf(byId.startAfter("bb").limit(1))).toEqual(["e"]);
  },

  "two ranges hold together, and find only values of their types": async (stage) => {
    await fill(stage, {
      a: { x: 1, at: new Timestamp(5, 0) },
      b: { x: 1 },
      c: { x: 1, at: 5 },
      d: { x: 2, at: new Timestamp(0, 0) },
      e: { x: 3, at: new Timestamp(5, 0) },
    });
    const found = all(stage)
      .where("x", "<=", 2)
      .where("at", ">=", new Timestamp(-62_135_596_800, 0))
      .orderBy("x", "desc")
      .orderBy("at")
      .orderBy(byName);
    expect(await idsOf(found)).toEqual(["d", "a"]);
    expect((await found.count().get()).data().count).toBe(2);
  },
} satisfies Cases;

const ends = {
  "cursors of values begin and end with a place, or beside it": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 2 }, c: { x: 2 }, d: { x: 3 } });
    const ordered = all(stage).orderBy("x");
    expect(await idsOf(ordered.startAt(2))).toEqual(["b", "c", "d"]);
    expect(await idsOf(ordered.startAfter(2))).toEqual(["d"]);
    expect(await idsOf(ordered.endAt(2))).toEqual(["a", "b", "c"]);
    expect(await idsOf(ordered.endBefore(2))).toEqual(["a"]);
    expect(await idsOf(ordered.startAfter(1).endBefore(3))).toEqual(["b", "c"]);
    expect(await idsOf(all(stage).orderBy("x", "desc").startAt(2))).toEqual(["c", "b", "a"]);
    expect(await idsOf(ordered.startAfter(3))).toEqual([]);
    expect(await idsOf(ordered.startAt(3).endAt(1))).toEqual([]);
  },

  "cursors, unlike filters, go from one type to the next": async (stage) => {
    await fillEveryType(stage);
    const ordered = all(stage).orderBy("x");
    expect(await idsOf(ordered.startAt(Infinity))).toEqual(names.slice(names.indexOf("infinity")));
    expect(await idsOf(ordered.endBefore(-Infinity))).toEqual(["none", "no", "yes", "nan"]);
    expect(await idsOf(ordered.startAt(true).endAt(NaN))).toEqual(["yes", "nan"]);
    expect(await idsOf(all(stage).orderBy("x", "desc").startAt(1e15).endAt(-1e15))).toEqual([
      "one",
      "third",
      "tiny",
      "minusOne",
    ]);
  },

  "the ends of a board leave out who cannot be ranked": async (stage) => {
    await fill(stage, players);
    const within = ranked(stage).startAt(1e15).endAt(-1e15);
    expect(await idsOf(within)).toEqual(["eve", "bob", "cat", "dan", "ann"]);
    expect(await idsOf(within.limit(2))).toEqual(["eve", "bob"]);
  },

  "a place of several values, the id last": async (stage) => {
    await fill(stage, players);
    expect(await idsOf(ranked(stage).startAfter(20, seconds(2), "bob").endAt(-1e15))).toEqual([
      "cat",
      "dan",
      "ann",
    ]);
    expect(await idsOf(ranked(stage).startAt(20, seconds(2)).endBefore(20, seconds(3)))).toEqual([
      "bob",
      "cat",
    ]);
    expect(await idsOf(ranked(stage).startAt(20).endBefore(20, seconds(2), "cat"))).toEqual(["bob"]);
    expect(await idsOf(ranked(stage).startAfter(20, seconds(2), "nobody").endAt(-1e15))).toEqual([
      "dan",
      "ann",
    ]);
  },

  "ids as ends": async (stage) => {
    await fill(stage, { a: {}, b: {}, c: {}, d: {} });
    const ordered = all(stage).orderBy(byName);
    expect(await idsOf(ordered.startAfter("a").endAt("c"))).toEqual(["b", "c"]);
    expect(await idsOf(ordered.startAfter("bb").limit(1))).toEqual(["c"]);
    expect(await idsOf(ordered.startAfter("d"))).toEqual([]);
  },
} satisfies Cases;

const bounds = {
  "a limit keeps the first ones, and limitToLast the last ones in the same order": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 2 }, c: { x: 3 }, d: { x: 4 } });
    const ordered = all(stage).orderBy("x");
    expect(await idsOf(ordered.limit(2))).toEqual(["a", "b"]);
    expect(await idsOf(ordered.limit(9))).toEqual(["a", "b", "c", "d"]);
    expect(await idsOf(ordered.limitToLast(2))).toEqual(["c", "d"]);
    expect(await idsOf(ordered.startAt(2).limitToLast(2))).toEqual(["c", "d"]);
    expect(await idsOf(ordered.endBefore(4).limitToLast(2))).toEqual(["b", "c"]);
    expect(await idsOf(all(stage).orderBy("x", "desc").limitToLast(1))).toEqual(["a"]);
  },

  "an offset passes over the first ones": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 2 }, c: { x: 3 }, d: { x: 4 } });
    const ordered = all(stage).orderBy("x");
    expect(await idsOf(ordered.offset(1).limit(2))).toEqual(["b", "c"]);
    expect(await idsOf(ordered.offset(3).limit(2))).toEqual(["d"]);
    expect(await idsOf(ordered.offset(4).limit(2))).toEqual([]);
    expect(await idsOf(ordered.startAfter(1).offset(1).limit(1))).toEqual(["c"]);
  },

  "select sends these fields alone": async (stage) => {
    await fill(stage, { a: { x: 1, y: 2, map: { p: 1, q: 2 } }, b: { x: 2 } });
    const { docs } = await all(stage).orderBy("x").select("y", "map.q").get();
    expect(docs.map((document) => document.data())).toEqual([{ y: 2, map: { q: 2 } }, {}]);
    expect(docs.map((document) => document.get("x") as unknown)).toEqual([undefined, undefined]);
    expect(docs[0]?.updateTime).toEqual((await timesOf(at(stage))).updateTime);
    const [ordered] = (await all(stage).orderBy("x").select("x").limit(1).get()).docs;
    expect(await idsOf(all(stage).orderBy("x").startAfter(ordered))).toEqual(["b"]);
  },

  "a query looks into its own collection, and not below": async (stage) => {
    await fill(stage, { a: { x: 1 } });
    await stage.db.doc(`${stage.path}/a/${stage.name}/b`).set({ x: 1 });
    await stage.db.doc(`${stage.path}-more/c`).set({ x: 1 });
    expect(await idsOf(all(stage).where("x", "==", 1))).toEqual(["a"]);
  },
} satisfies Cases;

const groups = {
  "a collection group finds every collection of its name, ordered by path where scores are equal": async (
    stage,
  ) => {
    const { db, path, name } = stage;
    const places = ["a-b/seasons/x", "a/seasons/y", "a/seasons/x", "b/seasons/x/deep/z", "a"];
    for (const place of places) await db.doc(`${path}/${place.replace("seasons", name)}`).set({ due: 1 });
    await db.doc(`${path}/b/${name}/w`).set({ due: 0 });
    await db.doc(`${path}/b/${name}/v`).set({ due: 2 });
    await db.doc(`${path}/b/not-${name}/v`).set({ due: 1 });
    const group = db.collectionGroup(name);
    const paths = async (query: Query) =>
      (await query.get()).docs.map(({ ref }) => ref.path.slice(path.length + 1).replace(name, "*"));
    const due = group.where("due", "<=", 1).orderBy("due");
    expect(await paths(due)).toEqual(["b/*/w", "a/*/x", "a/*/y", "a-b/*/x"]);
    expect(await paths(due.limit(2))).toEqual(["b/*/w", "a/*/x"]);
    const [, last] = (await due.limit(2).get()).docs;
    expect(await paths(due.startAfter(last))).toEqual(["a/*/y", "a-b/*/x"]);
    expect(await paths(group.where("due", ">", 1))).toEqual(["b/*/v"]);
  },
} satisfies Cases;

const counts = {
  "a count is of what the query finds, bounded by its limit": async (stage) => {
    await fill(stage, players);
    const count = async (query: Query) => (await query.count().get()).data().count;
    expect(await count(all(stage))).toBe(9);
    expect(await count(all(stage).where("status", "==", "active"))).toBe(8);
    expect(await count(all(stage).where("score", ">=", -1e15).where("score", "<=", 1e15))).toBe(7);
    expect(await count(all(stage).where("score", "<=", 20).where("score", ">", 10.5))).toBe(3);
    expect(await count(ranked(stage).startAt(1e15).endAt(-1e15))).toBe(5);
    expect(await count(ranked(stage).startAt(20).endBefore(20, seconds(2), "cat"))).toBe(1);
    expect(await count(all(stage).limit(4))).toBe(4);
    expect(await count(ranked(stage).startAfter(20, seconds(2), "bob").limit(2))).toBe(2);
    expect(await count(all(stage).where("score", "==", 7))).toBe(0);
  },

  "a count leaves out who lacks a field of the order": async (stage) => {
    await fill(stage, { a: { x: 1, y: 1 }, b: { x: 1 } });
    expect((await all(stage).orderBy("x").orderBy("y").count().get()).data().count).toBe(1);
  },
} satisfies Cases;

export const queries: Cases = { ...order, ...filters, ...ends, ...bounds, ...groups, ...counts };
