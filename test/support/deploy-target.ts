/**
 * A project of Google's as `firebase deploy` meets it: first an empty one, then with what was deployed before. It answers
 * what firebase-tools reads; no real project was asked. A request that it does not know it refuses, and keeps its name.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { account, project } from "../../cli/testing/google.ts";
import { type Answer, type Asked, serve } from "../../cli/testing/serve.ts";
import { root } from "../../scripts/project.ts";

interface Deployed {
  name: string;
  serviceConfig: { environmentVariables: Record<string, string> };
}

type Answering = (request: Asked) => Answer;

export interface DeployTarget {
  /** The variables that make firebase-tools ask here. */
  env: Record<string, string>;
  asked: readonly Asked[];
  /** The bodies of the requests so far of a method to a path. */
  sent(method: string, path: RegExp): object[];
  /** The functions that were created. */
  functions(): Deployed[];
  /** The requests that it did not know. */
  unknown: readonly string[];
  close(): Promise<void>;
}

/** Starts it. */
export async function startDeployTarget(): Promise<DeployTarget> {
  const unknown: string[] = [];
  const { asked, addressOf, close } = await serve((request) => {
    const line = `${request.method} ${request.path}`;
    const [, answer] = answers.find(([known]) => known.test(line)) ?? [];
    if (answer !== undefined) return typeof answer === "function" ? (answer as Answering)(request) : answer;
    unknown.push(line);
    return { status: 501, body: { error: { message: `The stand-in does not know ${line}.` } } };
  });
  const sent = (method: string, path: RegExp) =>
    asked.filter((one) => one.method === method && path.test(one.path)).map(({ body }) => body as object);
  const functions = () => sent("POST", /\/functions$/) as Deployed[];
  const listed = () =>
    functions().map((one) => {
      const service = one.name.replace("functions", "services").toLowerCase();
      return {
        ...one,
        state: "ACTIVE",
        url: "https://a.run.app",
        serviceConfig: { ...one.serviceConfig, service },
      };
    });

  const answers: [RegExp, Answer | Answering][] = [
    [/^GET cloudresourcemanager\S+\/projects\/[\w-]+$/, { projectId: project, projectNumber: "123456789" }],
    [/^GET firebase\.\S+\/adminSdkConfig$/, { projectId: project }],
    [/^GET cloudbilling\S+\/billingInfo$/, { billingEnabled: true }],
    [/^GET compute\S+\/projects\/\d+$/, { defaultServiceAccount: account }],
    [/^GET serviceusage\S+\/services\/[\w.]+$/, { state: "ENABLED" }],
    [/^POST serviceusage\S+:generateServiceIdentity$/, { done: true }],
    [/^POST \S+:getIamPolicy$/, { bindings: [] }],
    [/^POST \S+:setIamPolicy$/, {}],
    [
      /^GET (runtimeconfig\S+\/configs|firebaseextensions\S+\/instances|cloudfunctions\S+\/v1\S+\/functions)$/,
      {},
    ],

    [/^GET cloudfunctions\S+\/v2\S+\/functions$/, () => ({ functions: listed() })],
    [
      /^POST cloudfunctions\S+:generateUploadUrl$/,
      () => ({ uploadUrl: addressOf("upload"), storageSource: {} }),
    ],
    [/^PUT upload$/, {}],
    [
      /^POST cloudfunctions\S+\/functions$/,
      ({ body }) => ({ name: `operations/${(body as Deployed).name}` }),
    ],
    [
      /^GET cloudfunctions\S+\/operations\/\S+$/,
      ({ path }) => ({ done: true, response: listed().find(({ name }) => path.endsWith(name)) }),
    ],
    [/^GET cloud(tasks|scheduler)\S+\/(queues|jobs)\/[\w-]+$/, { status: 404, body: {} }],
    [/^POST cloud(tasks|scheduler)\S+\/(queues|jobs)$/, {}],
    [
      /^GET artifactregistry\S+\/gcf-artifacts$/,
      ({ path }) => ({ name: path.split("/v1/")[1], ...sent("PATCH", /\/gcf-artifacts$/).at(-1) }),
    ],
    [/^PATCH artifactregistry\S+\/gcf-artifacts$/, {}],

    [/^GET firestore\S+\/databases\/\(default\)$/, { locationId: "nam5", type: "FIRESTORE_NATIVE" }],
    [/^GET firestore\S+\/-\/indexes$/, { indexes: [indexOfTheirs] }],
    [/^GET firestore\S+\/-\/fields$/, {}],
    [/^(POST firestore\S+\/indexes|PATCH firestore\S+\/fields\/\S+)$/, {}],
    [/^(POST firebaserules\S+:test|GET firebaserules\S+\/releases)$/, {}],
    [/^POST firebaserules\S+\/rulesets$/, { name: `projects/${project}/rulesets/7a6b` }],
    [/^PATCH firebaserules\S+\/releases\/cloud\.firestore$/, {}],
  ];
  const env = { ...origins(addressOf), FIREBASE_TOKEN: "any", FIREBASE_SKIP_INFORMATIONAL_IAM: "true" };
  return { env, asked, sent, functions, unknown, close };
}

/** One that is in the project, and not in its file. */
const indexOfTheirs = {
  name: `projects/${project}/databases/(default)/collectionGroups/scenes/indexes/CICAgO`,
  queryScope: "COLLECTION",
  fields: ["at", "by", "__name__"].map((fieldPath) => ({ fieldPath, order: "ASCENDING" })),
};

/** firebase-tools has a variable for the address of each API. */
function origins(addressOf: (service: string) => string): Record<string, string> {
  const source = readFileSync(join(root, "node_modules", "firebase-tools", "lib", "api.js"), "utf8");
  const overrides = source.matchAll(/envOverride\("(\w+)", (?:\S+\("\w+", )?"https:\/\/([\w.]+)"/g);
  return Object.fromEntries(Array.from(overrides, ([, name = "", host = ""]) => [name, addressOf(host)]));
}
