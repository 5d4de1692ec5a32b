/** The security rules: who may read what, and that no client writes anything. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
} from "@firebase/rules-unit-testing";
import {
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  documentId,
  DocumentReference,
  type Firestore,
  getDoc,
  getDocs,
  limit,
  onSnapshot,
  orderBy,
  type Query,
  query,
  type QueryConstraint,
  setDoc,
  setLogLevel,
  updateDoc,
  where,
} from "firebase/firestore";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../../scripts/project.ts";

/** Not signed in, signed in, with the claim, and with similar but wrong claims. */
const readers = ["nobody", "ann", "admin", "almost"] as const;
type Reader = (typeof readers)[number];
const signedIn: Reader[] = ["ann", "admin", "almost"];
const admins: Reader[] = ["admin"];
const none: Reader[] = [];

/** One board for signed-in users, one for everybody, one whose definition says nothing about it. */
const boards = ["closed", "public", "silent"] as const;
type Board = (typeof boards)[number];

/** Every kind of document below a board, and who may get it; with `publicly`, on a public board `nobody` too. */
const documents = {
  definition: ["", signedIn, "publicly"],
  season: ["/seasons/all_time", signedIn, "publicly"],
  "a page": ["/seasons/all_time/scores_ranking/0", signedIn, "publicly"],
  "a page of segments": ["/seasons/all_time/segments_ranking/0", signedIn, "publicly"],
  "the top": ["/seasons/all_time/top/current", signedIn, "publicly"],
  "ann's player": ["/seasons/all_time/players/ann", ["ann", "admin"]],
  "bob's player": ["/seasons/all_time/players/bob", admins],
  "a receipt": ["/seasons/all_time/receipts/written-1", none],
  "the note of a repair": ["/seasons/all_time/repair/current", none],
  "a note for a closing": ["/seasons/all_time/closing_notes/one", none],
  "a range of a closing": ["/seasons/all_time/closing_ranges/0", none],
  "a shard": ["/seasons/all_time/scores/0-1", admins],
  "a run record": ["/seasons/all_time/runs/run", admins],
  standings: ["/seasons/all_time/standings/0", admins],
  "a status for seasons to come": ["/player_statuses/ann", admins],
  "a private group of others": ["/private_groups/friends", admins],
  "a code of a private group": ["/group_codes/7KQ2M9XD4TPAW", none],
  "an event": ["/events/one", admins],
  "a document that is not Firerank's": ["/seasons/all_time/notes/one", none],
} satisfies Record<string, [path: string, may: Reader[], publicly?: "publicly"]>;
type Name = keyof typeof documents;
const names = Object.keys(documents) as Name[];
const at = (board: Board, name: Name) => `leaderboards/${board}${documents[name][0]}`;

interface Claims {
  uid: string;
  leaderboard_role?: string;
  admin?: boolean;
}

/** Who the readers are that have signed in. */
const claimsOf: Record<Exclude<Reader, "nobody">, Claims> = {
  ann: { uid: "ann" },
  admin: { uid: "boss", leaderboard_role: "admin" },
  almost: { uid: "eve", leaderboard_role: "owner", admin: true },
};

const stops: (() => void)[] = [];
let environment: RulesTestEnvironment;
let clients: Record<Reader, Firestore>;

beforeAll(async () => {
  setLogLevel("silent"); // it would log each refusal
  const [host = "", port] = (process.env["FIRESTORE_EMULATOR_HOST"] ?? "").split(":");
  environment = await initializeTestEnvironment({
    projectId: `demo-rules-${randomUUID().slice(0, 8)}`,
    firestore: { host, port: Number(port), rules: readFileSync(join(root, "firestore.rules"), "utf8") },
  });
  const as = ({ uid, ...claims }: Claims) =>
    environment.authenticatedContext(uid, { ...claims }).firestore() as unknown as Firestore;
  clients = {
    nobody: environment.unauthenticatedContext().firestore() as unknown as Firestore,
    ann: as(claimsOf.ann),
    admin: as(claimsOf.admin),
    almost: as(claimsOf.almost),
  };
  await environment.withSecurityRulesDisabled(async (context) => {
    const db = context.firestore() as unknown as Firestore;
    const visibility = { closed: { visibility: "signed_in" }, public: { visibility: "public" }, silent: {} };
    for (const board of boards) {
      await Promise.all(names.map((name) => setDoc(doc(db, at(board, name)), { n: 1, score: 1 })));
      await setDoc(doc(db, at(board, "definition")), { order: "descending", ...visibility[board] });
    }
    // A season whose definition was deleted.
    await setDoc(doc(db, "leaderboards/gone/seasons/all_time/top/current"), { n: 1 });
  });
});

afterAll(async () => {
  for (const stop of stops) stop();
  await environment.cleanup();
});

