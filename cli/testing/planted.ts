/** The faults that a project can have, each as what Google's APIs answer then. For tests only. */
import { mergeRules } from "../init/merge-rules.ts";
import { ownFile } from "../init/package.ts";
import type { FindingId } from "../doctor/catalog.ts";
import { neededRoles } from "../doctor/checks/roles.ts";
import type { PatientOptions } from "../doctor/patient.ts";
import {
  account,
  allFunctions,
  allJobs,
  allQueues,
  fieldAnswers,
  functionAnswer,
  type FunctionAnswer,
  indexAnswers,
  nowMs,
  pageAnswer,
  paths,
  policyWith,
  project,
  region,
  rulesAnswer,
  rulesTested,
} from "./google.ts";
import type { Answer } from "./serve.ts";

/** What paths answer in place of what they answer in a healthy project; undefined for nothing. */
export type Answers = Record<string, Answer | undefined>;

export const functionsAre = (functions: FunctionAnswer[]): Answers => ({ [paths.functions]: { functions } });
const changed = (
  name: string,
  change: Partial<FunctionAnswer> | ((one: FunctionAnswer) => Partial<FunctionAnswer>),
) => {
  const changeOf = (one: FunctionAnswer) => (typeof change === "function" ? change(one) : change);
  return functionsAre(
    allFunctions().map((one) => (one.name.endsWith(`/${name}`) ? { ...one, ...changeOf(one) } : one)),
  );
};
export const queuesAre = (...queues: object[]): Answers => ({ [paths.queues]: { queues } });
export const changedQueue = (change: object) => {
  const [first, ...others] = allQueues();
  return queuesAre({ ...first, ...change }, ...others);
};
const tasksAre = (queue: string, ...tasks: object[]): Answers => ({ [paths.tasksOf(queue)]: { tasks } });
const changedJob = (change: object): Answers => {
  const [first, ...others] = allJobs();
  return { [paths.jobs]: { jobs: [{ ...first, ...change }, ...others] } };
};
const fieldsWith = (name: string, change: object | undefined, ...more: object[]): Answers => {
  const fields = fieldAnswers().flatMap((one) => {
    const [, , , , , group, , field] = one.name.split("/");
    if (`${group ?? ""}.${field ?? ""}` !== name) return one;
    return change === undefined ? [] : { ...one, ...change };
  });
  return { [paths.fields]: { fields: [...fields, ...more] } };
};
const changedIndex = (change: object): Answers => {
  const [first, ...others] = indexAnswers();
  return { [paths.indexes]: { indexes: [{ ...first, ...change }, ...others] } };
};
export const rolesAre = (...roles: string[]): Answers => ({ [paths.policy]: policyWith(roles) });
export const rulesAre = (text: string): Answers => ({ [paths.ruleset]: rulesAnswer(text) });
export const accountsAre = (...users: object[]): Answers => ({ [paths.accounts]: { users } });
const admin = '{"leaderboard_role":"admin"}';
export const variables = (more: Record<string, string>) => (one: FunctionAnswer) => ({
  serviceConfig: {
    ...one.serviceConfig,
    environmentVariables: { ...one.serviceConfig.environmentVariables, ...more },
  },
});
/** A deployment that leaves the trigger out. */
export const withoutTrigger = (more: Record<string, string> = {}) =>
  allFunctions()
    .filter(({ name }) => !name.endsWith("/indexPlayer"))
    .map((one) => ({ ...one, ...variables({ DIRECT_WRITES: "false", ...more })(one) }));
export const appCheckOff = allFunctions().map((one) => ({
  ...one,
  ...variables({ ENFORCE_APP_CHECK: "false" })(one),
}));
const labelled =
  (label: string | undefined) =>
  ({ labels: { firerank: _, ...labels } }: FunctionAnswer) => ({
    labels: label === undefined ? labels : { ...labels, firerank: label },
  });
export const trigger =
  (change: object) =>
  ({ eventTrigger }: FunctionAnswer) =>
    eventTrigger === undefined ? {} : { eventTrigger: { ...eventTrigger, ...change } };
