/* eslint-disable max-lines -- one server that answers as Google does serves all findings */
/**
 * The checks of a real project, against a server that answers as Google's APIs do. Each finding that they can make is
 * planted here; test/emulator/cli/doctor.slow.test.ts has those that emulators can hold.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BoardKind } from "../init/enterprise-indexes.ts";
import { alertCodes } from "../../functions/src/jobs/alerts.ts";
import { neededRoles } from "../../functions/src/model/needed-roles.ts";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { mergeRules } from "../init/merge-rules.ts";
import { ownFile } from "../init/package.ts";
import {
  account,
  allFunctions,
  allJobs,
  allQueues,
  type Changes,
  denied,
  disabled,
  enterpriseIndexAnswers,
  fieldAnswers,
  functionAnswer,
  type Google,
  nowMs,
  pageAnswer,
  policyWith,
  project,
  region,
  rulesAnswer,
  type RulesCase,
  rulesTested,
  startGoogle,
} from "../testing/google.ts";
import { projectOf } from "../testing/project.ts";
import { createApi } from "./api.ts";
import { checks, examine } from "./examine.ts";
import { type Check, createPatient, type PatientOptions } from "./patient.ts";
import { reportText } from "./report.ts";
import { alerts, bill, boards, collections } from "./checks/boards.ts";
import { tableNamed } from "../../test/support/markdown.ts";
import { root } from "../../scripts/project.ts";

/** Those that read documents, which this server has none of. */
const ofDocuments: readonly Check[] = [boards, collections, alerts, bill];
const ofGoogle = checks.filter((check) => !ofDocuments.includes(check));
/** Without the one that looks at files. */
const asking = ofGoogle.filter(({ name }) => name !== "codebase");

let google: Google;
beforeEach(async () => {
  google = await startGoogle();
});
afterEach(() => google.close());

const folderOf = (files: Record<string, string>) => projectOf({ "firebase.json": "{}", ...files });

/** The files of a project with a codebase that has Firerank's functions. */
const healthyFiles = {
  ".firebaserc": JSON.stringify({ projects: { default: project, staging: "my-game-staging" } }),
  "firebase.json": '{"functions": {"source": "functions"}}',
  "functions/package.json": '{"dependencies": {"firerank": "file:x.tgz"}, "engines": {"node": "24"}}',
  "functions/index.js": 'export * from "firerank";',
};
const healthyFolder = folderOf(healthyFiles);

/** A database that answers nothing. */
const db = new Proxy(new Firestore({ projectId: project }), {
  get: () => () => {
    throw new Error("14 UNAVAILABLE: no connection");
  },
});

function patient(more: Partial<PatientOptions> = {}) {
  return createPatient({
    project,
    database: "(default)",
    api: google.api,
    db,
    now: () => nowMs,
    timeZone: "Europe/Vienna",
    folder: healthyFolder,
    ...more,
  });
}

/** What all of these checks find together. */
async function look(more: Partial<PatientOptions> = {}, which: readonly Check[] = ofGoogle) {
  const { findings: found, unchecked } = await examine(patient(more), { which });
  return { found, ids: found.map(({ id }) => id), unchecked };
}
const well = { found: [], ids: [], unchecked: [] };

test("a healthy project has no findings, and nothing that could not be checked", async () => {
  expect(await look()).toEqual(well);
});

const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
const admin = '{"leaderboard_role":"admin"}';
const ownRules = ownFile("firestore.rules");
const ownRoles = neededRoles.filter((role) => !role.includes("iam."));
const variables = "serviceConfig/environmentVariables";
const triggerOn = (value: string) => ({ "functions/indexPlayer/eventTrigger/eventFilters/0/value": value });
const withoutTrigger = {
  "functions/indexPlayer": undefined,
  [`functions/*/${variables}/DIRECT_WRITES`]: "false",
};
const appCheckOff = { [`functions/*/${variables}/ENFORCE_APP_CHECK`]: "false" };
/** Rules as `init` writes them beside a match of the owner's, in line 3. */
const rulesWith = (match: string) => {
  // `init` refuses a match for leaderboards.
  const theirs = `rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents {\n    match ${match.replace("leaderboards", "elsewhere")}\n} }\n`;
  return rulesAnswer(mergeRules(theirs, ownRules).text.replace("elsewhere", "leaderboards"));
};
const tried = (isOtherwise: (method: string, path: string, expectation: string) => boolean) =>
  rulesTested(({ expectation, request: { method, path } }) => isOtherwise(method, path, expectation));
const ttl = "fields/runs.run_record_expires_at/ttlConfig";
const firstIndex = "players: status ascending, score descending, achieved_at ascending";
const refusedApps =
  "so the calls of their players are refused, and what they read from Firestore is refused:";

