/**
 * The checks of a real project, against a server that answers as Google's APIs do. Each finding that they can make is
 * planted here; test/all/emulator/cli/doctor.test.ts has those that emulators can hold.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BoardKind } from "../init/enterprise-indexes.ts";
import * as exported from "../../functions/src/index.ts";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { mergeRules } from "../init/merge-rules.ts";
import { ownFile, ownFunctions } from "../init/package.ts";
import {
  account,
  allFunctions,
  allJobs,
  allQueues,
  denied,
  disabled,
  enterpriseIndexAnswers,
  fieldAnswers,
  functionAnswer,
  type FunctionAnswer,
  type Google,
  indexAnswers,
  nowMs,
  paths,
  policyWith,
  project,
  region,
  rulesAnswer,
  startGoogle,
} from "../testing/google.ts";
import { createApi } from "./api.ts";
import { catalog, type FindingId } from "./catalog.ts";
import type { Check } from "./check.ts";
import { checks, examine } from "./examine.ts";
import { expectedKinds, queueLimits } from "./expected.ts";
import { createPatient, type PatientOptions } from "./patient.ts";
import { reportText } from "./report.ts";
import { neededRoles } from "./checks/roles.ts";
import { root } from "../../scripts/project.ts";

/** Those that read documents, which this server has none of. */
const ofDocuments = ["boards", "collections", "seasons", "runs", "bill"];
const ofGoogle = checks.filter(({ name }) => !ofDocuments.includes(name));

let google: Google;
beforeEach(async () => {
  google = await startGoogle();
});
afterEach(() => google.close());

const db = new Firestore({ projectId: project });

function patient(more: Partial<PatientOptions> = {}) {
  return createPatient({
    project,
    database: "(default)",
    api: google.api,
    db,
    now: () => nowMs,
    timeZone: "Europe/Vienna",
    ...more,
  });
}

/** What all of these checks find together. */
async function look(more: Partial<PatientOptions> = {}, which: readonly Check[] = ofGoogle) {
  const asked = patient(more);
  const found: { id: FindingId; what: string; todo: string }[] = [];
  const unchecked: { check: string; why: string; byHand: string }[] = [];
  for (const check of which) {
    try {
      const seen = await check.look(asked);
      found.push(...seen.findings);
      unchecked.push(...(seen.unchecked ?? []).map((one) => ({ check: check.name, ...one })));
    } catch (error) {
      const { message, byHand } = error as Error & { byHand?: string };
      unchecked.push({ check: check.name, why: message, byHand: byHand ?? check.byHand });
    }
  }
  return { found, ids: found.map(({ id }) => id), unchecked };
}

test("a healthy project has no findings, and nothing that could not be checked", async () => {
  expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
});

const changed = (name: string, change: (one: FunctionAnswer) => Partial<FunctionAnswer>) => ({
  functions: allFunctions().map((one) => (one.name.endsWith(`/${name}`) ? { ...one, ...change(one) } : one)),
});
const changedQueue = (change: object) => ({
  queues: allQueues().map((one) => (one.name.endsWith("/stepSeason") ? { ...one, ...change } : one)),
});
const changedJob = (change: object) => ({
  jobs: allJobs().map((one) => (one.name.includes("-rankSeasons-") ? { ...one, ...change } : one)),
});
const changedFields = (name: string, change: object | undefined) => ({
  fields: fieldAnswers().flatMap((one) => {
    const [, , , , , group, , field] = one.name.split("/");
    if (`${group ?? ""}.${field ?? ""}` !== name) return one;
    return change === undefined ? [] : { ...one, ...change };
  }),
});
const changedIndex = (change: object) => ({
  indexes: indexAnswers().map((one, i) => (i === 0 ? { ...one, ...change } : one)),
});
const variables = (more: Record<string, string>) => (one: FunctionAnswer) => ({
  serviceConfig: {
    ...one.serviceConfig,
    environmentVariables: { ...one.serviceConfig.environmentVariables, ...more },
  },
});
/** A deployment that leaves the trigger out. */
const withoutTrigger = (more: Record<string, string> = {}) =>
  allFunctions()
    .filter(({ name }) => !name.endsWith("/indexPlayer"))
    .map((one) => ({ ...one, ...variables({ DIRECT_WRITES: "false", ...more })(one) }));
const labelled =
  (label: string | undefined) =>
  ({ labels: { firerank: _, ...labels } }: FunctionAnswer) => ({
    labels: label === undefined ? labels : { ...labels, firerank: label },
  });