/** Rules as `init` writes them beside a match of the owner's, in line 3. */
const withMatch = (match: string) => {
  // `init` refuses a match for leaderboards.
  const theirs = `rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents {\n    match ${match.replace("leaderboards", "elsewhere")}\n} }\n`;
  return mergeRules(theirs, ownFile("firestore.rules")).text.replace("elsewhere", "leaderboards");
};
const anAgo = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();

type Planted = [id: FindingId, what: string | RegExp, answers: Answers, asked?: Partial<PatientOptions>];
const getRank = functionAnswer("getRank", "callable");
export const ownRoles = Object.keys(neededRoles).filter((role) => !role.includes("iam."));
const [{ fields: firstIndex } = { fields: [] }] = indexAnswers();
const nextRunAt = fieldAnswers().find(({ name }) => name.endsWith("/next_run_at"));

export const planted: Planted[] = [
  ["database-missing", "no database (default)", { [paths.database]: undefined }],
  ["database-mode", "Datastore mode", { [paths.database]: { locationId: "eur3", type: "DATASTORE_MODE" } }],
  ["functions-none", "None of Firerank's functions", { [paths.functions]: {} }],
  [
    "functions-missing",
    "Not deployed: refreshTop.",
    functionsAre(allFunctions().filter(({ name }) => !name.endsWith("/refreshTop"))),
  ],
  ["functions-failed", "getRank (FAILED)", changed("getRank", { state: "FAILED" })],
  ["prefix-differs", "no prefix", {}, { prefix: "ranks" }],
  ["region-differs", `in ${region}, not in us-east1`, {}, { region: "us-east1" }],
  [
    "regions-several",
    "several regions: europe-west1, us-central1",
    functionsAre([...allFunctions(), { ...getRank, name: getRank.name.replace(region, "us-central1") }]),
  ],
  [
    "function-foreign",
    "it belongs to the codebase default",
    changed("getTop", functionAnswer("getTop", "callable", { codebase: "default" })),
  ],
  [
    "function-foreign",
    'getTop in europe-west1 is not Firerank\'s: it is of the kind "request"',
    changed("getTop", functionAnswer("getTop", "request")),
  ],
  [
    "trigger-database",
    "listens to the database scores",
    changed("indexPlayer", trigger({ eventFilters: [{ attribute: "database", value: "scores" }] })),
  ],
  [
    "trigger-unneeded",
    "indexPlayer is deployed, and DIRECT_WRITES is false for submitScore",
    changed("submitScore", variables({ DIRECT_WRITES: "false" })),
  ],
  ["trigger-left-out", "Nobody follows what servers of yours write", functionsAre(withoutTrigger())],
  [
    "trigger-later",
    "indexPlayer is there since 2026-11-20T09:00:00Z, and rankSeasons since 2026-11-01",
    changed("indexPlayer", { createTime: "2026-11-20T09:00:00Z" }),
  ],
  [
    "functions-database",
    "indexPlayer listens to the database (default), and submitScore use games",
    changed("submitScore", variables({ DATABASE: "games" })),
  ],
  ["version-differs", "and the functions are of 0.0.9 (getRank)", changed("getRank", labelled("0-0-9"))],
  [
    "version-differs",
    "and the functions are of an older version without a label (all functions)",
    functionsAre(allFunctions().map((one) => ({ ...one, ...labelled(undefined)(one) }))),
  ],
  [
    "trigger-no-retry",
    "is not retried",
    changed("indexPlayer", trigger({ retryPolicy: "RETRY_POLICY_DO_NOT_RETRY" })),
  ],
  [
    "runtime-old",
    "getRank (nodejs20)",
    changed("getRank", { buildConfig: { runtime: "nodejs20", entryPoint: "getRank" } }),
  ],
  ["queue-missing", "no queue stepSeason", queuesAre(...allQueues().slice(1))],
  ["queue-stopped", "is paused", changedQueue({ state: "PAUSED" })],
  [
    "queue-limits",
    "allows 1 tasks at once, and Firerank asks for 100",
    changedQueue({ rateLimits: { maxConcurrentDispatches: 1 } }),
  ],
  [
    "queue-limits",
    "allows 0.5 tasks a second, and Firerank asks for 500",
    changedQueue({ rateLimits: { maxDispatchesPerSecond: 0.5 } }),
  ],
  ["queue-limits", "allows 1 attempts", changedQueue({ retryConfig: { maxAttempts: 1 } })],
  [
    "tasks-waiting",
    "2 tasks of stepSeason",
    tasksAre("stepSeason", ...[16, 600, 1].map((minutes) => ({ scheduleTime: anAgo(minutes) }))),
  ],
  [
    "tasks-failing",
    "failed at their last attempt, the first with status 7 denied",
    tasksAre("refreshTop", {
      scheduleTime: anAgo(-1),
      dispatchCount: 2,
      lastAttempt: { responseStatus: { code: 7, message: "denied" } },
    }),
  ],
  ["schedule-missing", "has no job", { [paths.jobs]: { jobs: allJobs().slice(1) } }],
  ["schedule-stopped", "is paused", changedJob({ state: "PAUSED" })],
  ["schedule-silent", "last started 11 minutes ago", changedJob({ lastAttemptTime: anAgo(11) })],
  [
    "schedule-silent",
    "was never started, and its job is 11 minutes old",
    changedJob({ lastAttemptTime: undefined, userUpdateTime: anAgo(11) }),
  ],
  [
    "schedule-failing",
    "failed with status 13 (INTERNAL)",
    changedJob({ status: { code: 13, message: "INTERNAL" } }),
  ],
  [
    "role-missing",
    `${account} lacks roles/datastore.user, roles/cloudtasks.enqueuer.`,
    rolesAre(...Object.keys(neededRoles).slice(2)),
  ],
  [
    "role-missing",
    "Unless projects/my-game/roles/games holds what is missing",
    rolesAre("roles/editor", "roles/run.invoker", "projects/my-game/roles/games"),
  ],
  [
    "role-missing",
    `${account} lacks roles/iam.serviceAccountUser.`,
    // It manages accounts, and may not act as them.
    rolesAre(...ownRoles, "roles/iam.serviceAccountAdmin"),
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused, and what they read from Firestore is refused: Game for iOS.",
    { [paths.appAttest]: undefined },
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused, and what they read from Firestore is refused: Game for Android.",
    { [paths.sha]: { certificates: [{ certType: "SHA_1" }] } },
  ],
  [
    "app-check-unset",
    /no provider, so what they read from Firestore is refused: Game for iOS\.$/,
    { ...functionsAre(appCheckOff), [paths.appAttest]: undefined },
  ],
  [
    "app-check-dashboard",
    "the dashboard has no key for them, so it is refused everything: my-game-ranks.web.app.",
    { [paths.dashboard]: pageAnswer('<meta http-equiv="Content-Security-Policy" content="script-src">') },
  ],
  [
    "app-check-off",
    "Calls of leaderboardApi need no App Check token",
    changed("leaderboardApi", variables({ ENFORCE_APP_CHECK: "false" })),
  ],
  [
    "app-check-unset",
    "no provider, so the calls of their players are refused, and what they read from Firestore is refused: Game.",
    { [paths.enterprise]: { tokenTtl: "3600s" }, [paths.third]: { tokenTtl: "3600s" } },
  ],
  [
    "region-far",
    "on another continent",
    { [paths.database]: { locationId: "nam5", type: "FIRESTORE_NATIVE" } },
  ],
  [
    "region-apart",
    "the database is in europe-west3",
    { [paths.database]: { locationId: "europe-west3", type: "FIRESTORE_NATIVE" } },
  ],
  [
    "index-missing",
    "players: status ascending, score descending, achieved_at ascending",
    { [paths.indexes]: { indexes: indexAnswers().slice(1) } },
  ],
  ["index-broken", "could not build", changedIndex({ state: "NEEDS_REPAIR" })],
  ["index-building", "Still being built", changedIndex({ state: "CREATING" })],
  [
    "index-missing",
    "players: status ascending, score descending, achieved_at ascending",
    // The same fields with the id the other way round, which no query of Firerank takes.
    changedIndex({ fields: [...firstIndex.slice(0, 3), { fieldPath: "__name__", order: "DESCENDING" }] }),
  ],
  [
    "exemption-building",
    "Still being built: seasons.next_run_at",
    fieldsWith("seasons.next_run_at", {
      indexConfig: { indexes: nextRunAt?.indexConfig.indexes?.map((one) => ({ ...one, state: "CREATING" })) },
    }),
  ],
  [
    "index-broken",
    "runs.run_record_expires_at (TTL)",
    fieldsWith("runs.run_record_expires_at", { ttlConfig: { state: "NEEDS_REPAIR" } }),
  ],
  ["exemption-missing", "players.submission_ids", fieldsWith("players.submission_ids", undefined)],
  ["exemption-lacks", "seasons.next_run_at", fieldsWith("seasons.next_run_at", { indexConfig: {} })],
  [
    "exemption-wider",
    "players.achieved_at",
    fieldsWith("players.achieved_at", {
      indexConfig: {
        indexes: [{ queryScope: "COLLECTION", fields: [{ fieldPath: "achieved_at", order: "ASCENDING" }] }],
      },
    }),
  ],
  [
    "ttl-missing",
    "runs.run_record_expires_at",
    fieldsWith("runs.run_record_expires_at", { ttlConfig: undefined }),
  ],
  [
    "ttl-other",
    "runs by expires_at in place of run_record_expires_at",
    fieldsWith(
      "runs.run_record_expires_at",
      { ttlConfig: undefined },
      {
        name: `projects/${project}/databases/(default)/collectionGroups/runs/fields/expires_at`,
        indexConfig: { usesAncestorConfig: true },
        ttlConfig: { state: "ACTIVE" },
      },
    ),
  ],
  ["rules-missing", "no part for Firerank", { [paths.release]: undefined }],
  [
    "rules-differ",
    "not those of this package",
    rulesAre(ownFile("firestore.rules").replace("readsAtMost(100)", "readsAtMost(1000)")),
  ],
  [
    "rules-open",
    "by the match in line 3, clients may write scores",
    rulesAre(withMatch("/leaderboards/{all=**} { allow write; }")),
  ],
  [
    "rules-open",
    "by the match in line 3, clients may read what Firerank hides",
    rulesAre(withMatch("/{all=**} { allow read; }")),
  ],
  [
    "rules-open",
    "any signed-in player may write players and scores_ranking",
    {
      [paths.rulesTest]: rulesTested(
        ({ expectation, request: { method, path } }) =>
          expectation === "DENY" && method === "update" && /\/(players|scores_ranking)\/[^/]+$/.test(path),
      ),
    },
  ],
  [
    "rules-open",
    "any signed-in player may read runs",
    {
      [paths.rulesTest]: rulesTested(
        ({ request: { method, path } }) => method === "get" && path.includes("/runs/"),
      ),
    },
  ],
  [
    "rules-refuse",
    "Apps may not read scores_ranking and top",
    {
      [paths.rulesTest]: rulesTested(
        ({ expectation, request: { path } }) =>
          expectation === "ALLOW" && /\/(scores_ranking|top)\//.test(path),
      ),
    },
  ],
  [
    "callers-refused",
    "Nobody without a role may call getRank, so",
    {
      [paths.invokersOf("getRank")]: {
        bindings: [{ role: "roles/run.invoker", members: ["domain:example.com"] }],
      },
    },
  ],
  ["admin-none", "None of 1 accounts", accountsAre({ localId: "b2" })],
  [
    "admin-none",
    "None of 1 accounts can sign in and has the role",
    accountsAre({ localId: "a1", customAttributes: admin, disabled: true }),
  ],
  [
    "role-claims-wrong",
    'eve ("leaderboard_admin":"true")',
    accountsAre(
      { localId: "a1", customAttributes: admin },
      { localId: "eve", customAttributes: '{"leaderboard_admin":"true"}' },
    ),
  ],
  [
    "admin-unverified",
    "ann@example.com",
    accountsAre({ localId: "a1", email: "ann@example.com", customAttributes: admin }),
  ],
];
