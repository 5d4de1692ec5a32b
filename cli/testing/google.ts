/**
 * Google's APIs as a local server answers them: a project in which all is well, with faults that a test plants. The
 * shapes are those of the reference documentation and of what firebase-tools sends and reads; no real project was asked.
 * For tests only.
 */
import { type BoardKind, enterpriseIndexes } from "../init/enterprise-indexes.ts";
import { queueLimits } from "../../functions/src/model/limits.ts";
import { versionLabel } from "../../functions/src/model/version.ts";
import type { Index } from "../init/index-file.ts";
import { ownFile, ownIndexes } from "../init/package.ts";
import { createApi } from "../doctor/api.ts";
import { expectedKinds, type Kind, scheduleNames, taskNames } from "../doctor/expected.ts";
import { type Answer, serve } from "./serve.ts";

/** Values by their places in the project, such as `queues/stepSeason/state`; `*` is each name, undefined takes away. */
export type Changes = Record<string, unknown>;

export type Google = Awaited<ReturnType<typeof startGoogle>>;

export const project = "my-game";
export const region = "europe-west1";
export const account = "123456789-compute@developer.gserviceaccount.com";
export const nowMs = Date.parse("2026-11-22T12:00:00Z");
const inProject = `projects/${project}`;
const location = `${inProject}/locations/${region}`;
const inDatabase = `${inProject}/databases/(default)`;

/** Starts a server with a project in which all is well. What has no place in it is a 404. */
export async function startGoogle() {
  const places = new Map(Object.entries(healthy()).map(([name, one]) => [one.path, { name, ...one }]));
  const values: Changes = Object.fromEntries([...places.values()].map(({ name, value }) => [name, value]));
  const { asked, addressOf, close } = await serve(({ path, query, body }) => {
    const token = query.get("pageToken") ?? query.get("nextPageToken");
    const { name = "", list } = places.get(path) ?? {};
    const value = values[token === null ? name : `${name}#${token}`];
    if (typeof value === "function") return (value as (body: unknown) => Answer)(body);
    const isList = list !== undefined && typeof value === "object" && value !== null && !("body" in value);
    return isList ? { [list]: Object.values(value) } : (value as Answer | undefined);
  });
  const set = (changes: Changes) => {
    for (const [place, value] of Object.entries(changes)) change(values, place.split("/"), value);
  };
  const api = createApi({ project, token: () => Promise.resolve("a-token"), addressOf });
  return { set, asked, api, close };
}

function change(within: Changes, [name = "", ...others]: string[], value: unknown): void {
  for (const one of name === "*" ? Object.keys(within) : [name]) {
    if (others.length > 0) change(within[one] as Changes, others, value);
    else if (value === undefined) Reflect.deleteProperty(within, one);
    else within[one] = value;
  }
}

/** One of the cases that the Firebase Rules service is asked to test. */
export interface RulesCase {
  expectation: "ALLOW" | "DENY";
  request: { method: string; path: string; auth: { uid: string } };
}

/** As the Firebase Rules service answers: each case is as expected, or for those that a test names it is not. */
export const rulesTested =
  (isOtherwise: (one: RulesCase) => boolean = () => false) =>
  (body: unknown): object => ({
    testResults: (body as { testSuite: { testCases: RulesCase[] } }).testSuite.testCases.map((one) => ({
      state: isOtherwise(one) ? "FAILURE" : "SUCCESS",
    })),
  });

