/**
 * Google's APIs as a local server answers them: a project in which all is well, with faults that a test plants. The
 * shapes are those of the reference documentation and of what firebase-tools sends and reads; no real project was asked.
 * For tests only.
 */
import { type BoardKind, enterpriseIndexes } from "../init/enterprise-indexes.ts";
import { versionLabel } from "../../functions/src/model/version.ts";
import { parseIndexFile } from "../init/index-file.ts";
import { ownFile } from "../init/package.ts";
import { createApi } from "../doctor/api.ts";
import { expectedKinds, type Kind, queueLimits, scheduleNames, taskNames } from "../doctor/expected.ts";
import { type Answer, type Asked, serve } from "./serve.ts";

/** A body that depends on the request's. */
type Answering = (body: unknown) => object;

export interface Google {
  project: string;
  /** Answers by service and path, or what gives one for the request's body. A missing one is a 404. */
  answers: Map<string, Answer>;
  /** The requests so far. */
  asked: Asked[];
  api: ReturnType<typeof createApi>;
  close(): Promise<void>;
}

export const project = "my-game";
export const region = "europe-west1";
export const account = "123456789-compute@developer.gserviceaccount.com";
export const nowMs = Date.parse("2026-11-22T12:00:00Z");
const location = `projects/${project}/locations/${region}`;
const inDatabase = `projects/${project}/databases/(default)`;
const settingsOf = (platform: string, name: string) =>
  `firebaseappcheck.googleapis.com/v1/projects/123456789/apps/1:123456789:${platform}:abc/${name}`;

export const paths = {
  database: `firestore.googleapis.com/v1/${inDatabase}`,
  indexes: `firestore.googleapis.com/v1/${inDatabase}/collectionGroups/-/indexes`,
  fields: `firestore.googleapis.com/v1/${inDatabase}/collectionGroups/-/fields`,
  functions: `cloudfunctions.googleapis.com/v2/projects/${project}/locations/-/functions`,
  queues: `cloudtasks.googleapis.com/v2/${location}/queues`,
  tasksOf: (queue: string) => `cloudtasks.googleapis.com/v2/${location}/queues/${queue}/tasks`,
  jobs: `cloudscheduler.googleapis.com/v1/${location}/jobs`,
  policy: `cloudresourcemanager.googleapis.com/v1/projects/${project}:getIamPolicy`,
  accountPolicy: `iam.googleapis.com/v1/projects/${project}/serviceAccounts/${account}:getIamPolicy`,
  webApps: `firebase.googleapis.com/v1beta1/projects/${project}/webApps`,
  enterprise: settingsOf("web", "recaptchaEnterpriseConfig"),
  third: settingsOf("web", "recaptchaV3Config"),
  enforcement: `firebaseappcheck.googleapis.com/v1/projects/${project}/services/firestore.googleapis.com`,
  sites: `firebasehosting.googleapis.com/v1beta1/projects/${project}/sites`,
  dashboard: "my-game-ranks.web.app/",
  iosApps: `firebase.googleapis.com/v1beta1/projects/${project}/iosApps`,
  androidApps: `firebase.googleapis.com/v1beta1/projects/${project}/androidApps`,
  sha: `firebase.googleapis.com/v1beta1/projects/${project}/androidApps/1:123456789:android:abc/sha`,
  appAttest: settingsOf("ios", "appAttestConfig"),
  playIntegrity: settingsOf("android", "playIntegrityConfig"),
  release: `firebaserules.googleapis.com/v1/projects/${project}/releases/cloud.firestore`,
  ruleset: `firebaserules.googleapis.com/v1/projects/${project}/rulesets/7a6b`,
  serviceOf: (name: string) => `run.googleapis.com/v2/${location}/services/${name.toLowerCase()}`,
  invokersOf: (name: string) => `${paths.serviceOf(name)}:getIamPolicy`,
  rulesTest: `firebaserules.googleapis.com/v1/projects/${project}:test`,
  accounts: `identitytoolkit.googleapis.com/v1/projects/${project}/accounts:batchGet`,
};