const planted: Record<string, Changes> = {
  "database-missing: no database (default)": { database: undefined },
  "database-mode: Datastore mode": { "database/type": "DATASTORE_MODE" },
  "functions-none: None of Firerank's functions": { functions: {} },
  "functions-missing: Not deployed: refreshTop.": { "functions/refreshTop": undefined },
  "functions-failed: getRank (FAILED)": { "functions/getRank/state": "FAILED" },
  "regions-several: several regions: europe-west1, us-central1": {
    "functions/old": {
      ...functionAnswer("getRank", "callable"),
      name: "p/p/l/us-central1/functions/getRank",
    },
  },
  "function-foreign: it belongs to the codebase default": {
    "functions/getTop": functionAnswer("getTop", "callable", "default"),
  },
  'function-foreign: getTop in europe-west1 is not Firerank\'s: it is of the kind "request"': {
    "functions/getTop": functionAnswer("getTop", "request"),
  },
  "trigger-database: listens to the database scores": triggerOn("scores"),
  "trigger-unneeded: indexPlayer is deployed, and DIRECT_WRITES is false for submitScore": {
    [`functions/submitScore/${variables}/DIRECT_WRITES`]: "false",
  },
  "trigger-left-out: Nobody follows what servers of yours write": withoutTrigger,
  "trigger-later: indexPlayer is there since 2026-11-20T09:00:00Z, and rankSeasons since 2026-11-01": {
    "functions/indexPlayer/createTime": "2026-11-20T09:00:00Z",
  },
  "functions-database: indexPlayer listens to the database (default), and submitScore use games": {
    [`functions/submitScore/${variables}/DATABASE`]: "games",
  },
  "version-differs: are of 0.0.9 (getRank)": { "functions/getRank/labels/firerank": "0-0-9" },
  "version-differs: and the functions are of an older version without a label (all functions)": {
    "functions/*/labels/firerank": undefined,
  },
  "trigger-no-retry: is not retried": {
    "functions/indexPlayer/eventTrigger/retryPolicy": "RETRY_POLICY_DO_NOT_RETRY",
  },
  "runtime-old: getRank (nodejs20)": { "functions/getRank/buildConfig/runtime": "nodejs20" },
  "queue-missing: no queue stepSeason": { "queues/stepSeason": undefined },
  "queue-stopped: is paused": { "queues/stepSeason/state": "PAUSED" },
  "queue-limits: allows 1 tasks at once, and Firerank asks for 100": {
    "queues/stepSeason/rateLimits/maxConcurrentDispatches": 1,
  },
  "queue-limits: allows 0.5 tasks a second, and Firerank asks for 500": {
    "queues/stepSeason/rateLimits/maxDispatchesPerSecond": 0.5,
  },
  "queue-limits: allows 1 attempts": { "queues/stepSeason/retryConfig/maxAttempts": 1 },
  "tasks-waiting: 2 tasks of stepSeason": {
    "tasks of stepSeason": [16, 600, 1].map((minutes) => ({ scheduleTime: ago(minutes) })),
  },
  "tasks-failing: failed at the last attempt, the first with status 7 denied": {
    "tasks of refreshTop": [{ lastAttempt: { responseStatus: { code: 7, message: "denied" } } }],
  },
  "schedule-missing: has no job": { "jobs/rankSeasons": undefined },
  "schedule-stopped: is paused": { "jobs/rankSeasons/state": "PAUSED" },
  "schedule-silent: last started 11 minutes ago": { "jobs/rankSeasons/lastAttemptTime": ago(11) },
  "schedule-silent: was never started, and its job is 11 minutes old": {
    "jobs/rankSeasons/lastAttemptTime": undefined,
    "jobs/rankSeasons/userUpdateTime": ago(11),
  },
  "schedule-failing: failed with status 13 (INTERNAL)": {
    "jobs/rankSeasons/status": { code: 13, message: "INTERNAL" },
  },
  [`role-missing: ${account} lacks roles/datastore.user, roles/cloudtasks.enqueuer.`]: {
    policy: policyWith(...neededRoles.slice(2)),
  },
  "role-missing: Unless projects/my-game/roles/games holds what is missing": {
    policy: policyWith("roles/editor", "roles/run.invoker", "projects/my-game/roles/games"),
  },
  // It manages accounts, and may not act as them.
  [`role-missing: ${account} lacks roles/iam.serviceAccountUser.`]: {
    policy: policyWith(...ownRoles, "roles/iam.serviceAccountAdmin"),
  },
  [`app-check-unset: ${refusedApps} Game for iOS.`]: { appAttest: undefined },
  [`app-check-unset: ${refusedApps} Game for Android.`]: { "sha/0/certType": "SHA_1" },
  [`app-check-unset: ${refusedApps} Game.`]: { enterprise: { tokenTtl: "3600s" }, third: { tokenTtl: "1s" } },
  "app-check-unset: no provider, so what they read from Firestore is refused: Game for iOS.": {
    ...appCheckOff,
    appAttest: undefined,
  },
  "app-check-dashboard: the dashboard has no key for them, so it is refused everything: my-game-ranks.web.app.":
    { dashboard: pageAnswer('<meta http-equiv="Content-Security-Policy" content="script-src">') },
  "app-check-off: Calls of leaderboardApi need no App Check token": {
    [`functions/leaderboardApi/${variables}/ENFORCE_APP_CHECK`]: "false",
  },
  'parameter-wrong: Deployed (getRank): ENFORCE_APP_CHECK is "TRUE". It takes true or false.': {
    [`functions/getRank/${variables}/ENFORCE_APP_CHECK`]: "TRUE",
  },
  "parameter-wrong: Deployed: MAX_INSTANCES has nothing after =.": {
    [`functions/getRank/${variables}/MAX_INSTANCES`]: "",
  },
  "region-far: on another continent": { "database/locationId": "nam5" },
  "region-apart: the database is in europe-west3": { "database/locationId": "europe-west3" },
  [`index-missing: Not deployed: ${firstIndex}.`]: { "indexes/0": undefined },
  "index-broken: could not build": { "indexes/0/state": "NEEDS_REPAIR" },
  "index-building: Still being built": { "indexes/0/state": "CREATING" },
  // The same fields with the id the other way round, which no query of Firerank takes.
  [`index-missing: ${firstIndex}`]: { "indexes/0/fields/3/order": "DESCENDING" },
  "exemption-building: Still being built: seasons.next_run_at": {
    "fields/seasons.next_run_at/indexConfig/indexes/*/state": "CREATING",
  },
  "index-broken: runs.run_record_expires_at (TTL)": { [ttl]: { state: "NEEDS_REPAIR" } },
  "exemption-missing: players.submission_ids": { "fields/players.submission_ids": undefined },
  "exemption-lacks: seasons.next_run_at": { "fields/seasons.next_run_at/indexConfig": {} },
  "exemption-wider: players.achieved_at": {
    "fields/players.achieved_at/indexConfig/indexes": [
      { queryScope: "COLLECTION", fields: [{ fieldPath: "achieved_at", order: "ASCENDING" }] },
    ],
  },
  "ttl-missing: runs.run_record_expires_at": { [ttl]: undefined },
  "ttl-other: runs by expires_at in place of run_record_expires_at": {
    [ttl]: undefined,
    "fields/runs.expires_at": {
      name: `projects/${project}/databases/(default)/collectionGroups/runs/fields/expires_at`,
      indexConfig: { usesAncestorConfig: true },
      ttlConfig: { state: "ACTIVE" },
    },
  },
  "rules-missing: no part for Firerank": { release: undefined },
  "rules-differ: not those of this package": {
    ruleset: rulesAnswer(ownRules.replace("readsAtMost(100)", "readsAtMost(1000)")),
  },
  "rules-open: by the match in line 3, clients may write scores": {
    ruleset: rulesWith("/leaderboards/{all=**} { allow write; }"),
  },
  "rules-open: by the match in line 3, clients may read what Firerank hides": {
    ruleset: rulesWith("/{all=**} { allow read; }"),
  },
  "rules-open: any signed-in player may write players and scores_ranking": {
    rulesTest: tried(
      (method, path, should) =>
        should === "DENY" &&
        method === "update" &&
        /\/seasons\/[^/]+\/(players|scores_ranking)\/[^/]+$/.test(path),
    ),
  },
  "rules-open: any signed-in player may read runs": {
    rulesTest: tried((method, path) => method === "get" && path.includes("/runs/")),
  },
  "rules-open: any signed-in player may read baselines": {
    rulesTest: tried((method, path) => method === "get" && path.includes("/baselines/")),
  },
  "rules-refuse: Apps may not read scores_ranking and top": {
    rulesTest: tried((_, path, should) => should === "ALLOW" && /\/(scores_ranking|top)\//.test(path)),
  },
  "callers-refused: Nobody without a role may call getRank, so": {
    "invokers of getRank/bindings/0/members": ["domain:example.com"],
  },
  "admin-none: None of 1 accounts": { "users/ann": undefined },
  "admin-none: None of 2 accounts can sign in and has the role": { "users/ann/disabled": true },
  'role-claims-wrong: eve ("leaderboard_role":"owner")': {
    "users/eve": { localId: "eve", customAttributes: '{"leaderboard_role":"owner"}' },
  },
  "admin-unverified: ann@example.com": {
    "users/ann": { localId: "a1", email: "ann@example.com", customAttributes: admin },
  },
};

describe("each planted fault is found, and says what to do", () => {
  const follows: Partial<Record<string, string[]>> = {
    // Only the trigger is elsewhere.
    "trigger-database": ["functions-database"],
    // An app without a provider is refused by Firestore alone, where the calls ask for nothing.
    "app-check-unset": ["app-check-off"],
  };

  test.each(Object.entries(planted))("%s, and nothing else with it", async (named, changes) => {
    const [id = "", ...what] = named.split(": ");
    google.set(changes);
    const { found, ids } = await look();
    const [first] = found.filter((one) => one.id === id);
    expect(first?.what).toContain(what.join(": "));
    expect(first?.todo).not.toBe("");
    expect(ids.filter((one) => one !== id && follows[id]?.includes(one) !== true)).toEqual([]);
  });

  test("a prefix and a region that are not those of the functions", async () => {
    const { found } = await look({ prefix: "ranks" });
    expect(found).toMatchObject([
      { id: "prefix-differs", what: expect.stringContaining("no prefix") as string },
    ]);
    // The region of all functions is another one then.
    const { ids } = await look({ region: "us-east1" });
    expect(new Set(ids)).toEqual(
      new Set(["region-differs", "queue-missing", "schedule-missing", "region-far"]),
    );
  });

  test("functions that are missing are deployed with the codebase that the others belong to", async () => {
    google.set({ functions: allFunctions({ codebase: "game" }), "functions/refreshTop": undefined });
    const todo = "npx firebase deploy --only functions:game --project my-game";
    expect((await look()).found).toMatchObject([{ id: "functions-missing", todo }]);
  });

  test("and every finding of docs/doctor.md is planted here or on the emulators", () => {
    const there = readFileSync(join(root, "test/emulator/cli/doctor.slow.test.ts"), "utf8");
    const here = Object.keys(planted).flatMap((named) => named.split(": ")[0] ?? []);
    const elsewhere = [
      ...alertCodes.map((code) => code.replaceAll("_", "-")),
      "index-unused",
      "codebase-unfit",
      "parameter-differs",
      "parameter-twice",
      "parameter-unknown",
      "template-names",
      "template-refuses",
      "time-zone-rules",
      "prefix-differs",
      "rules-off",
      "region-differs",
    ];
    const all = tableNamed("docs/doctor.md", "finding").rows.flatMap(([id]) => id ?? []);
    expect(
      all.filter((id) => ![...here, ...elsewhere].includes(id) && !new RegExp(`["'\`]${id}\\b`).test(there)),
    ).toEqual([]);
  });
});

describe("what is well in another way has no finding either", () => {
  test("without the trigger, the functions' own variable tells the database", async () => {
    google.set({ ...withoutTrigger, [`functions/*/${variables}/DATABASE`]: "games" });
    const { found } = await look();
    const repair = expect.stringContaining("npx --no-install firerank repair <board>") as string;
    const what = expect.stringContaining("use the database games") as string;
    expect(found).toMatchObject([
      { id: "trigger-database", what },
      { id: "trigger-left-out", todo: repair },
    ]);
  });

  test("rules as `init` writes them, beside the owner's", async () => {
    google.set({ ruleset: rulesWith("/games/{g} { allow read; }") });
    expect((await look()).ids).toEqual([]);
  });

  test("rules are tried as one signed-in player, who owns nothing but one document", async () => {
    await look();
    const { body } = google.asked.find(({ path }) => path.endsWith(":test")) ?? expect.fail();
    const { source, testSuite } = body as {
      source: { files: { content: string }[] };
      testSuite: { testCases: RulesCase[] };
    };
    expect(source.files.map(({ content }) => content)).toEqual([ownRules]);
    const of = (player: string) =>
      testSuite.testCases.filter(({ request: { path } }) => path.endsWith(`/players/${player}`));
    const [{ request } = expect.fail()] = testSuite.testCases;
    const said = (one: RulesCase) => `${one.expectation} ${one.request.method}`;
    const writes = ["create", "update", "delete"].map((method) => `DENY ${method}`);
    expect(of(request.auth.uid).map(said).toSorted()).toEqual(["ALLOW get", ...writes].toSorted());
    expect(of("somebody-else").map(said).toSorted()).toEqual([...writes, "DENY get"].toSorted());
  });

  test("an account that may act as itself by its own policy, and has the roles one by one", async () => {
    google.set({ policy: policyWith(...ownRoles) });
    expect((await look()).ids).toEqual(["role-missing"]);
    google.set({ accountPolicy: policyWith("roles/iam.serviceAccountUser") });
    expect((await look()).ids).toEqual([]);
  });

  test("a service whose caller is not checked needs nobody in its policy", async () => {
    google.set({ "invokers of getRank": {} });
    expect((await look()).ids).toEqual(["callers-refused"]);
    google.set({ "service of getRank": { invokerIamDisabled: true } });
    expect((await look()).ids).toEqual([]);
  });

  test("functions with a prefix, found without its being named", async () => {
    google.set({
      functions: allFunctions({ inFront: "ranks-" }),
      "functions/theirs": functionAnswer("getTop", "request", "default"),
      queues: allQueues("ranks-"),
      jobs: allJobs("ranks-"),
    });
    expect(await look()).toEqual(well);
  });

  test("of two installations the one that listens to the database", async () => {
    const others = Object.entries(allFunctions({ inFront: "ranks-", codebase: "ranks" }));
    const second = Object.fromEntries(others.map(([name, one]) => [`${name} 2`, one])) as object;
    const on = (database: string) => ({
      "functions/indexPlayer 2/eventTrigger/eventFilters/0/value": database,
      [`functions/rankSeasons 2/${variables}/DATABASE`]: database,
    });
    google.set({ functions: { ...allFunctions(), ...second }, ...on("ranks") });
    expect(await look()).toEqual(well);
    google.set(on("(default)"));
    await expect(examine(patient())).rejects.toThrow('with the prefixes "", ranks. Name one with --prefix');
  });

  test("a site is asked for its page without the credentials", async () => {
    await look();
    const asked = google.asked.filter(({ path }) => path.includes(".web.app"));
    expect(asked.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined]);
  });

  test("lists of several pages", async () => {
    const [first, ...others] = Object.values(allFunctions());
    const ann = { localId: "a1", customAttributes: admin };
    const pageOf = (body: object) => ({ status: 200, body });
    google.set({
      functions: pageOf({ functions: [first], nextPageToken: "more & more" }),
      "functions#more & more": pageOf({ functions: others }),
      users: pageOf({ users: [{ localId: "b2" }], nextPageToken: "next" }),
      "users#next": pageOf({ users: [ann] }),
    });
    expect(await look()).toEqual(well);
  });
});

