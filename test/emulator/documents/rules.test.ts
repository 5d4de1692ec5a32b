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
  DocumentReference,
  type Firestore,
  getDoc,
  getDocs,
  limit,
  onSnapshot,
  orderBy,
  type Query,
  query,
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
const everybody = readers;
const signedIn: Reader[] = ["ann", "admin", "almost"];
const admins: Reader[] = ["admin"];
const none: Reader[] = [];

/** One board for signed-in users, one for everybody, one whose definition says nothing about it. */
const boards = ["closed", "public", "silent"] as const;
type Board = (typeof boards)[number];

/** Every kind of document, below a board. */
const documents = {
  definition: "",
  season: "/seasons/all_time",
  "a page": "/seasons/all_time/scores_ranking/0",
  "the top": "/seasons/all_time/top/current",
  "ann's player": "/seasons/all_time/players/ann",
  "bob's player": "/seasons/all_time/players/bob",
  "a receipt": "/seasons/all_time/receipts/written-1",
  "the note of a repair": "/seasons/all_time/repair/current",
  "a note for a closing": "/seasons/all_time/closing_notes/one",
  "a range of a closing": "/seasons/all_time/closing_ranges/0",
  "a shard": "/seasons/all_time/scores/0-1",
  "a run record": "/seasons/all_time/runs/run",
  standings: "/seasons/all_time/standings/0",
  "a status for seasons to come": "/player_statuses/ann",
  "an event": "/events/one",
  "a document that is not Firerank's": "/seasons/all_time/notes/one",
};
type Name = keyof typeof documents;
const at = (board: Board, name: Name) => `leaderboards/${board}${documents[name]}`;

interface Claims {
  uid: string;
  leaderboard_admin?: unknown;
  admin?: boolean;
}

