/* eslint-disable max-lines -- one server that answers as Google does serves all findings */
/**
 * The checks of a real project, against a server that answers as Google's APIs do. Each finding that they can make is
 * planted here; test/all/emulator/cli/doctor.test.ts has those that emulators can hold.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BoardKind } from "../init/enterprise-indexes.ts";
import * as exported from "../../functions/src/index.ts";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { mergeRules } from "../init/merge-rules.ts";
import { ownFile } from "../init/package.ts";
import {
  allFunctions,
  allJobs,
  allQueues,
  denied,
  disabled,
  enterpriseIndexAnswers,
  fieldAnswers,
  functionAnswer,
  type Google,
  nowMs,
  paths,
  policyWith,
  project,
  region,
  type RulesCase,
  startGoogle,
} from "../testing/google.ts";
import {
  accountsAre,
  appCheckOff,
  type Answers,
  changedQueue,
  functionsAre,
  ownRoles,
  planted,
  queuesAre,
  rolesAre,
  rulesAre,
  trigger,
  variables,
  withoutTrigger,
} from "../testing/planted.ts";
import { projectOf } from "../testing/project.ts";
import { createApi } from "./api.ts";
import { catalog, type FindingId } from "./catalog.ts";
import { checks, examine, make } from "./examine.ts";
import { expectedKinds, queueLimits } from "./expected.ts";
import { type Check, createPatient, type PatientOptions } from "./patient.ts";
import { reportText } from "./report.ts";
import { alerts } from "./checks/alerts.ts";
import { bill } from "./checks/bill.ts";
import { boards } from "./checks/boards.ts";
import { collections } from "./checks/collections.ts";
import { neededRoles } from "./checks/roles.ts";
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

/** A project's folder with a codebase that has Firerank's functions. */
const healthyFolder = folderOf({
  ".firebaserc": JSON.stringify({ projects: { default: project, staging: "my-game-staging" } }),
  "firebase.json": '{"functions": {"source": "functions"}}',
  "functions/package.json": '{"dependencies": {"firerank": "file:x.tgz"}, "engines": {"node": "24"}}',
  "functions/index.js": 'export * from "firerank";',
});

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
  const asked = patient(more);
  const found: { id: FindingId; what: string; todo: string }[] = [];
  const unchecked: { check: string; why: string; byHand: string }[] = [];
  for (const check of which) {
    const made = await make(check, asked);
    found.push(...made.findings);
    unchecked.push(...made.unchecked.map((one) => ({ check: check.name, ...one })));
  }
  return { found, ids: found.map(({ id }) => id), unchecked };
}

test("a healthy project has no findings, and nothing that could not be checked", async () => {
  expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
});

function plant(answers: Answers): void {
  for (const [path, answer] of Object.entries(answers)) {
    if (answer === undefined) google.answers.delete(path);
    else google.answers.set(path, answer);
  }
}

describe("each planted fault is found, and says what to do", () => {
  const follows: Partial<Record<FindingId, FindingId[]>> = {
    // The region of all functions is another one then.
    "region-differs": ["queue-missing", "schedule-missing", "region-far"],
    // Only the trigger is elsewhere.
    "trigger-database": ["functions-database"],
    // An app without a provider is refused by Firestore alone, where the calls ask for nothing.
    "app-check-unset": ["app-check-off"],
  };

  test.each(planted)("%s: %s, and nothing else with it", async (id, what, answers, asked) => {
    plant(answers);
    const { found, ids } = await look(asked);
    const [first] = found.filter((one) => one.id === id);
    expect(first?.what).toMatch(what);
    expect(first?.todo).not.toBe("");
    expect(ids.filter((one) => one !== id && follows[id]?.includes(one) !== true)).toEqual([]);
  });

  test("functions that are missing are deployed with the codebase that the others belong to", async () => {
    plant(
      functionsAre(allFunctions({ codebase: "game" }).filter(({ name }) => !name.endsWith("/refreshTop"))),
    );
    expect((await look()).found).toEqual([
      expect.objectContaining({
        id: "functions-missing",
        todo: "npx firebase deploy --only functions:game --project my-game",
      }),
    ]);
  });

  test("and every finding of the catalog is planted here or on the emulators", () => {
    const there = readFileSync(join(root, "test/all/emulator/cli/doctor.test.ts"), "utf8");
    // The last two are planted where the boards of the Enterprise edition are, and with a project's files.
    const here = [...planted.map(([id]) => id as string), "index-unused", "codebase-unfit"];
    expect(Object.keys(catalog).filter((id) => !here.includes(id) && !there.includes(`"${id}"`))).toEqual([]);
  });
});