const trigger =
  (change: object) =>
  ({ eventTrigger }: FunctionAnswer) =>
    eventTrigger === undefined ? {} : { eventTrigger: { ...eventTrigger, ...change } };
/** Rules as `init` writes them beside a match of the owner's, in line 3. */
const withMatch = (match: string) => {
  const theirs = `rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents {\n    match ${match}\n} }\n`;
  return theirs.includes("/leaderboards")
    ? mergeRules(theirs.replace("leaderboards", "elsewhere"), ownFile("firestore.rules")).text.replace(
        "elsewhere",
        "leaderboards",
      )
    : mergeRules(theirs, ownFile("firestore.rules")).text;
};
const anAgo = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();

type Planted = [
  id: FindingId,
  what: string | RegExp,
  plant: (google: Google) => void,
  asked?: Partial<PatientOptions>,
];
const planted: Planted[] = [
  ["database-missing", "no database (default)", ({ answers }) => answers.delete(paths.database)],
  [
    "database-mode",
    "Datastore mode",
    ({ answers }) => answers.set(paths.database, { locationId: "eur3", type: "DATASTORE_MODE" }),
  ],
  ["functions-none", "None of Firerank's functions", ({ answers }) => answers.set(paths.functions, {})],
  [
    "functions-missing",
    "Not deployed: refreshTop.",
    ({ answers }) =>
      answers.set(paths.functions, {
        functions: allFunctions().filter(({ name }) => !name.endsWith("/refreshTop")),
      }),
  ],
  [
    "functions-failed",
    "getRank (FAILED)",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("getRank", () => ({ state: "FAILED" })),
      ),
  ],
  ["prefix-differs", "no prefix", () => undefined, { prefix: "ranks" }],
  ["region-differs", `in ${region}, not in us-east1`, () => undefined, { region: "us-east1" }],
  [
    "regions-several",
    "several regions: europe-west1, us-central1",
    ({ answers }) => {
      const left = functionAnswer("getRank", "callable");
      answers.set(paths.functions, {
        functions: [...allFunctions(), { ...left, name: left.name.replace(region, "us-central1") }],
      });
    },
  ],
  [
    "function-foreign",
    "it belongs to the codebase default",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("getTop", () => functionAnswer("getTop", "callable", { codebase: "default" })),
      ),
  ],
  [
    "function-foreign",
    'getTop in europe-west1 is not Firerank\'s: it is of the kind "request"',
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("getTop", () => functionAnswer("getTop", "request")),
      ),
  ],
  [
    "trigger-database",
    "listens to the database scores",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("indexPlayer", trigger({ eventFilters: [{ attribute: "database", value: "scores" }] })),
      ),
  ],
  [
    "trigger-unneeded",
    "indexPlayer is deployed, and DIRECT_WRITES is false for submitScore",
    ({ answers }) =>
      answers.set(paths.functions, changed("submitScore", variables({ DIRECT_WRITES: "false" }))),
  ],
  [
    "trigger-left-out",
    "Nobody follows what servers of yours write",
    ({ answers }) => answers.set(paths.functions, { functions: withoutTrigger() }),
  ],
  [
    "trigger-later",
    "indexPlayer is there since 2026-11-20T09:00:00Z, and rankSeasons since 2026-11-01",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("indexPlayer", () => ({ createTime: "2026-11-20T09:00:00Z" })),
      ),
  ],
  [
    "functions-database",
    "indexPlayer listens to the database (default), and submitScore use games",
    ({ answers }) => answers.set(paths.functions, changed("submitScore", variables({ DATABASE: "games" }))),
  ],
  [
    "version-differs",
    "and the functions are of 0.0.9 (getRank)",
    ({ answers }) => answers.set(paths.functions, changed("getRank", labelled("0-0-9"))),
  ],
  [
    "version-differs",
    "and the functions are of an older version without a label (all functions)",
    ({ answers }) =>
      answers.set(paths.functions, {
        functions: allFunctions().map((one) => ({ ...one, ...labelled(undefined)(one) })),
      }),
  ],
  [
    "trigger-no-retry",
    "is not retried",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("indexPlayer", trigger({ retryPolicy: "RETRY_POLICY_DO_NOT_RETRY" })),
      ),
  ],
  [
    "runtime-old",
    "getRank (nodejs20)",
    ({ answers }) =>
      answers.set(
        paths.functions,
        changed("getRank", () => ({ buildConfig: { runtime: "nodejs20", entryPoint: "getRank" } })),
      ),
  ],
  [
    "queue-missing",
    "no queue stepSeason",
    ({ answers }) => answers.set(paths.queues, { queues: allQueues().slice(1) }),
  ],
  [
    "queue-missing",
    // As of a deployment whose prefix was put in front twice.
    "no queue stepSeason",
    ({ answers }) => answers.set(paths.queues, { queues: [...allQueues("ranks-"), ...allQueues().slice(1)] }),
  ],
  [
    "queue-stopped",
    "is paused",
    ({ answers }) => answers.set(paths.queues, changedQueue({ state: "PAUSED" })),
  ],
  [
    "queue-limits",
    "allows 1 tasks at once, and Firerank asks for 100",
    ({ answers }) => answers.set(paths.queues, changedQueue({ rateLimits: { maxConcurrentDispatches: 1 } })),
  ],
  [
    "queue-limits",
    "allows 0.5 tasks a second, and Firerank asks for 500",
    ({ answers }) => answers.set(paths.queues, changedQueue({ rateLimits: { maxDispatchesPerSecond: 0.5 } })),
  ],
  [
    "queue-limits",
    "allows 1 attempts",
    ({ answers }) => answers.set(paths.queues, changedQueue({ retryConfig: { maxAttempts: 1 } })),
  ],
  [
    "tasks-waiting",
    "2 tasks of stepSeason",
    ({ answers }) =>
      answers.set(paths.tasksOf("stepSeason"), {
        tasks: [{ scheduleTime: anAgo(16) }, { scheduleTime: anAgo(600) }, { scheduleTime: anAgo(1) }],
      }),
  ],
  [
    "tasks-failing",
    "failed at their last attempt, the first with status 7 denied",
    ({ answers }) =>
      answers.set(paths.tasksOf("refreshTop"), {
        tasks: [
          {
            scheduleTime: anAgo(-1),
            dispatchCount: 2,
            lastAttempt: { responseStatus: { code: 7, message: "denied" } },
          },
        ],
      }),
  ],
  ["schedule-missing", "has no job", ({ answers }) => answers.set(paths.jobs, { jobs: allJobs().slice(1) })],
  [
    "schedule-stopped",
    "is paused",
    ({ answers }) => answers.set(paths.jobs, changedJob({ state: "PAUSED" })),
  ],
  [
    "schedule-silent",
    "last started 11 minutes ago",
    ({ answers }) => answers.set(paths.jobs, changedJob({ lastAttemptTime: anAgo(11) })),
  ],
  [
    "schedule-silent",
    "was never started, and its job is 11 minutes old",
    ({ answers }) =>
      answers.set(paths.jobs, changedJob({ lastAttemptTime: undefined, userUpdateTime: anAgo(11) })),
  ],
  [
    "schedule-failing",
    "failed with status 13 (INTERNAL)",
    ({ answers }) => answers.set(paths.jobs, changedJob({ status: { code: 13, message: "INTERNAL" } })),
  ],
  [
    "role-missing",
    `${account} lacks roles/datastore.user, roles/cloudtasks.enqueuer.`,
    ({ answers }) => answers.set(paths.policy, policyWith(Object.keys(neededRoles).slice(2))),
  ],
  [
    "role-missing",
    "Unless projects/my-game/roles/games holds what is missing",
    ({ answers }) =>
      answers.set(
        paths.policy,
        policyWith(["roles/editor", "roles/run.invoker", "projects/my-game/roles/games"]),
      ),
  ],
  [
    "role-missing",
    `${account} lacks roles/iam.serviceAccountUser.`,
    ({ answers }) =>
      answers.set(
        paths.policy,
        // It manages accounts, and may not act as them.
        policyWith([
          ...Object.keys(neededRoles).filter((role) => !role.includes("iam.")),
          "roles/iam.serviceAccountAdmin",
        ]),
      ),
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused: Game for iOS.",
    ({ answers }) => answers.delete(paths.appAttest),
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused: Game for Android.",
    ({ answers }) => answers.set(paths.sha, { certificates: [{ certType: "SHA_1" }] }),
  ],
  [
    "app-check-off",
    "Calls of leaderboardApi need no App Check token",
    ({ answers }) =>
      answers.set(paths.functions, changed("leaderboardApi", variables({ ENFORCE_APP_CHECK: "false" }))),
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused: Game.",
    ({ answers }) => {
      answers.set(paths.enterprise, { tokenTtl: "3600s" });
      answers.set(paths.third, { tokenTtl: "3600s" });
    },
  ],
  [
    "app-check-off",
    "need no App Check token",
    ({ answers }) =>
      answers.set(paths.functions, changed("submitScore", variables({ ENFORCE_APP_CHECK: "false" }))),
  ],
  [
    "region-far",
    "on another continent",
    ({ answers }) => answers.set(paths.database, { locationId: "nam5", type: "FIRESTORE_NATIVE" }),
  ],
  [
    "region-apart",
    "the database is in europe-west3",
    ({ answers }) => answers.set(paths.database, { locationId: "europe-west3", type: "FIRESTORE_NATIVE" }),
  ],
  [
    "index-missing",
    "players: status ascending, score descending, achieved_at ascending",
    ({ answers }) => answers.set(paths.indexes, { indexes: indexAnswers().slice(1) }),
  ],
  [
    "index-broken",
    "could not build",
    ({ answers }) => answers.set(paths.indexes, changedIndex({ state: "NEEDS_REPAIR" })),
  ],
  [
    "index-building",
    "Still being built",
    ({ answers }) => answers.set(paths.indexes, changedIndex({ state: "CREATING" })),
  ],
  [
    "index-missing",
    "players: status ascending, score descending, achieved_at ascending",
    ({ answers }) => {
      // The same fields with the id the other way round, which no query of Firerank takes.
      const [[status, score, at] = []] = indexAnswers().map(({ fields }) => fields);
      const fields = [status, score, at, { fieldPath: "__name__", order: "DESCENDING" }];
      answers.set(paths.indexes, changedIndex({ fields }));
    },
  ],
  [
    "exemption-building",
    "Still being built: seasons.next_run_at",
    ({ answers }) => {
      const { indexConfig } = fieldAnswers().find(({ name }) => name.endsWith("/next_run_at")) ?? {};
      const indexes = indexConfig?.indexes?.map((one) => ({ ...one, state: "CREATING" }));
      answers.set(paths.fields, changedFields("seasons.next_run_at", { indexConfig: { indexes } }));
    },
  ],
  [
    "index-broken",
    "runs.run_record_expires_at (TTL)",
    ({ answers }) =>
      answers.set(
        paths.fields,
        changedFields("runs.run_record_expires_at", { ttlConfig: { state: "NEEDS_REPAIR" } }),
      ),
  ],
  [
    "exemption-missing",
    "players.submission_ids",
    ({ answers }) => answers.set(paths.fields, changedFields("players.submission_ids", undefined)),
  ],
  [
    "exemption-lacks",
    "seasons.next_run_at",
    ({ answers }) => answers.set(paths.fields, changedFields("seasons.next_run_at", { indexConfig: {} })),
  ],
  [
    "exemption-wider",
    "players.achieved_at",
    ({ answers }) =>
      answers.set(
        paths.fields,
        changedFields("players.achieved_at", {
          indexConfig: {
            indexes: [
              {
                queryScope: "COLLECTION",
                fields: [{ fieldPath: "achieved_at", order: "ASCENDING" }],
                state: "READY",
              },
            ],
          },
        }),
      ),
  ],
  [
    "ttl-missing",
    "runs.run_record_expires_at",
    ({ answers }) =>
      answers.set(paths.fields, changedFields("runs.run_record_expires_at", { ttlConfig: undefined })),
  ],
  [
    "ttl-other",
    "runs by expires_at in place of run_record_expires_at",
    ({ answers }) => {
      const { fields } = changedFields("runs.run_record_expires_at", { ttlConfig: undefined });
      const name = `projects/${project}/databases/(default)/collectionGroups/runs/fields/expires_at`;
      const other = { name, indexConfig: { usesAncestorConfig: true }, ttlConfig: { state: "ACTIVE" } };
      answers.set(paths.fields, { fields: [...fields, other] });
    },
  ],
  ["rules-missing", "no part for Firerank", ({ answers }) => answers.delete(paths.release)],
  [
    "rules-missing",
    "no part for Firerank",
    ({ answers }) =>
      answers.set(
        paths.ruleset,
        rulesAnswer("rules_version = '2';\nservice cloud.firestore {\n  // match /leaderboards/{l} {}\n}\n"),
      ),
  ],
  [
    "rules-differ",
    "not those of this package",
    ({ answers }) =>
      answers.set(
        paths.ruleset,
        rulesAnswer(ownFile("firestore.rules").replace("readsAtMost(100)", "readsAtMost(1000)")),
      ),
  ],
  [
    "rules-differ",
    "not those of this package",
    ({ answers }) =>
      answers.set(paths.ruleset, rulesAnswer(ownFile("firestore.rules").replace("'public'", "'secret'"))),
  ],
  [
    "rules-open",
    "by the match in line 3, clients may write scores",
    ({ answers }) =>
      answers.set(paths.ruleset, rulesAnswer(withMatch("/leaderboards/{all=**} { allow write; }"))),
  ],
  [
    "rules-open",
    "by the match in line 3, clients may read what Firerank hides",
    ({ answers }) => answers.set(paths.ruleset, rulesAnswer(withMatch("/{all=**} { allow read; }"))),
  ],
  [
    "rules-open",
    "the match in line 5",
    ({ answers }) =>
      answers.set(
        paths.ruleset,
        rulesAnswer(
          ownFile("firestore.rules").replace(
            "service cloud.firestore {\n",
            "service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow write: if request.auth != null; } }\n",
          ),
        ),
      ),
  ],
  [
    "admin-none",
    "None of 1 accounts",
    ({ answers }) => answers.set(paths.accounts, { users: [{ localId: "b2" }] }),
  ],
  [
    "admin-none",
    "None of 1 accounts can sign in and has the claim",
    ({ answers }) =>
      answers.set(paths.accounts, {
        users: [{ localId: "a1", customAttributes: '{"leaderboard_admin":true}', disabled: true }],
      }),
  ],
  [
    "admin-claim-untrue",
    'eve ("true")',
    ({ answers }) =>
      answers.set(paths.accounts, {
        users: [
          { localId: "a1", customAttributes: '{"leaderboard_admin":true}' },
          { localId: "eve", customAttributes: '{"leaderboard_admin":"true"}' },
        ],
      }),
  ],
  [
    "admin-unverified",
    "ann@example.com",
    ({ answers }) =>
      answers.set(paths.accounts, {
        users: [{ localId: "a1", email: "ann@example.com", customAttributes: '{"leaderboard_admin":true}' }],
      }),
  ],
];