/** Starts a server with a project in which all is well. */
export async function startGoogle(): Promise<Google> {
  const answers = new Map<string, Answer>(Object.entries(healthy()));
  const { asked, addressOf, close } = await serve(({ path, query, body }) => {
    const token = query.get("pageToken") ?? query.get("nextPageToken");
    const found = answers.get(token === null ? path : `${path}#${token}`);
    return typeof found === "function" ? (found as Answering)(body) : found;
  });
  const api = createApi({ project, token: () => Promise.resolve("a-token"), addressOf });
  return { project, answers, asked, api, close };
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

/** As Google refuses what the credentials may not. */
export const denied: Answer = {
  status: 403,
  body: { error: { code: 403, message: "The caller does not have permission", status: "PERMISSION_DENIED" } },
};

/** As Google answers where an API is off. */
export const disabled: Answer = {
  status: 403,
  body: {
    error: {
      code: 403,
      message: "Cloud Tasks API has not been used in project 123456789 before or it is disabled.",
      status: "PERMISSION_DENIED",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED" }],
    },
  },
};

export interface FunctionAnswer {
  name: string;
  state: string;
  createTime: string;
  labels: Record<string, string>;
  buildConfig: { runtime: string; entryPoint: string };
  serviceConfig: {
    serviceAccountEmail: string;
    service: string;
    environmentVariables: Record<string, string>;
  };
  eventTrigger?: { eventType: string; retryPolicy: string; eventFilters: object[] };
}

/** A function as Cloud Functions lists it. */
export function functionAnswer(
  name: string,
  kind: Kind,
  { codebase = "firerank", entryPoint = name } = {},
): FunctionAnswer {
  const label = {
    callable: "deployment-callable",
    task: "deployment-taskqueue",
    schedule: "deployment-scheduled",
  }[kind as string];
  return {
    name: `${location}/functions/${name}`,
    state: "ACTIVE",
    createTime: "2026-11-01T09:00:00.123456789Z",
    labels: {
      "deployment-tool": "cli-firebase",
      firerank: versionLabel,
      ...(codebase === "default" ? {} : { "firebase-functions-codebase": codebase }),
      ...(label === undefined ? {} : { [label]: "true" }),
    },
    buildConfig: { runtime: "nodejs24", entryPoint },
    serviceConfig: {
      serviceAccountEmail: account,
      service: `${location}/services/${name.toLowerCase()}`,
      environmentVariables: {
        DATABASE: "(default)",
        ENFORCE_APP_CHECK: "true",
        DIRECT_WRITES: "true",
      },
    },
    ...(kind === "event"
      ? {
          eventTrigger: {
            eventType: "google.cloud.firestore.document.v1.written",
            retryPolicy: "RETRY_POLICY_RETRY",
            eventFilters: [
              { attribute: "database", value: "(default)" },
              { attribute: "namespace", value: "(default)" },
            ],
          },
        }
      : {}),
  };
}

/** The indexes of the package as Firestore lists them. */
export function indexAnswers() {
  const { indexes } = parseIndexFile(ownFile("firestore.indexes.json"));
  return indexes.map(({ collectionGroup, queryScope, fields }, i) => ({
    name: `${inDatabase}/collectionGroups/${collectionGroup}/indexes/CICAgO${i}`,
    queryScope,
    fields: [...fields, { fieldPath: "__name__", order: fields.at(-1)?.order }],
    state: "READY",
    density: "SPARSE_ALL",
  }));
}

/** The indexes of boards of some kinds as Firestore lists them on the Enterprise edition. */
export const enterpriseIndexAnswers = (kinds: readonly BoardKind[]) =>
  enterpriseIndexes(kinds).map(({ collectionGroup, queryScope, fields }, i) => ({
    name: `${inDatabase}/collectionGroups/${collectionGroup}/indexes/CICAgO${i}`,
    queryScope,
    fields,
    state: "READY",
    density: "DENSE",
    multikey: false,
  }));

export interface FieldAnswer {
  name: string;
  indexConfig: {
    indexes?: { queryScope: string | undefined; fields: object[]; state: string }[];
    usesAncestorConfig?: boolean;
  };
  ttlConfig?: { state: string };
}

/** The exemptions of the package as Firestore lists them; one without any index has no list at all. */
export function fieldAnswers(): FieldAnswer[] {
  const { fieldOverrides } = parseIndexFile(ownFile("firestore.indexes.json"));
  return fieldOverrides.map(({ collectionGroup, fieldPath, ttl, indexes }) => ({
    name: `${inDatabase}/collectionGroups/${collectionGroup}/fields/${fieldPath}`,
    indexConfig: {
      ancestorField: `${inDatabase}/collectionGroups/__default__/fields/*`,
      ...(indexes.length === 0
        ? {}
        : {
            indexes: indexes.map(({ queryScope, ...how }) => ({
              queryScope,
              fields: [{ fieldPath, ...how }],
              state: "READY",
            })),
          }),
    },
    ...(ttl === true ? { ttlConfig: { state: "ACTIVE" } } : {}),
  }));
}

export const allFunctions = ({ inFront = "", codebase = "firerank" } = {}) =>
  Array.from(expectedKinds, ([name, kind]) =>
    functionAnswer(`${inFront}${name}`, kind, { codebase, entryPoint: name }),
  );

export const allQueues = (inFront = "") =>
  taskNames.map((name) => ({
    name: `${location}/queues/${inFront}${name}`,
    state: "RUNNING",
    rateLimits: {
      maxDispatchesPerSecond: 500,
      maxConcurrentDispatches: queueLimits[name].maxConcurrentDispatches,
    },
    retryConfig: { maxAttempts: queueLimits[name].maxAttempts, minBackoff: "10s" },
  }));

export interface JobAnswer {
  name: string;
  state: string;
  lastAttemptTime: string;
  status: { code?: number; message?: string };
}

export const allJobs = (): JobAnswer[] =>
  scheduleNames.map((name) => ({
    name: `${location}/jobs/firebase-schedule-${name}-${region}`,
    state: "ENABLED",
    lastAttemptTime: new Date(nowMs - 20_000).toISOString(),
    status: {},
  }));

export const policyWith = (roles: readonly string[]) => ({
  version: 1,
  etag: "BwY",
  bindings: roles.map((role) => ({ role, members: [`serviceAccount:${account}`, "user:owner@example.com"] })),
});

/** The policy of a service that everybody may call. */
const everybody = { bindings: [{ role: "roles/run.invoker", members: ["allUsers"] }] };

export const rulesAnswer = (content: string) => ({
  name: `projects/${project}/rulesets/7a6b`,
  source: { files: [{ name: "firestore.rules", content, fingerprint: "" }] },
});

/** The first page of a dashboard, with what its build has put into the head. */
export const pageAnswer = (head: string): Answer => ({
  status: 200,
  body: `<!doctype html><html><head>${head}<title>Firerank</title></head></html>`,
});

const appsAnswer = (platform: string, more: object) => ({
  apps: [{ appId: `1:123456789:${platform}:abc`, state: "ACTIVE", ...more }],
});

/** What a project answers in which everything is right. It is one function, as it is one table. */
function healthy(): Record<string, Answer> {
  return {
    [paths.database]: { locationId: "eur3", type: "FIRESTORE_NATIVE", databaseEdition: "STANDARD" },
    [paths.functions]: { functions: allFunctions() },
    [paths.queues]: { queues: allQueues() },
    ...Object.fromEntries(taskNames.map((name) => [paths.tasksOf(name), {}])),
    [paths.jobs]: { jobs: allJobs() },
    [paths.policy]: policyWith(["roles/editor", "roles/eventarc.eventReceiver", "roles/run.invoker"]),
    ...Object.fromEntries([...expectedKinds.keys()].map((name) => [paths.invokersOf(name), everybody])),
    [paths.webApps]: appsAnswer("web", { displayName: "Game" }),
    [paths.enterprise]: { name: "…", siteKey: "6Ldp", tokenTtl: "3600s" },
    [paths.enforcement]: { name: "…", enforcementMode: "ENFORCED" },
    [paths.sites]: {
      sites: ["my-game", "my-game-ranks"].map((id) => ({ name: `projects/${project}/sites/${id}` })),
    },
    [paths.dashboard]: pageAnswer(""),
    [paths.iosApps]: appsAnswer("ios", { displayName: "Game for iOS", teamId: "A1B2C3D4E5" }),
    [paths.appAttest]: { name: "…", tokenTtl: "3600s" },
    [paths.androidApps]: appsAnswer("android", { displayName: "Game for Android" }),
    [paths.sha]: { certificates: [{ name: "…", shaHash: "2145bd", certType: "SHA_256" }] },
    [paths.playIntegrity]: { name: "…", tokenTtl: "3600s" },
    [paths.indexes]: { indexes: indexAnswers() },
    [paths.fields]: { fields: fieldAnswers() },
    [paths.release]: {
      name: `projects/${project}/releases/cloud.firestore`,
      rulesetName: `projects/${project}/rulesets/7a6b`,
    },
    [paths.ruleset]: rulesAnswer(ownFile("firestore.rules")),
    [paths.rulesTest]: rulesTested(),
    [paths.accounts]: {
      users: [
        {
          localId: "a1",
          email: "ann@example.com",
          emailVerified: true,
          customAttributes: '{"leaderboard_admin":true}',
        },
        { localId: "b2", email: "bob@example.com" },
      ],
    },
  };
}