describe("what is well in another way has no finding either", () => {
  test("without the trigger, the functions' own variable tells the database", async () => {
    plant(functionsAre(withoutTrigger({ DATABASE: "games" })));
    const { found } = await look();
    expect(found).toMatchObject([
      {
        id: "trigger-left-out",
        todo: expect.stringContaining("npx --no-install firerank repair <board>") as string,
      },
      { id: "trigger-database", what: expect.stringContaining("use the database games") as string },
    ]);
  });

  test("rules as `init` writes them, beside the owner's", async () => {
    const theirs =
      "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /games/{g} { allow read; }\n  }\n}\n";
    plant(rulesAre(mergeRules(theirs, ownFile("firestore.rules")).text));
    expect((await look()).ids).toEqual([]);
  });

  test("rules are tried as a signed-in player who owns nothing but one document, by the service that knows them", async () => {
    await look();
    const { body } = google.asked.find(({ path }) => path.endsWith(":test")) ?? expect.fail();
    const { source, testSuite } = body as {
      source: { files: { content: string }[] };
      testSuite: { testCases: RulesCase[] };
    };
    expect(source.files.map(({ content }) => content)).toEqual([ownFile("firestore.rules")]);
    const { testCases } = testSuite;
    expect(new Set(testCases.map(({ request }) => request.auth.uid)).size).toBe(1);
    const said = testCases.map(({ expectation, request: { method, path } }) =>
      [
        expectation,
        method,
        path
          .split("/")
          .slice(4, -1)
          .filter((_, i) => i % 2 === 0)
          .join("/"),
      ].join(" "),
    );
    const below = (name: string) => `leaderboards/seasons/${name}`;
    for (const method of ["create", "update", "delete"])
      for (const name of [
        "leaderboards",
        "leaderboards/seasons",
        ...["players", "scores", "scores_ranking", "top"].map(below),
      ])
        expect(said).toContain(`DENY ${method} ${name}`);
    for (const name of ["players", "scores", "runs", "standings"].map(below))
      expect(said).toContain(`DENY get ${name}`);
    for (const name of ["players", "scores_ranking", "top"].map(below))
      expect(said).toContain(`ALLOW get ${name}`);
  });

  test("an account that may act as itself by its own policy, and has the roles one by one", async () => {
    plant(rolesAre(...ownRoles));
    expect((await look()).ids).toEqual(["role-missing"]);
    google.answers.set(paths.accountPolicy, policyWith(["roles/iam.serviceAccountUser"]));
    expect((await look()).ids).toEqual([]);
  });

  test("a service whose caller is not checked needs nobody in its policy", async () => {
    google.answers.set(paths.invokersOf("getRank"), {});
    expect((await look()).ids).toEqual(["callers-refused"]);
    google.answers.set(paths.serviceOf("getRank"), { invokerIamDisabled: true });
    expect((await look()).ids).toEqual([]);
  });

  test("functions with a prefix, found without its being named", async () => {
    const functions = allFunctions({ inFront: "ranks-" });
    plant(functionsAre([...functions, functionAnswer("getTop", "request", { codebase: "default" })]));
    plant(queuesAre(...allQueues("ranks-")));
    for (const queue of Object.keys(queueLimits)) google.answers.set(paths.tasksOf(`ranks-${queue}`), {});
    const jobs = allJobs().map((job) => ({ ...job, name: job.name.replace("schedule-", "schedule-ranks-") }));
    google.answers.set(paths.jobs, { jobs });
    expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
  });

  test("of two installations the one that listens to the database", async () => {
    const second = allFunctions({ inFront: "ranks-", codebase: "ranks" });
    const elsewhere = second.map((one) => ({
      ...one,
      ...trigger({ eventFilters: [{ attribute: "database", value: "ranks" }] })(one),
      ...variables({ DATABASE: "ranks" })(one),
    }));
    plant(functionsAre([...allFunctions(), ...elsewhere]));
    expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
    plant(functionsAre([...allFunctions(), ...second]));
    await expect(examine(patient())).rejects.toThrow('with the prefixes "", ranks. Name one with --prefix');
  });

  test("a site is asked for its page without the credentials", async () => {
    await look();
    const asked = google.asked.filter(({ path }) => path.includes(".web.app"));
    expect(asked.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined]);
  });

  test("lists of several pages", async () => {
    const [first, ...others] = allFunctions();
    google.answers.set(paths.functions, { functions: [first], nextPageToken: "more & more" });
    google.answers.set(`${paths.functions}#more & more`, { functions: others });
    google.answers.set(paths.accounts, { users: [{ localId: "b2" }], nextPageToken: "next" });
    google.answers.set(`${paths.accounts}#next`, {
      users: [{ localId: "a1", customAttributes: '{"leaderboard_admin":true}' }],
    });
    expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
  });
});