describe.each(boards)("on a %s board", (board) => {
  const season = `leaderboards/${board}/seasons/all_time`;
  const mayRead: readonly Reader[] = board === "public" ? readers : signedIn;

  test.each(names)("%s may be read by whom it is for alone", async (name) => {
    const [, may, publicly] = documents[name] as [string, Reader[], string?];
    const allowed = publicly === undefined ? may : mayRead;
    await expectOnly(allowed, (db) => getDoc(doc(db, at(board, name))));
  });

  test("pages can be listed one at a time by those who may read them, and freely by admins", async () => {
    const covering = [where("n", ">=", 1), orderBy("n")];
    for (const name of ["scores_ranking", "segments_ranking"]) {
      const pages = (db: Firestore) => collection(db, `${season}/${name}`);
      await expectOnly(mayRead, (db) => getDocs(query(pages(db), ...covering, limit(1))));
      await expectOnly(admins, (db) => getDocs(query(pages(db), ...covering, limit(2))));
      await expectOnly(admins, (db) => getDocs(pages(db)));
    }
    for (const [name, ...score] of [
      ["scores_ranking", where("from_score", ">=", 5), orderBy("from_score")],
      ["scores_ranking", where("from_score", "<=", 5), orderBy("from_score", "desc")],
      ["segments_ranking", where("from_key", "<=", "a"), orderBy("from_key", "desc")],
    ] as const) {
      const pages = (db: Firestore) => collection(db, `${season}/${name}`);
      await expectOnly(mayRead, (db) => firstSnapshot(query(pages(db), ...score, limit(1))));
      await expectOnly(admins, (db) => firstSnapshot(query(pages(db), ...score)));
    }
  });

  test("the top, and an own document that is not there yet, can be listened to by those who may read it", async () => {
    await expectOnly(mayRead, (db) => firstSnapshot(doc(db, at(board, "the top"))));
    const own = `leaderboards/${board}/seasons/none_yet/players/ann`;
    await expectOnly(["ann", "admin"], (db) => firstSnapshot(doc(db, own)));
  });

  test("no list of players, shards, runs, tops or standings for anyone but admins, nor of notes for anyone", async () => {
    for (const id of ["players", "scores", "runs", "top", "standings"]) {
      await expectOnly(admins, (db) => getDocs(collection(db, `${season}/${id}`)));
      const some = [where("score", ">=", 1), limit(1)];
      await expectOnly(admins, (db) => getDocs(query(collection(db, `${season}/${id}`), ...some)));
    }
    for (const id of ["receipts", "repair", "closing_notes", "closing_ranges"])
      await expectOnly(none, (db) => getDocs(query(collection(db, `${season}/${id}`), limit(1))));
  });

  test("its seasons can be listed by those who may read them", async () => {
    const seasons = (db: Firestore) => collection(db, `leaderboards/${board}/seasons`);
    await expectOnly(mayRead, (db) => getDocs(query(seasons(db), limit(100))));
    await expectOnly(admins, (db) => getDocs(query(seasons(db), limit(101))));
    await expectOnly(admins, (db) => getDocs(seasons(db)));
  });

  // The SDKs for the web send no offset; anybody can send a query of their own with one.
  test.each(readers)("no query may skip documents, which are billed, but an admin's: %s", async (reader) => {
    const lists = {
      [`${season}/scores_ranking`]: 1,
      [`${season}/segments_ranking`]: 1,
      [`leaderboards/${board}/seasons`]: 100,
    };
    for (const [path, most] of Object.entries(lists)) {
      const statusOf = (more: object) => statusOfQuery(reader, path, { limit: most, ...more });
      for (const plain of [{}, { offset: 0 }])
        expect(await statusOf(plain)).toBe(mayRead.includes(reader) ? 200 : 403);
      for (const offset of [1, 1_000, 2 ** 31 - 1])
        expect(await statusOf({ offset })).toBe(reader === "admin" ? 200 : 403);
    }
  });
});