describe("on the Enterprise edition the boards decide which indexes there should be", () => {
  const usual = { order: "descending", ties: "first" } as const;
  const lowest = { ...usual, order: "ascending" } as const;

  async function lookAt(kinds: readonly BoardKind[], deployed: readonly BoardKind[], more: object) {
    const expiring = Object.entries(fieldAnswers()).filter(([, one]) => one.ttlConfig !== undefined);
    google.set({
      "database/databaseEdition": "ENTERPRISE",
      indexes: { ...enterpriseIndexAnswers(deployed), ...more },
      fields: Object.fromEntries(expiring),
    });
    const [indexes = expect.fail()] = ofGoogle.filter(({ name }) => name === "indexes");
    const asked = { ...patient(), boardKinds: () => Promise.resolve([...kinds]) };
    return examine(asked, { which: [indexes] });
  }

  const first = Object.values(enterpriseIndexAnswers([usual]))[0];
  test.each([
    ["of all boards are well", [usual, lowest], [usual, lowest], {}, "", ""],
    [
      "of a board that came later are missing",
      [usual, lowest],
      [usual],
      {},
      "index-missing",
      "score ascending",
    ],
    ["of a board that is gone only cost", [lowest], [usual, lowest], {}, "index-unused", "score descending"],
    [
      "without all documents are missing",
      [usual],
      [usual],
      { 0: { ...first, density: "SPARSE_ANY" } },
      "index-missing",
      "",
    ],
  ])("those %s", async (_, kinds, deployed, more, id, index) => {
    const { seen, findings } = await lookAt(kinds, deployed, more);
    expect(seen[0]?.seen).toContain("of the enterprise edition");
    expect(findings.map((one) => one.id)).toEqual([id].filter(Boolean));
    for (const { what, todo } of findings) {
      expect(what).toContain(index);
      expect(todo).toContain("npx --no-install firerank indexes --edition enterprise --project my-game");
    }
  });
});

