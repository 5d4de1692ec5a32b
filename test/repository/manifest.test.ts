/**
 * What a deploy would make of the functions: firebase-tools discovers the compiled codebase, as `firebase deploy` does,
 * and all that it found is compared with manifest.txt. So a reviewer sees in the difference of that file which function,
 * option, parameter or right a change adds. `npm test -- manifest -u` writes it again.
 */
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { chosenValues } from "../../cli/init/parameters.ts";
import { versionLabel } from "../../functions/src/model/version.ts";
import * as specs from "../../functions/src/operations/specs.ts";
import { needsApp } from "../../functions/src/transports/refusal.ts";
import { root } from "../../scripts/project.ts";

const endpoint = z.record(z.string(), z.unknown());
const param = z.looseObject({ name: z.string(), type: z.string(), description: z.string() });
const discovered = z.strictObject({
  endpoints: z.record(z.string(), endpoint),
  params: z.array(param),
  requiredAPIs: z.array(z.strictObject({ api: z.string(), reason: z.string() })),
  requiredRoles: z.array(z.string()).optional(),
  extensions: z.strictObject({}),
});
type Discovered = z.infer<typeof discovered>;

/** The part of firebase-tools that is used; it has no types. */
interface Runtimes {
  getRuntimeDelegate(context: Record<string, string>): Promise<{
    validate(): Promise<void>;
    discoverBuild(config: object, environment: Record<string, string>): Promise<unknown>;
  }>;
}

let codebase: Discovered;
let kit: Discovered;
beforeAll(async () => {
  // The codebase writes its manifest into a file; otherwise firebase-tools would look for a free port.
  vi.stubEnv("FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH", "true");
  vi.stubEnv("FUNCTIONS_DISCOVERY_TIMEOUT", "300");
  codebase = await discover({});
  kit = await discover({ FIREBASE_KIT_INSTANCE_ID: "main" });
  return () => vi.unstubAllEnvs();
});

async function discover(environment: Record<string, string>): Promise<Discovered> {
  const path = "firebase-tools/lib/deploy/functions/runtimes/index.js";
  const { default: runtimes } = (await import(path)) as { default: Runtimes };
  const delegate = await runtimes.getRuntimeDelegate({
    projectId: "demo-manifest",
    projectDir: root,
    sourceDir: join(root, "functions"),
    runtime: "nodejs24",
  });
  await delegate.validate();
  return discovered.parse(await delegate.discoverBuild({}, environment));
}

test("functions, options, parameters and rights are those of manifest.txt", async () => {
  await expect(described()).toMatchFileSnapshot("manifest.txt");
});

test("a kit has the same functions and parameters", () => {
  expect([kit.endpoints, kit.params]).toEqual([codebase.endpoints, codebase.params]);
});

test.each([
  ["ENFORCE_APP_CHECK", "TRUE"],
  ["DIRECT_WRITES", "yes"],
  ["MAX_INSTANCES", ""],
])("%s=%s ends a deployment while the codebase is loaded, with a sentence", async (name, text) => {
  const said = text === "" ? "has nothing after =" : `is "${text}"`;
  await expect(discover({ [name]: text })).rejects.toThrow(`${name} ${said}. It takes`);
});

test("init gives each parameter the value that it has by default", () => {
  const defaults = codebase.params.map(({ name, default: value }) => [name, String(value)] as const);
  expect(chosenValues()).toEqual(Object.fromEntries(defaults));
});

function described(): string {
  const options = Object.entries(codebase.endpoints).map(
    ([name, fields]) => [name, optionsOf(name, fields)] as const,
  );
  const [[, first] = ["", []]] = options;
  const common = first.filter((option) => options.every(([, others]) => others.includes(option)));
  const functions = options.map(
    ([name, own]) => `${name}: ${own.filter((option) => !common.includes(option)).join(", ")}`,
  );
  const parts = {
    Parameters: codebase.params.map(parameterLine),
    "All functions": common,
    Functions: functions.toSorted(),
    "Calls that need an App Check token where ENFORCE_APP_CHECK is true, unless an admin calls":
      protectedCalls(),
    APIs: codebase.requiredAPIs.map(apiLine),
    Roles: codebase.requiredRoles ?? ["none: the project's default account is taken"],
    "APIs of a function kit": kit.requiredAPIs.map(apiLine),
    "Roles of a function kit": kit.requiredRoles ?? [],
  };
  return `${Object.entries(parts)
    .map(([title, lines]) => [title, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n\n")}\n`;
}

/** All options that a function has, those that are left to Google's default left out. */
function optionsOf(name: string, { project: _, entryPoint, ...fields }: Record<string, unknown>): string[] {
  const named = entryPoint === name ? {} : { entryPoint };
  return flat({ ...fields, ...named }).toSorted((a, b) => Number(isTrigger(b)) - Number(isTrigger(a)));
}

const isTrigger = (option: string) => /^\w+Trigger\b/.test(option);

/** A field to a line, with the names of the objects it lies in: `taskQueueTrigger.retryConfig.maxAttempts 3`. */
function flat(value: unknown, path: readonly string[] = []): string[] {
  if (value == null) return [];
  if (Array.isArray(value) || typeof value !== "object") return [`${path.join(".")} ${textOf(value)}`];
  const fields = Object.entries(value).flatMap(([name, field]) => flat(field, [...path, name]));
  return fields.length === 0 && path.at(-1)?.endsWith("Trigger") === true ? [path.join(".")] : fields;
}

/** A parameter by its name alone, and the release by no number, as each has another. */
const textOf = (value: unknown) =>
  value === versionLabel
    ? "<version>"
    : (typeof value === "string" ? value : JSON.stringify(value)).replace(/^\{\{ params\.(\w+) \}\}$/, "$1");

function parameterLine({ name, type, description, ...more }: z.infer<typeof param>): string {
  const rest = flat(more).join(", ");
  return `${name}: ${type}, ${rest}. ${description}`;
}

const apiLine = ({ api, reason }: Discovered["requiredAPIs"][number]) => `${api}: ${reason}`;

function protectedCalls(): string[] {
  const player = { uid: "ann" };
  return Object.values(specs)
    .map(({ name }) => name)
    .filter((name) => needsApp(name, player))
    .toSorted();
}