describe("a board of a template", () => {
  const season = (board: string) => `leaderboards/${board}/seasons/all_time`;
  const own = ["level:a_-", "level:7"];
  const neighbours = ["level-a_-", "level", "levels:7"];

  beforeAll(async () => {
    await environment.withSecurityRulesDisabled(async (context) => {
      const db = context.firestore() as unknown as Firestore;
      await setDoc(doc(db, "leaderboards/level"), { visibility: "public" });
      for (const board of ["level-a_-", "levels"])
        await setDoc(doc(db, `leaderboards/${board}`), { visibility: "signed_in" });
    });
  });

  test("is visible to whom its template is, and no neighbour is", async () => {
    for (const [ids, may] of [
      [own, readers],
      [["level-a_-", "levels:7"], signedIn],
    ] as const)
      for (const id of ids) {
        await expectOnly(may, (db) => getDoc(doc(db, season(id))));
        await expectOnly(may, (db) => getDoc(doc(db, `${season(id)}/top/current`)));
        const pages = (db: Firestore) => collection(db, `${season(id)}/scores_ranking`);
        await expectOnly(may, (db) => getDocs(query(pages(db), limit(1))));
        await expectOnly(["ann", "admin"], (db) => getDoc(doc(db, `${season(id)}/players/ann`)));
        await expectOnly(none, (db) => setDoc(doc(db, season(id)), { n: 1 }));
      }
  });

  test("is its moderator's and its admin's who has the role for the template", async () => {
    const withRole = (leaderboard_role: string, leaderboard_boards: string[]) =>
      environment
        .authenticatedContext("rita", { leaderboard_role, leaderboard_boards })
        .firestore() as unknown as Firestore;
    const moderator = withRole("moderator", ["level"]);
    const admin = withRole("admin", ["level"]);
    const ofOneBoard = withRole("admin", ["level:7"]);
    for (const id of [...own, ...neighbours]) {
      const isOwn = own.includes(id) || id === "level";
      for (const db of [moderator, admin])
        await expectAllowed(isOwn, getDoc(doc(db, `${season(id)}/players/bob`)));
      await expectAllowed(isOwn, getDocs(collection(admin, `${season(id)}/runs`)));
      await assertFails(getDocs(collection(moderator, `${season(id)}/runs`)));
      await assertFails(getDoc(doc(ofOneBoard, `${season(id)}/players/bob`)));
    }
  });
});

test.each(names)("%s can be written by no one, even on a public board", async (name) => {
  const path = at("public", name);
  await expectOnly(none, (db) => setDoc(doc(db, `${path}-new`), { score: 1, visibility: "public" }));
  await expectOnly(none, (db) => setDoc(doc(db, path), { score: 2 }));
  await expectOnly(none, (db) => updateDoc(doc(db, path), { score: 2 }));
  await expectOnly(none, (db) => deleteDoc(doc(db, path)));
});

test("a player cannot create an own document", async () => {
  await assertFails(setDoc(doc(clients.almost, `${at("public", "season")}/players/eve`), { score: 9 }));
});

test("signed-in users may list all definitions, others the public ones only", async () => {
  const definitions = (db: Firestore) => collection(db, "leaderboards");
  const ofEverybody = where("visibility", "==", "public");
  await expectOnly(signedIn, (db) => getDocs(query(definitions(db), limit(100))));
  for (const bound of [[], [ofEverybody], [limit(101)]])
    await expectOnly(admins, (db) => getDocs(query(definitions(db), ...bound)));
  for (const reader of readers) {
    const found = await getDocs(query(definitions(clients[reader]), ofEverybody, limit(100)));
    expect(found.docs.map(({ id }) => id)).toEqual(["level", "public"]);
  }
});

test("nothing can be listed across boards, not even by admins, but run records and seasons", async () => {
  for (const id of ["players", "scores_ranking", "segments_ranking", "top", "receipts", "scores"])
    await expectOnly(none, (db) => getDocs(query(collectionGroup(db, id), limit(1))));
  for (const [id, ...some] of [
    ["runs"],
    ["runs", where("score", ">=", 1)],
    ["seasons", where("parked", "==", "no_definition")],
  ] as const)
    await expectOnly(admins, (db) => getDocs(query(collectionGroup(db, id), ...some, limit(1))));
});

test("a definition that is not there, and the season of one that was deleted, are closed to users who have not signed in", async () => {
  await expectOnly(signedIn, (db) => getDoc(doc(db, "leaderboards/gone/seasons/all_time/top/current")));
  await expectOnly(signedIn, (db) => getDoc(doc(db, "leaderboards/missing")));
});

/** People with a role, on all boards or on `closed` alone, and those whose claims only look like one. */
const roles = {
  "an admin": { leaderboard_role: "admin" },
  "an admin of the board": { leaderboard_role: "admin", leaderboard_boards: ["closed", "other"] },
  "a moderator": { leaderboard_role: "moderator" },
  "a moderator of the board": { leaderboard_role: "moderator", leaderboard_boards: ["closed"] },
  "a submitter": { leaderboard_role: "submitter" },
  "an owner": { leaderboard_role: "owner" },
  "an admin of no list": { leaderboard_role: "admin", leaderboard_boards: "closed" },
  "an admin of no board": { leaderboard_role: "admin", leaderboard_boards: [] },
} as const;
const as = (role: keyof typeof roles) =>
  environment.authenticatedContext("rita", roles[role]).firestore() as unknown as Firestore;