describe("the files of a project", () => {
  const file = JSON.parse(ownFile("firestore.indexes.json")) as {
    indexes: object[];
    fieldOverrides: { collectionGroup: string; fieldPath: string; ttl?: boolean }[];
  };
  /** What is found on emulators with this file of indexes. */
  const onEmulators = (indexes: object) =>
    look(
      { emulators: {}, folder: folderOf({ "firestore.indexes.json": JSON.stringify(indexes) }) },
      checks.filter(({ name }) => name === "indexes"),
    );

  test("on emulators, a file with all indexes is well, and without a firebase.json there is nothing to look at", async () => {
    expect(await onEmulators(file)).toEqual(well);
    expect(await onEmulators({ ...file, indexes: [...file.indexes].reverse() })).toEqual(well);
    const { unchecked } = await look({ emulators: {}, folder: tmpdir() });
    expect(unchecked.filter(({ check }) => ["codebase", "indexes"].includes(check))).toEqual(
      ["codebase", "indexes"].map((check) => expect.objectContaining({ check, isAbsent: true }) as unknown),
    );
  });

  test("on emulators, the indexes, exemptions and policies that the file lacks are named", async () => {
    const [, ...others] = file.indexes;
    const fieldOverrides = file.fieldOverrides.filter(
      ({ fieldPath, ttl }) => ttl !== true && fieldPath !== "entrants",
    );
    const { ids, found } = await onEmulators({ indexes: others, fieldOverrides });
    expect(new Set(ids)).toEqual(new Set(["index-missing", "exemption-missing", "ttl-missing"]));
    for (const { todo } of found)
      expect(todo).toBe("npx --no-install firerank init, which merges firestore.indexes.json");
    expect(found.find(({ id }) => id === "exemption-missing")?.what).toContain("events.entrants");
  });

  const unfitKit = {
    "firebase.json":
      '{"functions": {"source": "ranks", "kit": "ranks", "instances": {"a": "c/a", "b": "c/b"}}}',
    "ranks/package.json": '{"dependencies": {"firerank": "file:../x.tgz"}, "engines": {"node": "20"}}',
    "ranks/index.js": 'export * from "firerank";',
  };

  test("whose own codebase has Firerank's functions, and would not load them, are found, once for all instances of a kit: codebase-unfit", async () => {
    expect((await look({ folder: folderOf(unfitKit) })).found).toMatchObject([
      { id: "codebase-unfit", todo: "Copy the file into ranks/, and run `npm install ./<file>` there." },
      { id: "codebase-unfit", todo: 'Write "runtime": "nodejs24" into its entry of firebase.json.' },
    ]);
  });

  /** What is found of parameters, with these files beside a codebase whose functions the project has. */
  const withFiles = async (files: Record<string, string>) => {
    google.set({ functions: allFunctions({ codebase: "default" }) });
    return (await look({ folder: folderOf({ ...files, ...healthyFiles }) })).found;
  };

  test.each([
    [
      ".env",
      "ENFORCE_APP_CHECK=TRUE",
      'functions/.env: ENFORCE_APP_CHECK is "TRUE". It takes true or false.',
    ],
    [".env.my-game", "MAX_INSTANCES=20 max", 'functions/.env.my-game: MAX_INSTANCES is "20 max".'],
    [".env.default", "DIRECT_WRITES=", "functions/.env.default: DIRECT_WRITES has nothing after =."],
  ])("with a line in %s that is no value, %s, name it: parameter-wrong", async (name, line, what) => {
    expect(await withFiles({ [`functions/${name}`]: `${line}\n` })).toMatchObject([
      { id: "parameter-wrong", what: expect.stringContaining(what) as string },
    ]);
  });

  test("with a line that the Firebase CLI does not take, or two that differ: parameter-wrong, parameter-twice", async () => {
    const lines = [
      "ENFORCE_APP_CHECK: TRUE",
      "region=us-central1",
      "REGION=europe-west1",
      "REGION=us-central1",
    ];
    google.set({ functions: allFunctions({ codebase: "default" }) });
    const folder = folderOf({ ...healthyFiles, "functions/.env": `# ours\n${lines.join("\n")}\nhello\n` });
    const { findings, seen } = await examine(patient({ folder }), { which: ofGoogle });
    const loadsNothing = "the Firebase CLI does not take this line, and loads nothing of the file.";
    const region = "Write REGION= and its value: the region of your database";
    expect(findings).toMatchObject([
      {
        id: "parameter-wrong",
        what: `functions/.env, line 2: ${loadsNothing} Write ENFORCE_APP_CHECK= and its value: true or false.`,
      },
      {
        id: "parameter-wrong",
        what: expect.stringContaining(`functions/.env, line 3: ${loadsNothing} ${region}`) as string,
      },
      {
        id: "parameter-wrong",
        what: `functions/.env, line 6: ${loadsNothing} Write it as NAME=value, the name in capital letters, or put # before it.`,
      },
      {
        id: "parameter-twice",
        what: "functions/.env: line 4 says REGION=europe-west1, and line 5 says REGION=us-central1. The last line counts. Keep the one that is right.",
      },
    ]);
    expect(seen).toContainEqual({ check: "parameters", seen: "compared with functions/.env" });
  });

  test("with a name that is nearly a parameter's: parameter-unknown", async () => {
    expect(await withFiles({ "functions/.env": "MAX_INSTANCE=3\n" })).toMatchObject([
      {
        id: "parameter-unknown",
        what: "functions/.env, line 1: Firerank has no parameter MAX_INSTANCE. Did you mean MAX_INSTANCES?",
      },
    ]);
  });

  test("of the project's id and of an alias, which the Firebase CLI does not load together: parameter-wrong", async () => {
    const both = { "functions/.env.my-game": "", "functions/.env.default": "REGION=us-central1\n" };
    expect(await withFiles(both)).toMatchObject([
      {
        id: "parameter-wrong",
        what: "functions/.env.my-game and functions/.env.default are both for the project my-game, and the Firebase CLI refuses to load them together.",
        todo: "Put all lines into functions/.env.my-game, and delete functions/.env.default.",
      },
    ]);
    expect(await withFiles({ "functions/.env": "", "functions/.env.my-game": "" })).toEqual([]);
  });

  test("of the emulators are mended by a restart: there is nothing to deploy", async () => {
    const folder = folderOf({
      ...healthyFiles,
      "functions/.env": "DIRECT_WRITES=TRUE\n",
      "firebase.json": '{"functions": {"source": "functions", "codebase": "firerank"}}',
    });
    const { found } = await look({ folder, emulators: {} });
    const wrong = found.filter(({ id }) => id === "parameter-wrong");
    expect(wrong).toMatchObject([{ todo: expect.stringContaining("start them again") as string }]);
    expect(JSON.stringify(wrong)).not.toContain("firebase deploy");
  });

  test("in .env.local are read on the emulators alone, which no deployment reads: parameter-wrong", async () => {
    const line = { "functions/.env.local": "DIRECT_WRITES=no\n" };
    expect(await withFiles(line)).toEqual([]);
    const folder = folderOf({
      ...healthyFiles,
      ...line,
      "firebase.json": '{"functions": {"source": "functions", "codebase": "firerank"}}',
    });
    const { found } = await look({ folder, emulators: {} });
    expect(found.filter(({ id }) => id === "parameter-wrong")).toMatchObject([
      { what: 'functions/.env.local: DIRECT_WRITES is "no". It takes true or false.' },
    ]);
  });

  test("that the functions were not deployed with are compared with them: parameter-differs", async () => {
    const files = {
      "functions/.env": "\uFEFFENFORCE_APP_CHECK=false\n",
      "functions/.env.other": "DIRECT_WRITES=false\n",
    };
    const what = "functions/.env says ENFORCE_APP_CHECK=false, and";
    expect(await withFiles(files)).toMatchObject([
      { id: "parameter-differs", what: expect.stringContaining(what) as string },
    ]);
    // What is said for the project replaces what is said for all.
    expect(await withFiles({ ...files, "functions/.env.my-game": "ENFORCE_APP_CHECK=true\n" })).toEqual([]);
  });

  test("of another project say nothing about this one", async () => {
    const folder = folderOf({ ...unfitKit, ".firebaserc": '{"projects": {"default": "shop"}}' });
    const { ids, unchecked } = await look({ folder });
    expect(ids).toEqual([]);
    const why = `${folder} is the folder of another project: its .firebaserc names shop.`;
    expect(unchecked).toMatchObject([
      { check: "codebase", why, isAbsent: true },
      { check: "parameters", why, isAbsent: true },
    ]);
    expect((await look({ folder, emulators: {} })).ids).toContain("codebase-unfit");
  });

  test.each([
    [{ "firebase.json": "{" }, "firebase.json is no JSON"],
    [{ "firebase.json": '{"firestore": 7}' }, "firebase.json: "],
    [{ ".firebaserc": "{" }, ".firebaserc is no JSON"],
  ])("that are not understood leave the other checks as they are: %j", async (files, why) => {
    google.set({ users: {} });
    const report = await examine(patient({ folder: folderOf(files) }));
    expect(report.findings.map(({ id }) => id)).toEqual(["admin-none"]);
    const { why: said, isAbsent } =
      report.unchecked.find(({ check }) => check === "codebase") ?? expect.fail();
    expect(said).toContain(why);
    expect(isAbsent).toBe(false);
  });

  test("a file of indexes that is not understood is named", async () => {
    const { unchecked } = await onEmulators([]);
    expect(unchecked).toMatchObject([{ why: "firestore.indexes.json is no JSON object." }]);
  });
});