describe("each planted fault is found, and says what to do", () => {
  test.each(planted)("%s: %s", async (id, what, plant, asked) => {
    plant(google);
    const { found } = await look(asked);
    const [first] = found.filter((one) => one.id === id);
    expect(first?.what).toMatch(what);
    expect(first?.todo).not.toBe("");
  });

  test("functions that are missing are deployed with the codebase that the others belong to", async () => {
    const functions = Array.from(expectedKinds, ([name, kind]) =>
      functionAnswer(name, kind, { codebase: "game" }),
    ).filter(({ name }) => !name.endsWith("/refreshTop"));
    google.answers.set(paths.functions, { functions });
    expect((await look()).found).toEqual([
      expect.objectContaining({
        id: "functions-missing",
        todo: "npx firebase deploy --only functions:game --project my-game",
      }),
    ]);
  });

  test("and nothing else with it", async () => {
    const follows: Partial<Record<FindingId, FindingId[]>> = {
      // The region of all functions is another one then.
      "region-differs": ["queue-missing", "schedule-missing", "region-far"],
      // Only the trigger is elsewhere.
      "trigger-database": ["functions-database"],
    };
    for (const [id, , plant, asked] of planted) {
      await google.close();
      google = await startGoogle();
      plant(google);
      const { ids } = await look(asked);
      expect(
        ids.filter((one) => one !== id && follows[id]?.includes(one) !== true),
        id,
      ).toEqual([]);
    }
  });

  test("and every finding of the catalog is planted here or on the emulators", () => {
    const there = readFileSync(join(root, "test/all/emulator/cli/doctor.test.ts"), "utf8");
    // The last one is planted where the boards of the Enterprise edition are.
    const here = [...planted.map(([id]) => id as string), "index-unused"];
    expect(Object.keys(catalog).filter((id) => !here.includes(id) && !there.includes(`"${id}"`))).toEqual([]);
  });
});

