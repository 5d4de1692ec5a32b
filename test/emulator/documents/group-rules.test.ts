/** The security rules of private groups: members, whom a group shows, moderators, and everybody else. */
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
  doc,
  type Firestore,
  getDoc,
  getDocs,
  limit,
  query,
  setDoc,
  setLogLevel,
  where,
} from "firebase/firestore";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../../scripts/project.ts";

/** Ann is shown, hal is a member who is hidden, eve is a stranger. */
const people = {
  nobody: undefined,
  ann: {},
  hal: {},
  eve: { leaderboard_role: "owner" },
  "a moderator": { leaderboard_role: "moderator" },
  "a moderator of the board": { leaderboard_role: "moderator", leaderboard_boards: ["board"] },
  "a moderator of another board": { leaderboard_role: "moderator", leaderboard_boards: ["other"] },
  "an admin": { leaderboard_role: "admin" },
} as const;
type Person = keyof typeof people;
const all = Object.keys(people) as Person[];
const moderators: Person[] = ["a moderator", "a moderator of the board", "an admin"];

let environment: RulesTestEnvironment;
const groups = "leaderboards/board/private_groups";
const codes = "leaderboards/board/group_codes";

beforeAll(async () => {
  setLogLevel("silent"); // it would log each refusal
  const [host = "", port] = (process.env["FIRESTORE_EMULATOR_HOST"] ?? "").split(":");
  environment = await initializeTestEnvironment({
    projectId: `demo-groups-${randomUUID().slice(0, 8)}`,
    firestore: { host, port: Number(port), rules: readFileSync(join(root, "firestore.rules"), "utf8") },
  });
  await environment.withSecurityRulesDisabled(async (context) => {
    const db = context.firestore() as unknown as Firestore;
    // A public board shows its groups to nobody else either.
    await setDoc(doc(db, "leaderboards/board"), { order: "descending", visibility: "public" });
    await setDoc(doc(db, `${groups}/friends`), { owners: ["of ann", "of hal"], readers: ["ann"] });
    await setDoc(doc(db, `${codes}/7KQ2M9XD4TPAW`), { group: "friends" });
  });
});
afterAll(() => environment.cleanup());

function as(person: Person): Firestore {
  const claims = people[person];
  const context =
    claims === undefined
      ? environment.unauthenticatedContext()
      : environment.authenticatedContext(person, { ...claims });
  return context.firestore() as unknown as Firestore;
}

async function expectOnly(may: readonly Person[], act: (db: Firestore) => Promise<unknown>): Promise<void> {
  for (const person of all) {
    const done = act(as(person));
    await (may.includes(person) ? assertSucceeds(done) : assertFails(done));
  }
}

test("a group is read by the members whom it shows and by moderators, and by no stranger or hidden member", async () => {
  await expectOnly(["ann", ...moderators], (db) => getDoc(doc(db, `${groups}/friends`)));
  const found = await getDoc(doc(as("ann"), `${groups}/friends`));
  expect(found.get("readers")).toEqual(["ann"]);
});

test("groups are listed by moderators alone, on their boards, and across boards by nobody", async () => {
  for (const some of [[limit(1)], [where("readers", "array-contains", "ann"), limit(1)]])
    await expectOnly(moderators, (db) => getDocs(query(collection(db, groups), ...some)));
  await expectOnly([], (db) => getDocs(query(collectionGroup(db, "private_groups"), limit(1))));
});

test("codes are read and listed by nobody, and neither codes nor groups are written by anybody", async () => {
  await expectOnly([], (db) => getDoc(doc(db, `${codes}/7KQ2M9XD4TPAW`)));
  await expectOnly([], (db) => getDocs(query(collection(db, codes), limit(1))));
  await expectOnly([], (db) => setDoc(doc(db, `${codes}/MINE`), { group: "friends" }));
  await expectOnly([], (db) => setDoc(doc(db, `${groups}/friends`), { readers: ["eve"] }));
});