describe("what cannot be checked is said, and is never well", () => {
  test("credentials that may nothing", async () => {
    google.set({ "*": denied });
    const { found, unchecked } = await look();
    expect(found).toEqual([]);
    expect(unchecked.map(({ check }) => check)).toEqual(asking.map(({ name }) => name));
    for (const { why, byHand } of unchecked) {
      expect(why).toMatch(
        /Your credentials may not ask \w+\.googleapis\.com: The caller does not have permission/,
      );
      expect(byHand).not.toBe("");
    }
  });

  const isOff = (service: string) => `The API ${service} is off in project my-game.`;
  const listOf = (more: object) => ({
    functions: { status: 200, body: { functions: Object.values(allFunctions()), ...more } },
  });
  const unset = { ...appCheckOff, appAttest: undefined };
  const off = "app-check-off";
  const changed = rulesAnswer(ownRules.replace("'public'", "'secret'"));
  /** By why: what is answered, the first check that could not look, and what is found all the same. */
  const unasked: Record<string, [Changes, check: string, ids?: string[]]> = {
    "is not complete, as it could not reach us-east1": [listOf({ unreachable: ["us-east1"] }), "functions"],
    "ended before its last page": [listOf({ nextPageToken: "more" }), "functions"],
    [isOff("cloudtasks.googleapis.com")]: [{ queues: disabled }, "queues"],
    [isOff("firebaseappcheck.googleapis.com")]: [{ ...unset, enforcement: disabled }, "app check", [off]],
    [isOff("firebasehosting.googleapis.com")]: [
      { ...unset, sites: disabled },
      "app check",
      ["app-check-unset", off],
    ],
    [isOff("firebase.googleapis.com")]: [{ ...unset, webApps: disabled }, "app check", [off]],
    "answered with HTTP 503: upstream": [{ release: { status: 503, body: "upstream" } }, "rules"],
    "did not answer with JSON": [{ release: { status: 200, body: "<html>" } }, "rules"],
    "in a form that this version does not know (rulesetName: ": [{ release: { rulesetName: 7 } }, "rules"],
    "may not ask firebaserules": [{ rulesTest: denied, ruleset: changed }, "rules", ["rules-differ"]],
    "tested 0 of ": [{ rulesTest: { issues: [{ severity: "ERROR" }] } }, "rules"],
  };
  test.each(Object.entries(unasked))("%s", async (why, [changes, check, expected = []]) => {
    google.set(changes);
    const { ids, unchecked } = await look();
    expect(ids).toEqual(expected);
    const [first = expect.fail()] = unchecked;
    expect(first.check).toBe(check);
    expect(first.why).toContain(why);
    const [, service] = /^The API (\S+) is off/.exec(why) ?? [];
    const enable = `gcloud services enable ${service ?? ""} --project my-game, and run the command again`;
    if (service !== undefined) expect(first.byHand).toBe(enable);
    if (check !== "functions") expect(unchecked).toHaveLength(1);
  });

  test("a network without Google", async () => {
    const token = () => Promise.resolve("x");
    const api = createApi({ project, token, addressOf: () => "http://127.0.0.1:1" });
    const { found, unchecked } = await look({ api });
    expect(found).toEqual([]);
    expect(unchecked).toHaveLength(asking.length);
    expect(unchecked[0]?.why).toContain("127.0.0.1:1 could not be asked");
  });

  test("a person's credentials, which need a quota project, are asked again with one", async () => {
    const body = {
      error: { code: 403, message: "The API requires a quota project, which is not set by default." },
    };
    google.set({ release: { status: 403, body } });
    await look();
    const asked = google.asked.filter(({ path }) => path.endsWith("/releases/cloud.firestore"));
    expect(asked.map(({ headers }) => headers["x-goog-user-project"])).toEqual([undefined, project]);
  });

  test("and the report has it all, with the gravest first", async () => {
    google.set({ "queues/stepSeason/state": "PAUSED", users: {}, jobs: denied });
    const report = await examine(patient());
    expect(report.isWell).toBe(false);
    expect(report.findings.map(({ gravity, id }) => [gravity, id])).toEqual([
      ["fault", "queue-stopped"],
      ["danger", "admin-none"],
    ]);
    expect(report.unchecked.map(({ check }) => check)).toEqual([
      "schedules",
      ...ofDocuments.map(({ name }) => name),
    ]);
    const text = reportText(report);
    expect(text).toMatch(/^FAULT {2}queue-stopped\n {2}what {3}The queue stepSeason is paused/);
    expect(text).toContain(
      `  do     gcloud tasks queues resume stepSeason --location ${region} --project my-game`,
    );
    expect(text).toContain("  schedules    Your credentials may not ask cloudscheduler.googleapis.com");
    expect(text).toMatch(/1 fault, 1 danger, 5 checks to be made by hand\.$/);
  });
});