/** Who the readers are that have signed in. */
const claimsOf: Record<Exclude<Reader, "nobody">, Claims> = {
  ann: { uid: "ann" },
  admin: { uid: "boss", leaderboard_admin: true },
  almost: { uid: "eve", leaderboard_admin: "true", admin: true },
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
      for (const name of Object.keys(documents) as Name[])
        await setDoc(doc(db, at(board, name)), { n: 1, score: 1 });
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

/** Who may get each document; with `publicly`, on a public board `nobody` too. */
const gets: [name: Name, may: readonly Reader[], publicly: boolean][] = [
  ["definition", signedIn, true],
  ["season", signedIn, true],
  ["a page", signedIn, true],
  ["the top", signedIn, true],
  ["ann's player", ["ann", "admin"], false],
  ["bob's player", admins, false],
  ["a receipt", none, false],
  ["the note of a repair", none, false],
  ["a note for a closing", none, false],
  ["a range of a closing", none, false],
  ["a shard", admins, false],
  ["a run record", admins, false],
  ["standings", admins, false],
  ["a status for seasons to come", admins, false],
  ["an event", admins, false],
  ["a document that is not Firerank's", none, false],
];

describe.each(boards)("on a %s board", (board) => {
  describe.each(gets)("%s", (name, may, publicly) => {
    const allowed = publicly && board === "public" ? everybody : may;
    test.each(readers)(
      `may be read ${allowed.length > 0 ? `by ${allowed.join(", ")}` : "by no one"}: %s`,
      async (reader) => {
        await expectAllowed(allowed.includes(reader), getDoc(doc(clients[reader], at(board, name))));
      },
    );
  });

  describe.each(Object.keys(documents) as Name[])("%s", (name) => {
    test.each(readers)("cannot be created, overwritten, changed or deleted by %s", async (reader) => {
      const there = doc(clients[reader], at(board, name));
      const another = doc(clients[reader], `${at(board, name)}-new`);
      await assertFails(setDoc(another, { score: 1 }));
      await assertFails(setDoc(there, { score: 2 }));
      await assertFails(updateDoc(there, { score: 2 }));
      await assertFails(deleteDoc(there));
    });
  });

  test("a player can create neither an own document nor a public definition", async () => {
    await assertFails(
      setDoc(doc(clients.almost, `leaderboards/${board}/seasons/all_time/players/eve`), { score: 9 }),
    );
    await assertFails(setDoc(doc(clients.ann, `leaderboards/${board}-new`), { visibility: "public" }));
  });

  test.each(readers)(
    "pages can be listed one at a time by those who may read them, and freely by admins: %s",
    async (reader) => {
      const pages = collection(clients[reader], `leaderboards/${board}/seasons/all_time/scores_ranking`);
      const mayRead = board === "public" || reader !== "nobody";
      const covering = [where("n", ">=", 1), orderBy("n")];
      await expectAllowed(mayRead, getDocs(query(pages, ...covering, limit(1))));
      await expectAllowed(reader === "admin", getDocs(query(pages, ...covering, limit(2))));
      await expectAllowed(reader === "admin", getDocs(pages));
    },
  );

  test.each(readers)(
    "the page that covers a score can be listened to by those who may read it: %s",
    async (reader) => {
      const pages = collection(clients[reader], `leaderboards/${board}/seasons/all_time/scores_ranking`);
      const mayRead = board === "public" || reader !== "nobody";
      for (const covering of [
        [where("from_score", ">=", 5), orderBy("from_score")],
        [where("from_score", "<=", 5), orderBy("from_score", "desc")],
      ]) {
        await expectAllowed(mayRead, firstSnapshot(query(pages, ...covering, limit(1))));
        await expectAllowed(reader === "admin", firstSnapshot(query(pages, ...covering)));
      }
    },
  );

  test.each(readers)("the top can be listened to by those who may read it: %s", async (reader) => {
    const top = doc(clients[reader], at(board, "the top"));
    await expectAllowed(board === "public" || reader !== "nobody", firstSnapshot(top));
  });

  test.each(readers)("a player's own document can be listened to before there is one: %s", async (reader) => {
    const own = doc(clients[reader], `leaderboards/${board}/seasons/none_yet/players/ann`);
    await expectAllowed(reader === "ann" || reader === "admin", firstSnapshot(own));
  });

  test.each(readers)(
    "no list of players, shards, runs, tops or standings for anyone but admins: %s",
    async (reader) => {
      for (const id of ["players", "scores", "runs", "top", "standings"]) {
        const listed = collection(clients[reader], `leaderboards/${board}/seasons/all_time/${id}`);
        await expectAllowed(reader === "admin", getDocs(listed));
        await expectAllowed(reader === "admin", getDocs(query(listed, where("score", ">=", 1), limit(1))));
      }
    },
  );

  test.each(readers)("no list of receipts and notes for anyone: %s", async (reader) => {
    for (const id of ["receipts", "repair", "closing_notes", "closing_ranges"]) {
      const listed = collection(clients[reader], `leaderboards/${board}/seasons/all_time/${id}`);
      await expectAllowed(false, getDocs(query(listed, limit(1))));
    }
  });

  test.each(readers)("its seasons can be listed by those who may read them: %s", async (reader) => {
    const seasons = collection(clients[reader], `leaderboards/${board}/seasons`);
    const mayRead = board === "public" || reader !== "nobody";
    await expectAllowed(mayRead, getDocs(query(seasons, limit(100))));
    await expectAllowed(reader === "admin", getDocs(query(seasons, limit(101))));
    await expectAllowed(reader === "admin", getDocs(seasons));
  });

  // The SDKs for the web send no offset; anybody can send a query of their own with one.
  test.each(readers)("no query may skip documents, which are billed, but an admin's: %s", async (reader) => {
    const season = `leaderboards/${board}/seasons/all_time`;
    const lists = { [`${season}/scores_ranking`]: 1, [`leaderboards/${board}/seasons`]: 100 };
    const mayRead = board === "public" || reader !== "nobody";
    for (const [path, most] of Object.entries(lists)) {
      const statusOf = (more: object) => statusOfQuery(reader, path, { limit: most, ...more });
      expect(await statusOf({})).toBe(mayRead ? 200 : 403);
      expect(await statusOf({ offset: 0 })).toBe(mayRead ? 200 : 403);
      for (const offset of [1, 1_000, 2 ** 31 - 1]) {
        expect(await statusOf({ offset })).toBe(reader === "admin" ? 200 : 403);
      }
    }
  });
});

test("signed-in users may list all definitions, others the public ones only", async () => {
  for (const reader of readers) {
    const definitions = collection(clients[reader], "leaderboards");
    const ofEverybody = where("visibility", "==", "public");
    await expectAllowed(reader !== "nobody", getDocs(query(definitions, limit(100))));
    for (const unbounded of [definitions, query(definitions, ofEverybody), query(definitions, limit(101))]) {
      await expectAllowed(reader === "admin", getDocs(unbounded));
    }
    const found = await assertSucceeds(getDocs(query(definitions, ofEverybody, limit(100))));
    expect(found.docs.map(({ id }) => id)).toEqual(["public"]);
  }
});

test("nothing can be listed across boards, not even by admins, but run records and seasons", async () => {
  for (const reader of readers) {
    for (const id of ["players", "scores_ranking", "top", "receipts", "scores"]) {
      await assertFails(getDocs(query(collectionGroup(clients[reader], id), limit(1))));
    }
  }
});

test.each(readers)("run records of all boards can be listed by admins alone: %s", async (reader) => {
  const runs = collectionGroup(clients[reader], "runs");
  await expectAllowed(reader === "admin", getDocs(query(runs, limit(1))));
  await expectAllowed(reader === "admin", getDocs(query(runs, where("score", ">=", 1), limit(1))));
});

test.each(readers)("seasons of all boards can be listed by admins alone: %s", async (reader) => {
  const parked = query(
    collectionGroup(clients[reader], "seasons"),
    where("parked", "==", "no_definition"),
    limit(1),
  );
  await expectAllowed(reader === "admin", getDocs(parked));
});

test("a season whose definition was deleted stays closed to users who have not signed in", async () => {
  const path = "leaderboards/gone/seasons/all_time/top/current";
  await assertFails(getDoc(doc(clients.nobody, path)));
  await assertSucceeds(getDoc(doc(clients.ann, path)));
});

test("a definition that does not exist can be asked for by signed-in users only", async () => {
  await assertSucceeds(getDoc(doc(clients.ann, "leaderboards/missing")));
  await assertFails(getDoc(doc(clients.nobody, "leaderboards/missing")));
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
    const list = doc(as(role), "leaderboard_roles/servers");
    await assertFails(getDoc(list));
    await assertFails(setDoc(list, { servers: { "eve@example.com": { role: "admin" } } }));
  });
});