describe.each<[keyof typeof roles, player: Board[], run: Board[], all: boolean]>([
  ["an admin", ["closed", "public"], ["closed", "public"], true],
  ["an admin of the board", ["closed"], ["closed"], false],
  ["a moderator", ["closed", "public"], [], false],
  ["a moderator of the board", ["closed"], [], false],
  ["a submitter", [], [], false],
  ["an owner", [], [], false],
  ["an admin of no list", [], [], false],
  ["an admin of no board", [], [], false],
])("%s", (role, players, runs, all) => {
  test.each(["closed", "public"] as const)("reads of a board what the role is for: %s", async (board) => {
    const db = as(role);
    for (const name of ["bob's player", "a status for seasons to come"] as const)
      await expectAllowed(players.includes(board), getDoc(doc(db, at(board, name))));
    const listed = collection(db, `leaderboards/${board}/seasons/all_time/players`);
    await expectAllowed(players.includes(board), getDocs(listed));
    for (const name of ["a run record", "an event", "standings", "a shard"] as const)
      await expectAllowed(runs.includes(board), getDoc(doc(db, at(board, name))));
    await expectAllowed(runs.includes(board), getDocs(collection(db, `leaderboards/${board}/seasons`)));
    await assertFails(setDoc(doc(db, at(board, "bob's player")), { score: 9 }));
  });

  test("reads across boards only for the whole project", async () => {
    await expectAllowed(all, getDocs(query(collectionGroup(as(role), "runs"), limit(1))));
  });

  test("neither reads nor writes the roles of servers", async () => {
    const list = doc(as(role), "leaderboard_roles/granted");
    await assertFails(getDoc(list));
    await assertFails(setDoc(list, { servers: { "eve@example.com": { role: "admin" } } }));
  });
});

/** The queries with which the dashboard lists a template's boards: by the last ranking, and by the start of a name. */
function listsOfTemplate(template: string) {
  const all = where("template", "==", template);
  const from = where(documentId(), ">=", `leaderboards/${template}:a/seasons/all_time`);
  return [
    [all, where("span", "==", "all_time"), orderBy("ranking.published_at", "desc"), limit(25)],
    [all, from, orderBy(documentId()), limit(1)],
  ];
}

test.each(Object.keys(roles) as (keyof typeof roles)[])(
  "%s lists boards of the role's template",
  async (role) => {
    const list = (of: QueryConstraint[]) => getDocs(query(collectionGroup(as(role), "seasons"), ...of));
    const isAllowed = /^an? (admin|moderator)( of the board)?$/.test(role);
    for (const of of listsOfTemplate("closed")) await expectAllowed(isAllowed, list(of));
    if (!role.endsWith("of the board")) return;
    // Seasons of boards that are no template's have no field; and none are listed together with others.
    for (const other of ["public", ""]) for (const of of listsOfTemplate(other)) await assertFails(list(of));
    for (const of of listsOfTemplate("closed")) await assertFails(list(of.slice(1)));
  },
);

test("collections outside the leaderboards are closed", async () => {
  for (const path of ["leaderboard_roles/granted", "leaderboard_erasures/abc", "users/ann"]) {
    await expectOnly(none, (db) => getDoc(doc(db, path)));
    await expectOnly(none, (db) => setDoc(doc(db, path), { n: 1 }));
  }
});

/** The HTTP status of a structured query, which may contain what the web SDKs never send. */
async function statusOfQuery(reader: Reader, path: string, more: object): Promise<number> {
  const parent = path.split("/").slice(0, -1).join("/");
  const collectionId = path.split("/").at(-1);
  const database = `projects/${environment.projectId}/databases/(default)/documents`;
  const url = `http://${process.env["FIRESTORE_EMULATOR_HOST"]}/v1/${database}/${parent}:runQuery`;
  const headers = reader === "nobody" ? {} : { Authorization: `Bearer ${unsigned(claimsOf[reader])}` };
  const body = JSON.stringify({ structuredQuery: { from: [{ collectionId }], ...more } });
  const response = await fetch(url, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** An ID token as the emulators take it. */
function unsigned({ uid, ...claims }: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part({ sub: uid, ...claims })}.`;
}

/** The first snapshot of a listener. */
function firstSnapshot(source: Query | DocumentReference): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const observer = { next: resolve, error: reject };
    const stop =
      source instanceof DocumentReference ? onSnapshot(source, observer) : onSnapshot(source, observer);
    stops.push(stop);
  });
}

/** Expects that these readers may, and the others may not. */
async function expectOnly(
  allowed: readonly Reader[],
  ask: (db: Firestore) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    readers.map(async (reader) => {
      const outcome = expectAllowed(allowed.includes(reader), ask(clients[reader]));
      await outcome.catch((error: unknown) => expect.fail(`${reader}: ${String(error)}`));
    }),
  );
}

async function expectAllowed(allowed: boolean, work: Promise<unknown>): Promise<void> {
  await (allowed ? assertSucceeds(work) : assertFails(work));
}