const refused = (message: string, details: object[] = []): Answer => ({
  status: 403,
  body: { error: { code: 403, message, status: "PERMISSION_DENIED", details } },
});
/** As Google refuses what the credentials may not. */
export const denied = refused("The caller does not have permission");
/** As Google answers where an API is off. */
export const disabled = refused("Cloud Tasks API has not been used in project 123456789 or it is disabled.", [
  { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED" },
]);

/** A function as Cloud Functions lists it. */
export function functionAnswer(name: string, kind: Kind, codebase = "firerank") {
  const label = { callable: "callable", task: "taskqueue", schedule: "scheduled" }[kind as string];
  const filters = ["database", "namespace"].map((attribute) => ({ attribute, value: "(default)" }));
  const trigger = { retryPolicy: "RETRY_POLICY_RETRY", eventFilters: filters };
  return {
    name: `${location}/functions/${name}`,
    state: "ACTIVE",
    createTime: "2026-11-01T09:00:00.123456789Z",
    labels: {
      "deployment-tool": "cli-firebase",
      firerank: versionLabel,
      ...(codebase === "default" ? {} : { "firebase-functions-codebase": codebase }),
      ...(label === undefined ? {} : { [`deployment-${label}`]: "true" }),
    },
    buildConfig: { runtime: "nodejs24" },
    serviceConfig: {
      serviceAccountEmail: account,
      service: `${location}/services/${name.toLowerCase()}`,
      environmentVariables: { DATABASE: "(default)", ENFORCE_APP_CHECK: "true", DIRECT_WRITES: "true" },
    },
    ...(kind === "event" ? { eventTrigger: trigger } : {}),
  };
}

export const allFunctions = ({ inFront = "", codebase = "firerank" } = {}) =>
  named(expectedKinds, ([name, kind]) => [name, functionAnswer(`${inFront}${name}`, kind, codebase)]);

export const allQueues = (inFront = "") =>
  named(taskNames, (name) => {
    const { maxConcurrentDispatches, maxAttempts } = queueLimits[name];
    const rateLimits = { maxDispatchesPerSecond: 500, maxConcurrentDispatches };
    const retryConfig = { maxAttempts, minBackoff: "10s" };
    return [
      name,
      { name: `${location}/queues/${inFront}${name}`, state: "RUNNING", rateLimits, retryConfig },
    ];
  });

export const allJobs = (inFront = "") =>
  named(scheduleNames, (name) => {
    const id = `${location}/jobs/firebase-schedule-${inFront}${name}-${region}`;
    const lastAttemptTime = new Date(nowMs - 20_000).toISOString();
    return [name, { name: id, state: "ENABLED", lastAttemptTime, status: {} }];
  });

function named<One, Value>(all: Iterable<One>, entryOf: (one: One) => [string, Value]) {
  return Object.fromEntries(Array.from(all, entryOf));
}

/** Indexes as Firestore lists them, by their numbers. */
const listed = (indexes: readonly Index[], more: object) =>
  named(indexes.entries(), ([i, { collectionGroup, ...one }]) => {
    const name = `${inDatabase}/collectionGroups/${collectionGroup}/indexes/CICAgO${i}`;
    return [String(i), { name, state: "READY", ...one, ...more }];
  });

/** Those of the package. */
export const indexAnswers = () =>
  listed(
    ownIndexes().indexes.map((one) => {
      const last = { fieldPath: "__name__", order: one.fields.at(-1)?.order };
      return { ...one, fields: [...one.fields, last] };
    }),
    { density: "SPARSE_ALL" },
  );

/** Those of boards of some kinds on the Enterprise edition. */
export const enterpriseIndexAnswers = (kinds: readonly BoardKind[]) =>
  listed(enterpriseIndexes(kinds), { density: "DENSE", multikey: false });

/** The exemptions of the package as Firestore lists them; one without any index has no list at all. */
export const fieldAnswers = () =>
  named(ownIndexes().fieldOverrides, (one) => {
    const { collectionGroup, fieldPath, ttl, indexes } = one;
    const own = indexes.map(({ queryScope, ...how }) => ({
      queryScope,
      fields: [{ fieldPath, ...how }],
      state: "READY",
    }));
    const answer = {
      name: `${inDatabase}/collectionGroups/${collectionGroup}/fields/${fieldPath}`,
      indexConfig: own.length === 0 ? {} : { indexes: own },
      ...(ttl === true ? { ttlConfig: { state: "ACTIVE" } } : {}),
    };
    return [`${collectionGroup}.${fieldPath}`, answer];
  });

export const policyWith = (...roles: string[]) => ({
  bindings: roles.map((role) => ({ role, members: [`serviceAccount:${account}`, "user:owner@example.com"] })),
});

export const rulesAnswer = (content: string) => ({
  source: { files: [{ name: "firestore.rules", content, fingerprint: "" }] },
});

/** The first page of a dashboard, with what its build has put into the head. */
export const pageAnswer = (head: string): Answer => ({
  status: 200,
  body: `<!doctype html><html><head>${head}<title>Firerank</title></head></html>`,
});

interface Place {
  path: string;
  value: unknown;
  /** What its items are called in the answer, if it is a list. */
  list?: string;
}

/** A path that begins with the name of an API. */
const at = (path: string, value?: unknown, list?: string): Place => ({
  path: path.replace(/^(\w+)\//, "$1.googleapis.com/"),
  value,
  ...(list && { list }),
});

/** What a project answers in which everything is right, by names for the paths. */
function healthy(): Record<string, Place> {
  const firestore = `firestore/v1/${inDatabase}`;
  const firebase = `firebase/v1beta1/${inProject}`;
  const rules = `firebaserules/v1/${inProject}`;
  const ruleset = `${inProject}/rulesets/7a6b`;
  const settings = (platform: string, name: string) =>
    `firebaseappcheck/v1/projects/123456789/apps/1:123456789:${platform}:abc/${name}`;
  const app = (platform: string, more: object) => {
    const known = { appId: `1:123456789:${platform}:abc`, state: "ACTIVE" };
    return at(`${firebase}/${platform}Apps`, { 0: { ...known, ...more } }, "apps");
  };
  const ofFunctions = [...expectedKinds.keys()].flatMap((name): [string, Place][] => {
    const path = `run/v2/${location}/services/${name.toLowerCase()}`;
    const everybody = { bindings: [{ role: "roles/run.invoker", members: ["allUsers"] }] };
    return [
      [`invokers of ${name}`, at(`${path}:getIamPolicy`, everybody)],
      [`service of ${name}`, at(path)],
    ];
  });
  const ofQueues = ["", "ranks-"].flatMap((inFront) =>
    taskNames.map((name): [string, Place] => {
      const path = `cloudtasks/v2/${location}/queues/${inFront}${name}/tasks`;
      return [`tasks of ${inFront}${name}`, at(path, {}, "tasks")];
    }),
  );
  const ann = { localId: "a1", email: "ann@example.com", emailVerified: true };
  const users = {
    ann: { ...ann, customAttributes: '{"leaderboard_role":"admin"}' },
    bob: { localId: "b2", email: "bob@example.com" },
  };
  const granted = policyWith("roles/editor", "roles/eventarc.eventReceiver", "roles/run.invoker");
  const sites = ["my-game", "my-game-ranks"].map((id) => ({ name: `${inProject}/sites/${id}` }));
  const sha = `${firebase}/androidApps/1:123456789:android:abc/sha`;
  const enforcement = `firebaseappcheck/v1/${inProject}/services/firestore.googleapis.com`;
  return {
    database: at(firestore, { locationId: "eur3", type: "FIRESTORE_NATIVE", databaseEdition: "STANDARD" }),
    indexes: at(`${firestore}/collectionGroups/-/indexes`, indexAnswers(), "indexes"),
    fields: at(`${firestore}/collectionGroups/-/fields`, fieldAnswers(), "fields"),
    functions: at(`cloudfunctions/v2/${inProject}/locations/-/functions`, allFunctions(), "functions"),
    ...Object.fromEntries([...ofFunctions, ...ofQueues]),
    queues: at(`cloudtasks/v2/${location}/queues`, allQueues(), "queues"),
    jobs: at(`cloudscheduler/v1/${location}/jobs`, allJobs(), "jobs"),
    policy: at(`cloudresourcemanager/v1/${inProject}:getIamPolicy`, granted),
    accountPolicy: at(`iam/v1/${inProject}/serviceAccounts/${account}:getIamPolicy`),
    enforcement: at(enforcement, { enforcementMode: "ENFORCED" }),
    webApps: app("web", { displayName: "Game" }),
    webConfig: at(`${firebase}/webApps/1:123456789:web:abc/config`, {
      projectId: project,
      apiKey: "AIza-of-the-web-app",
      authDomain: `${project}.firebaseapp.com`,
      locationId: "eur3",
    }),
    enterprise: at(settings("web", "recaptchaEnterpriseConfig"), { siteKey: "6Ldp" }),
    third: at(settings("web", "recaptchaV3Config")),
    iosApps: app("ios", { displayName: "Game for iOS", teamId: "A1B2C3D4E5" }),
    appAttest: at(settings("ios", "appAttestConfig"), { tokenTtl: "3600s" }),
    androidApps: app("android", { displayName: "Game for Android" }),
    playIntegrity: at(settings("android", "playIntegrityConfig"), { tokenTtl: "3600s" }),
    sha: at(sha, { 0: { certType: "SHA_256" } }, "certificates"),
    sites: at(`firebasehosting/v1beta1/${inProject}/sites`, sites, "sites"),
    dashboard: at("my-game-ranks.web.app/", pageAnswer("")),
    release: at(`${rules}/releases/cloud.firestore`, { rulesetName: ruleset }),
    ruleset: at(`firebaserules/v1/${ruleset}`, rulesAnswer(ownFile("firestore.rules"))),
    rulesTest: at(`${rules}:test`, rulesTested()),
    users: at(`identitytoolkit/v1/${inProject}/accounts:batchGet`, users, "users"),
  };
}