test("collections outside the leaderboards are closed", async () => {
  for (const reader of readers) {
    await assertFails(getDoc(doc(clients[reader], "leaderboard_roles/servers")));
    await assertFails(getDoc(doc(clients[reader], "users/ann")));
    await assertFails(setDoc(doc(clients[reader], "users/ann"), { n: 1 }));
  }
});

/** The HTTP status of a structured query, which may contain what the web SDKs never send. */
async function statusOfQuery(reader: Reader, path: string, more: object): Promise<number> {
  const parent = path.split("/").slice(0, -1).join("/");
  const collectionId = path.split("/").at(-1);
  const database = `projects/${environment.projectId}/databases/(default)/documents`;
  const response = await fetch(
    `http://${process.env["FIRESTORE_EMULATOR_HOST"]}/v1/${database}/${parent}:runQuery`,
    {
      method: "POST",
      headers: reader === "nobody" ? {} : { Authorization: `Bearer ${unsigned(claimsOf[reader])}` },
      body: JSON.stringify({ structuredQuery: { from: [{ collectionId }], ...more } }),
    },
  );
  await response.arrayBuffer();
  return response.status;
}

/** An ID token as the emulators take it. */
function unsigned({ uid, ...claims }: Claims): string {
  const [header, payload] = [
    { alg: "none", typ: "JWT" },
    { sub: uid, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `${header}.${payload}.`;
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

async function expectAllowed(allowed: boolean, work: Promise<unknown>): Promise<void> {
  await (allowed ? assertSucceeds(work) : assertFails(work));
}