describe("on the Enterprise edition the boards decide which indexes there should be", () => {
  const usual = { order: "descending", ties: "first" } as const;
  const lowest = { ...usual, order: "ascending" } as const;

  async function lookAt(kinds: readonly BoardKind[], deployed: readonly BoardKind[]) {
    const enterprise = { locationId: "eur3", type: "FIRESTORE_NATIVE", databaseEdition: "ENTERPRISE" };
    google.answers.set(paths.database, enterprise);
    google.answers.set(paths.indexes, { indexes: enterpriseIndexAnswers(deployed) });
    const ttl = fieldAnswers().filter(({ ttlConfig }) => ttlConfig !== undefined);
    google.answers.set(paths.fields, { fields: ttl });
    const [indexes] = ofGoogle.filter(({ name }) => name === "indexes");
    return indexes?.look({ ...patient(), boardKinds: () => Promise.resolve([...kinds]) });
  }

  test("those of all boards are well, and no exemption is asked for", async () => {
    expect(await lookAt([usual, lowest], [usual, lowest])).toMatchObject({
      findings: [],
      seen: expect.stringContaining("of the enterprise edition") as string,
    });
  });

  test("those of a board that came later are missing", async () => {
    const seen = await lookAt([usual, lowest], [usual]);
    expect(seen?.findings.map(({ id }) => id)).toEqual(["index-missing"]);
    expect(seen?.findings[0]?.what).toContain(
      "players: status ascending, score ascending, achieved_at ascending",
    );
    expect(seen?.findings[0]?.todo).toContain(
      "npx --no-install firerank indexes --edition enterprise --project my-game",
    );
  });

  test("those of a board that is gone only cost", async () => {
    const seen = await lookAt([lowest], [usual, lowest]);
    expect(seen?.findings.map(({ id }) => id)).toEqual(["index-unused"]);
    expect(seen?.findings[0]?.what).toContain(
      "players: status ascending, score descending, achieved_at ascending",
    );
  });

  test("one that leaves out documents is not the same", async () => {
    const [first, ...others] = enterpriseIndexAnswers([usual]);
    await lookAt([usual], [usual]);
    google.answers.set(paths.indexes, { indexes: [{ ...first, density: "SPARSE_ANY" }, ...others] });
    const [indexes] = ofGoogle.filter(({ name }) => name === "indexes");
    const seen = await indexes?.look({ ...patient(), boardKinds: () => Promise.resolve([usual]) });
    expect(seen?.findings.map(({ id }) => id)).toEqual(["index-missing"]);
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
    const well = { found: [], ids: [], unchecked: [] };
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

  test("whose own codebase has Firerank's functions, and would not load them, are found: codebase-unfit", async () => {
    const folder = folderOf({
      "firebase.json": '{"functions": {"source": "functions"}}',
      "functions/package.json": '{"dependencies": {"firerank": "file:../x.tgz"}, "engines": {"node": "20"}}',
      "functions/index.js": 'export * from "firerank";',
    });
    const { found } = await look({ folder });
    expect(found.map(({ id, todo }) => [id, todo])).toEqual([
      ["codebase-unfit", "Copy the file into functions/, and run `npm install ./<file>` there."],
      ["codebase-unfit", 'Write "runtime": "nodejs24" into its entry of firebase.json.'],
    ]);
  });

  const unfitKit = {
    "firebase.json":
      '{"functions": {"source": "ranks", "kit": "ranks", "instances": {"a": "c/a", "b": "c/b"}}}',
    "ranks/package.json": '{"dependencies": {"firerank": "file:../x.tgz"}}',
    "ranks/index.js": 'export * from "firerank";',
  };

  test("are looked at once for all instances of a kit", async () => {
    expect((await look({ folder: folderOf(unfitKit) })).ids).toEqual(["codebase-unfit"]);
  });

  test("of another project say nothing about this one", async () => {
    const folder = folderOf({ ...unfitKit, ".firebaserc": '{"projects": {"default": "shop"}}' });
    const { ids, unchecked } = await look({ folder });
    expect(ids).toEqual([]);
    expect(unchecked).toMatchObject([
      {
        check: "codebase",
        why: `${folder} is the folder of another project: its .firebaserc names shop.`,
        isAbsent: true,
      },
    ]);
    expect((await look({ folder, emulators: {} })).ids).toContain("codebase-unfit");
  });

  test.each([
    [{ "firebase.json": "{" }, "firebase.json is no JSON"],
    [{ "firebase.json": '{"firestore": 7}' }, "firebase.json: "],
    [{ ".firebaserc": "{" }, ".firebaserc is no JSON"],
  ])("that are not understood leave the other checks as they are: %j", async (files, why) => {
    plant(accountsAre());
    const report = await examine(patient({ folder: folderOf(files) }));
    expect(report.findings.map(({ id }) => id)).toEqual(["admin-none"]);
    expect(report.unchecked.find(({ check }) => check === "codebase")).toMatchObject({
      why: expect.stringContaining(why) as string,
      isAbsent: false,
    });
  });

  test("a file of indexes that is not understood is named", async () => {
    const { unchecked } = await onEmulators([]);
    expect(unchecked).toMatchObject([{ why: "firestore.indexes.json is no JSON object." }]);
  });
});

describe("what cannot be checked is said, and is never well", () => {
  test("credentials that may nothing", async () => {
    for (const path of google.answers.keys()) google.answers.set(path, denied);
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

  test("a list that lacks the functions of a place that Google could not reach", async () => {
    google.answers.set(paths.functions, { functions: allFunctions(), unreachable: ["us-central1"] });
    const { found, unchecked } = await look();
    expect(found).toEqual([]);
    expect(unchecked.map(({ check }) => check)).toEqual(expect.arrayContaining(["functions", "queues"]));
    expect(unchecked[0]?.why).toContain("is not complete, as it could not reach us-central1");
  });

  test("a list whose next page is gone", async () => {
    google.answers.set(paths.functions, { functions: allFunctions(), nextPageToken: "more" });
    const { found, unchecked } = await look();
    expect(found).toEqual([]);
    expect(unchecked[0]?.why).toContain("ended before its last page");
  });

  test("an API that is off, with the command that switches it on", async () => {
    google.answers.set(paths.queues, disabled);
    expect((await look()).unchecked).toEqual([
      expect.objectContaining({
        check: "queues",
        why: "The API cloudtasks.googleapis.com is off in project my-game.",
        byHand:
          "gcloud services enable cloudtasks.googleapis.com --project my-game, and run the command again",
      }),
    ]);
  });

  test.each([
    [paths.enforcement, "firebaseappcheck.googleapis.com", ["app-check-off"]],
    [paths.sites, "firebasehosting.googleapis.com", ["app-check-off", "app-check-unset"]],
    [paths.webApps, "firebase.googleapis.com", ["app-check-off"]],
  ])("what App Check's findings need beside %s", async (path, service, ids) => {
    plant({ ...functionsAre(appCheckOff), [paths.appAttest]: undefined });
    google.answers.set(path, disabled);
    const looked = await look();
    expect(looked.ids).toEqual(ids);
    expect(looked.unchecked).toMatchObject([
      { check: "app check", why: `The API ${service} is off in project my-game.` },
    ]);
    expect(looked.unchecked[0]?.byHand).toContain(`gcloud services enable ${service}`);
  });

  test.each([
    [{ status: 503, body: "upstream" }, "firebaserules.googleapis.com answered with HTTP 503: upstream"],
    [{ status: 200, body: "<html>" }, "did not answer with JSON"],
    [{ rulesetName: 7 }, "in a form that this version does not know (rulesetName: "],
  ])("the answer %j", async (answer, why) => {
    google.answers.set(paths.release, answer);
    const { found, unchecked } = await look();
    expect(found).toEqual([]);
    expect(unchecked).toEqual([
      expect.objectContaining({ check: "rules", why: expect.stringContaining(why) as string }),
    ]);
  });

  test("rules that may not be tried, beside what their text says", async () => {
    google.answers.set(paths.rulesTest, denied);
    plant(rulesAre(ownFile("firestore.rules").replace("'public'", "'secret'")));
    const { ids, unchecked } = await look();
    expect(ids).toEqual(["rules-differ"]);
    expect(unchecked).toMatchObject([
      { check: "rules", why: expect.stringContaining("may not ask") as string },
    ]);
    google.answers.set(paths.rulesTest, { issues: [{ severity: "ERROR" }] });
    expect((await look()).unchecked).toMatchObject([
      { check: "rules", why: expect.stringMatching(/tested 0 of \d+ cases/) as string },
    ]);
  });

  test("a network without Google", async () => {
    const api = createApi({
      project,
      token: () => Promise.resolve("x"),
      addressOf: () => "http://127.0.0.1:1",
    });
    const { found, unchecked } = await look({ api });
    expect(found).toEqual([]);
    expect(unchecked).toHaveLength(asking.length);
    expect(unchecked[0]?.why).toContain("127.0.0.1:1 could not be asked");
  });

  test("a person's credentials, which need a quota project, are asked again with one", async () => {
    const body = {
      error: { code: 403, message: "The API requires a quota project, which is not set by default." },
    };
    google.answers.set(paths.release, { status: 403, body });
    await look();
    const asked = google.asked.filter(({ path }) => path.endsWith("/releases/cloud.firestore"));
    expect(asked.map(({ headers }) => headers["x-goog-user-project"])).toEqual([undefined, project]);
  });

  test("and the report has it all, with the gravest first", async () => {
    plant(changedQueue({ state: "PAUSED" }));
    plant(accountsAre());
    google.answers.set(paths.jobs, denied);
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

describe("what is expected of the functions is what the package exports", () => {
  const endpoints = Object.entries(exported as Record<string, unknown>).map(
    ([name, one]) => [name, (one as { __endpoint: Endpoint }).__endpoint] as const,
  );
  interface Endpoint {
    callableTrigger?: object;
    httpsTrigger?: object;
    scheduleTrigger?: object;
    eventTrigger?: { retry: boolean };
    taskQueueTrigger?: {
      retryConfig: { maxAttempts: number };
      rateLimits: { maxConcurrentDispatches: number };
    };
  }

  test("names and kinds", () => {
    const kinds = endpoints.map(([name, one]) => {
      const kind = (["callable", "https", "schedule", "event", "taskQueue"] as const).find(
        (of) => one[`${of}Trigger`] !== undefined,
      );
      return [name, { https: "request", taskQueue: "task" }[kind as string] ?? kind];
    });
    expect(Object.fromEntries(kinds)).toEqual(Object.fromEntries(expectedKinds));
  });

  test("limits of queues, and the retry of the trigger", () => {
    for (const [name, limits] of Object.entries(queueLimits)) {
      const trigger = endpoints.find(([own]) => own === name)?.[1].taskQueueTrigger;
      expect(trigger).toMatchObject({
        retryConfig: { maxAttempts: limits.maxAttempts },
        rateLimits: { maxConcurrentDispatches: limits.maxConcurrentDispatches },
      });
    }
    expect(endpoints.find(([name]) => name === "indexPlayer")?.[1].eventTrigger?.retry).toBe(true);
  });

  test("roles", () => {
    const source = readFileSync(join(import.meta.dirname, "../../functions/src/transports/needs.ts"), "utf8");
    const declared = Array.from(source.matchAll(/requiresRole\("([^"]+)"\)/g), ([, role]) => role);
    expect(Object.keys(neededRoles)).toEqual(declared);
  });
});
