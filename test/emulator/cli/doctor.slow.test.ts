/**
 * The checks on the real emulators, with the faults planted that only these can hold; cli/doctor/google.test.ts has those
 * of a real project.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApi } from "../../../cli/doctor/api.ts";
import { ofEmulators } from "../../../cli/doctor/doctor.ts";
import { checks, examine, type Report } from "../../../cli/doctor/examine.ts";
import { createPatient, type PatientOptions } from "../../../cli/doctor/patient.ts";
import { mergeRules } from "../../../cli/init/merge-rules.ts";
import { ownFile } from "../../../cli/init/package.ts";
import { hostsOfEmulators } from "../../../cli/hub.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runPath, seasonPath, shardPath } from "../../../functions/src/documents/paths.ts";
import { saveRole } from "../../../functions/src/documents/roles.ts";
import { projectId, root } from "../../../scripts/project.ts";
import { allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";

const minute = 60_000;
const key = allTime("board");
const firestore = process.env["FIRESTORE_EMULATOR_HOST"] ?? "";

let emulators: PatientOptions["emulators"];
let world: World;
/** A world whose ranking lacks a player. It begins before all tests: a younger difference counts as an event on its way. */
let lacking: World;
beforeAll(async () => {
  emulators = await hostsOfEmulators({ project: projectId, firestore }, process.env);
  world = lacking = createWorld();
  await makeWell();
  await putRules(ownFile("firestore.rules"));
  await world.writeDirectly(key, "bob", { score: 9 });
  world.advance(60 * minute);
});
beforeEach(async () => {
  world = createWorld();
  await putRules(ownFile("firestore.rules"));
});

function optionsOf(more: Partial<PatientOptions> = {}): PatientOptions {
  const project = more.project ?? world.projectId;
  return {
    project,
    database: "(default)",
    emulators,
    api: createApi({ project, ...ofEmulators(emulators ?? {}) }),
    db: world.db,
    now: world.services.now,
    timeZone: "Europe/Vienna",
    ...more,
  };
}

const look = (more: Partial<PatientOptions> = {}): Promise<Report> => examine(createPatient(optionsOf(more)));

/** The ids of what was found by checks of these names; by default those of the database and its accounts. */
function found(report: Report, names = ["admins", "rules", "boards", "collections", "alerts", "bill"]) {
  return report.findings.filter(({ check }) => names.includes(check)).map(({ id }) => id);
}

async function putRules(content: string): Promise<void> {
  const url = `http://${firestore}/emulator/v1/projects/${world.projectId}:securityRules`;
  const body = JSON.stringify({ rules: { files: [{ name: "firestore.rules", content }] } });
  const { status } = await fetch(url, { method: "PUT", headers: { Authorization: "Bearer owner" }, body });
  expect(status).toBe(200);
}

/** The package's rules, and a match of the owner's. */
function rulesBeside(match: string): string {
  const theirs = `rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents { match ${match} }\n}\n`;
  return mergeRules(theirs, ownFile("firestore.rules")).text;
}

/** The package's rules, and a match of the owner's that reaches everything. */
const openBeside = (allowed: string) => rulesBeside(`/{all=**} { ${allowed}; }`);

/** A board with a ranked score, and an admin. */
async function makeWell(): Promise<void> {
  await createBoard(world, "board");
  await world.call("submitScore", { leaderboard: "board", score: 7 }, user("ann"));
  await world.deliver(key, "ann");
  await world.publish(key);
  const granted = { granted_at: Timestamp.now() };
  await saveRole(world.db, "people", await setClaims({ leaderboard_role: "admin" }), granted);
  await saveRole(world.db, "servers", "game@example.com", { role: "submitter", ...granted });
}

/** A new account of the world's project with these claims. */
async function setClaims(claims: object): Promise<string> {
  const app = initializeApp({ projectId: world.projectId }, randomUUID());
  try {
    const { uid } = await getAuth(app).createUser({
      email: `${randomUUID()}@example.com`,
      emailVerified: true,
    });
    await getAuth(app).setCustomUserClaims(uid, claims);
    return uid;
  } finally {
    await deleteApp(app);
  }
}

const ago = (ms: number) => Timestamp.fromMillis(world.services.now() - ms);
const changeSeason = (fields: object) => world.db.doc(seasonPath(key)).update(fields);
const addRun = (fields: { kind: string; outcome: string; [name: string]: unknown }, beganMs = minute) =>
  world.db
    .doc(runPath(key, randomUUID()))
    .set({ started_at: ago(beganMs), finished_at: ago(beganMs), ...fields });