describe("what is well in another way has no finding either", () => {
  test("without the trigger, the functions' own variable tells the database", async () => {
    google.answers.set(paths.functions, { functions: withoutTrigger({ DATABASE: "games" }) });
    const { found } = await look();
    expect(found).toMatchObject([
      { id: "trigger-left-out", todo: expect.stringContaining("npx firerank repair <board>") as string },
      { id: "trigger-database", what: expect.stringContaining("use the database games") as string },
    ]);
  });

  test("rules as `init` writes them, beside the owner's", async () => {
    const theirs =
      "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /games/{g} { allow read; }\n  }\n}\n";
    google.answers.set(paths.ruleset, rulesAnswer(mergeRules(theirs, ownFile("firestore.rules")).text));
    expect((await look()).ids).toEqual([]);
  });

  test("an account that may act as itself by its own policy, and has the roles one by one", async () => {
    google.answers.set(
      paths.policy,
      policyWith(Object.keys(neededRoles).filter((role) => !role.includes("iam."))),
    );
    expect((await look()).ids).toEqual(["role-missing"]);
    google.answers.set(paths.accountPolicy, policyWith(["roles/iam.serviceAccountUser"]));
    expect((await look()).ids).toEqual([]);
  });

  test("functions with a prefix, found without its being named", async () => {
    const functions = Array.from(expectedKinds, ([name, kind]) =>
      functionAnswer(`ranks-${name}`, kind, { entryPoint: name }),
    );
    google.answers.set(paths.functions, {
      functions: [...functions, functionAnswer("getTop", "request", { codebase: "default" })],
    });
    google.answers.set(paths.queues, { queues: allQueues("ranks-") });
    for (const queue of Object.keys(queueLimits)) google.answers.set(paths.tasksOf(`ranks-${queue}`), {});
    const jobs = allJobs().map((job) => ({ ...job, name: job.name.replace("schedule-", "schedule-ranks-") }));
    google.answers.set(paths.jobs, { jobs });
    expect(await look()).toEqual({ found: [], ids: [], unchecked: [] });
  });

  test("of two installations the one that listens to the database", async () => {
    const second = Array.from(expectedKinds, ([name, kind]) =>
      functionAnswer(`ranks-${name}`, kind, { codebase: "ranks" }),
    );
    const elsewhere = second.map((one) =>
      one.eventTrigger === undefined
        ? one
        : { ...one, ...trigger({ eventFilters: [{ attribute: "database", value: "ranks" }] })(one) },
    );
    google.answers.set(paths.functions, { functions: [...allFunctions(), ...elsewhere] });
    expect((await look()).ids).toEqual([]);
    google.answers.set(paths.functions, { functions: [...allFunctions(), ...second] });
    await expect(examine(patient())).rejects.toThrow('with the prefixes "", ranks. Name one with --prefix');
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
    expect(seen?.findings[0]?.todo).toContain("npx firerank indexes --edition enterprise --project my-game");
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

describe("what cannot be checked is said, and is never well", () => {
  test("credentials that may nothing", async () => {
    for (const path of google.answers.keys()) google.answers.set(path, denied);
    const { found, unchecked } = await look();
    expect(found).toEqual([]);
    expect(unchecked.map(({ check }) => check)).toEqual(ofGoogle.map(({ name }) => name));
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

  test("a network without Google", async () => {
    const api = createApi({
      project,
      token: () => Promise.resolve("x"),
      addressOf: () => "http://127.0.0.1:1",
    });
    const { found, unchecked } = await look({ api });
    expect(found).toEqual([]);
    expect(unchecked).toHaveLength(ofGoogle.length);
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
    google.answers.set(paths.queues, changedQueue({ state: "PAUSED" }));
    google.answers.set(paths.accounts, { users: [] });
    google.answers.set(paths.jobs, denied);
    const report = await examine(patient({ db: failing }));
    expect(report.isWell).toBe(false);
    expect(report.findings.map(({ gravity, id }) => [gravity, id])).toEqual([
      ["fault", "queue-stopped"],
      ["danger", "admin-none"],
    ]);
    expect(report.unchecked.map(({ check }) => check)).toEqual(["schedules", ...ofDocuments]);
    const text = reportText(report);
    expect(text).toMatch(/^FAULT {2}queue-stopped\n {2}what {3}The queue stepSeason is paused/);
    expect(text).toContain(
      `  do     gcloud tasks queues resume stepSeason --location ${region} --project my-game`,
    );
    expect(text).toContain("  schedules    Your credentials may not ask cloudscheduler.googleapis.com");
    expect(text).toMatch(/1 fault, 1 danger, 6 checks to be made by hand\.$/);
  });
});

/** A database that answers nothing. */
const failing = new Proxy(db, {
  get: () => () => {
    throw new Error("14 UNAVAILABLE: no connection");
  },
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
    expect(ownFunctions().sort()).toEqual([...expectedKinds.keys()].sort());
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