/** Changes of a slot that ended some time ago. */
async function addPending(agoMs: number): Promise<void> {
  const endsAt = ago(agoMs);
  const fields = { slot_ends_at: endsAt, player_count: { "7": 1 }, marks: 1 };
  await world.db.doc(shardPath(key, "waiting", endsAt.toMillis())).set(fields);
}

describe("a database and its accounts", () => {
  test("in which everything is right have no findings, and a bill", async () => {
    await makeWell();
    const report = await look();
    expect(found(report)).toEqual([]);
    const seen = Object.fromEntries(report.seen.map((one) => [one.check, one.seen]));
    expect(seen["admins"]).toMatch(/^1: .*@example\.com$/);
    expect(seen["boards"]).toBe("1: board");
    expect(seen["bill"]).toMatch(/^\$0\.0000 in the last day for 1 run .*: [1-9]\d* reads, [1-9]\d* writes/);
    expect(report.unchecked.every(({ isAbsent }) => isAbsent)).toBe(true);
  });

  test("whose rules refuse what apps read are found, and what they refuse is named", async () => {
    await makeWell();
    const refusing = "function mayRead(leaderboard) { return false;";
    await putRules(
      ownFile("firestore.rules").replace(
        /function mayRead\(leaderboard\) \{/,
        `${refusing} } function was(leaderboard) {`,
      ),
    );
    const report = await look();
    expect(found(report)).toEqual(["rules-refuse", "rules-differ"]);
    const { what } = report.findings.find(({ id }) => id === "rules-refuse") ?? expect.fail();
    expect(what).toBe(
      "Apps may not read seasons, scores_ranking, segments_ranking and top, so they show no ranks.",
    );
  });

  const planted: Record<string, () => Promise<unknown>> = {
    'role-claims-wrong: ("leaderboard_role":1)': () => setClaims({ leaderboard_role: 1 }),
    "board-unreadable: shop cannot be read: order": () =>
      world.db.doc("leaderboards/shop").set({ order: "big" }),
    "board-unreadable: leaderboards/chess has no field of a board's definition": () =>
      world.db.doc("leaderboards/chess").set({ name: "Chess", members: 3 }),
    "schema-unknown: The board shop: A leaderboard is stored with schema_version 99": () =>
      world.db.doc("leaderboards/shop").set({ schema_version: 99 }),
    'time-zone-unknown: mars/all_time, for 0 minutes: The time zone of the board, "Mars/Base", is not known to Node ':
      () => world.db.doc("leaderboards/mars").set({ time_zone: "Mars/Base" }),
    "time-zone-default: of days begin at midnight UTC. Your computer's time zone is Europe/Vienna": () =>
      createBoard(world, "days", { spans: ["daily"] }),
    "collection-fields: Your collection players has achieved_at": () =>
      world.db.doc("players/ann").set({ achieved_at: 1 }),
    "collection-shared: Your collection games/chess/top has the name": () =>
      world.db.doc("games/chess/top/current").set({ wins: 1 }),
    "season-late: board/all_time, for 20 minutes: Changes wait for a run that is overdue": async () => {
      await changeSeason({ next_run_at: ago(6 * minute) });
      await addPending(20 * minute);
    },
    "audit-differs: board/all_time, for 1 minute: An audit found errors: see its record.": async () => {
      await addRun({ kind: "repair", outcome: "done" }, 2 * minute);
      await addRun({ kind: "audit", outcome: "done", repair: "repair" });
    },
    "values-left-out: The segment guild has more values than the 1,000 that are ranked: 2 players are in others.":
      () => changeSeason({ "ranking.left_out": { guild: 2 } }),
    "rules-open: any signed-in player may write leaderboards, seasons, players, scores_ranking, segments_ranking, top,":
      () => putRules(openBeside("allow read, write: if request.auth != null")),
    "rules-open: clients may read what Firerank hides; any signed-in player may read baselines": () =>
      putRules(rulesBeside("/{path=**}/scores_ranking/{page} { allow get: if request.auth != null; }")),
  };
  test.each(Object.entries(planted))("with a planted fault have its finding: %s", async (named, plant) => {
    const [id, ...what] = named.split(": ");
    await makeWell();
    await plant();
    const report = await look();
    expect(found(report)).toEqual([id]);
    expect(report.findings.find((one) => one.id === id)).toMatchObject({
      what: expect.stringContaining(what.join(": ")) as string,
      todo: expect.stringMatching(/./) as string,
    });
  });

  test("say that not all were looked at, where too many seasons are late", async () => {
    await makeWell();
    const writer = world.db.bulkWriter();
    for (let i = 0; i < 100; i++)
      void writer.set(world.db.doc(seasonPath({ leaderboard: "board", season: `cup-${i}` })), {
        next_run_at: ago(6 * minute),
      });
    await writer.close();
    const { unchecked } = await look();
    expect(unchecked.filter(({ isAbsent }) => !isAbsent)).toMatchObject([
      {
        check: "alerts",
        why: expect.stringContaining("There is more than one look reads: the first 1,000 boards,") as string,
      },
    ]);
  });

  test("without anything: nobody is an admin, and there is no board", async () => {
    expect(found(await look())).toEqual(["admin-none", "board-none"]);
  });

  test("have no findings for what was repaired since, or belongs to the owner", async () => {
    await makeWell();
    await addRun({ kind: "ranking", outcome: "failed", error: "passing" });
    await addRun({ kind: "audit", outcome: "done", repair: "repair" }, 3 * minute);
    await addRun({ kind: "repair", outcome: "done" }, 2 * minute);
    await addRun({ kind: "audit", outcome: "failed", error: "passing" }, 5 * minute);
    await world.publish(key);
    await changeSeason({ "ranking.published_at": ago(0) });
    const untilMs = { board: Date.now() + 60 * minute };
    await world.db.doc("leaderboard_erasures/0123").set({ boards_until: untilMs });
    await world.db.doc("seasons/spring").set({ next_run_at: ago(60 * minute), parked: "no_definition" });
    await world.db
      .doc("games/g/runs/r")
      .set({ outcome: "failed", kind: "ranking", started_at: ago(1), finished_at: ago(1) });
    expect(found(await look())).toEqual(["collection-shared"]);
  });
});

describe("the functions of running emulators", () => {
  const ofFunctions = ["functions", "version", "names", "trigger", "queues"];

  test("are well in the project of the emulators", async () => {
    const report = await look({ project: projectId, prefix: "" });
    expect(found(report, ofFunctions)).toEqual([]);
    expect(report.seen.map(({ check }) => check)).toEqual(expect.arrayContaining(ofFunctions));
  });

  test("have no queues in another project", async () => {
    const report = await look({ prefix: "" });
    expect(found(report, ofFunctions)).toEqual(Array.from({ length: 3 }, () => "queue-missing"));
  });

  test("do not run, or without a Tasks emulator", async () => {
    const { functions: _, ...noFunctions } = emulators ?? {};
    expect(found(await look({ emulators: noFunctions }), ofFunctions)).toEqual(["functions-none"]);
    const { tasks: __, ...noTasks } = emulators ?? {};
    expect(found(await look({ emulators: noTasks, prefix: "" }), ofFunctions)).toEqual([
      "tasks-emulator-missing",
    ]);
  });
});

describe("the command", () => {
  const doctor = (...args: string[]) =>
    spawnSync(process.execPath, ["cli/main.ts", "doctor", ...args], { cwd: root, encoding: "utf8" });

  test("checks everything, as JSON too, and ends with 1 if something must be done", async () => {
    const { status, stdout, stderr } = doctor("--project", world.projectId, "--prefix", "", "--json");
    expect(stderr).toContain(`Looking at project ${world.projectId} on the emulator`);
    const report = JSON.parse(stdout) as Report;
    expect(report.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["queue-missing", "admin-none"]),
    );
    const looked = [...report.seen, ...report.unchecked, ...report.findings].map(({ check }) => check);
    expect([...new Set(looked)].sort()).toEqual(checks.map(({ name }) => name).sort());
    expect(status).toBe(1);
  });
});

test("a ranking that lacks a player for a minute has that finding", async () => {
  world = lacking;
  const expected: string[] = ["players-uncounted"];
  let report: Report | undefined;
  const ids = async () => found((report = await look()));
  await expect.poll(ids, { timeout: 2 * minute, interval: 1_000 }).toEqual(expected);
  const { what, todo } = report?.findings.find(({ id }) => expected.includes(id)) ?? expect.fail();
  expect(what).toContain("board/all_time, for 60 minutes: The ranking lacks 1 player");
  expect(todo).toContain(`repair board --season all_time --project ${world.projectId}`);
});

afterAll(() => world.db.terminate());
