/** What the dashboard's page has to know of a project or of emulators, and what its user should. */
import { z } from "zod";
import { CliError } from "../cli-error.ts";
import { type Emulators, type Patient } from "../doctor/patient.ts";
import { NotChecked, orUnchecked } from "../doctor/finding.ts";

interface Address {
  host: string;
  port: number;
}

export interface PageConfig {
  /** Hosting's `init.json`: the web app's configuration; and as `firerank` what variables of a build say otherwise. */
  init: object;
  /** The addresses of the emulators; undefined on a real project. */
  emulators: Record<"auth" | "firestore" | "functions", Address> | undefined;
  notes: readonly string[];
}

const webApp = z.looseObject({ appId: z.string(), state: z.string().optional() });
const webConfig = z.looseObject({ apiKey: z.string(), projectId: z.string() });
const enforcement = z.looseObject({ enforcementMode: z.string().optional() });

/**
 * Asks the project, or its emulators. It reads no documents, and writes nothing.
 * @throws CliError where the page could not work, with what to do
 */
export async function pageConfigOf(patient: Patient): Promise<PageConfig> {
  try {
    const emulators = patient.emulators && addressesOf(patient, patient.emulators);
    const { settings, notes } = await settingsOf(patient);
    if (emulators !== undefined) {
      const init = { projectId: patient.project, apiKey: "of-emulators", firerank: settings };
      return { init, emulators, notes };
    }
    const init = { ...(await webConfigOf(patient)), firerank: settings };
    return { init, emulators, notes: [...notes, ...(await notesOn(patient))] };
  } catch (error) {
    if (!(error instanceof NotChecked)) throw error;
    const { why, byHand } = error.unchecked;
    throw new CliError(byHand === undefined ? why : `${why} Do this: ${byHand}.`, { cause: error });
  }
}

/** The three that the page speaks with. @throws CliError without them: the page would ask the real project instead */
function addressesOf({ project }: Patient, running: Emulators) {
  const [auth, firestore, functions] = (["auth", "firestore", "functions"] as const).map((name) => {
    const at = running[name];
    if (at !== undefined) return addressIn(at);
    throw new CliError(
      `The dashboard needs the ${name} emulator of project ${project}, which does not run or is told by no hub. ` +
        "Start all of them: npx firebase emulators:start",
    );
  }) as [Address, Address, Address];
  return { auth, firestore, functions };
}

function addressIn(at: string): Address {
  const { hostname, port } = new URL(`http://${at}`);
  return { host: hostname, port: Number(port) };
}

/** Region and prefix of the functions, if they can be asked, and the database. */
async function settingsOf(patient: Patient) {
  const { database, prefix, region } = patient;
  const deployed = async () => ({
    region: await patient.functionsRegion(),
    prefix: (await patient.deployment()).prefix,
  });
  const { answer, unchecked } = await orUnchecked(deployed());
  const edition = (await patient.knownDatabase())?.databaseEdition;
  const settings = {
    region: answer?.region ?? region,
    prefix: answer?.prefix ?? prefix,
    ...(database === "(default)" ? {} : { database }),
    ...(edition === "ENTERPRISE" ? { edition: "enterprise" } : {}),
  };
  const why = unchecked?.why ?? "";
  const note = `${why} Without functions, the dashboard shows what is stored and changes nothing. Their place is --region, and --prefix.`;
  return { settings, notes: unchecked === undefined ? [] : [note] };
}

/** The configuration of a web app, whose key signs people in. @throws CliError if the project has none */
async function webConfigOf({ api, project }: Patient) {
  const path = `v1beta1/projects/${project}/webApps`;
  const apps = await api.list("firebase.googleapis.com", `${path}?pageSize=100`, "apps", webApp);
  const [first] = apps.filter(({ state }) => state !== "DELETED");
  const config =
    first && (await api.get("firebase.googleapis.com", `${path}/${first.appId}/config`, webConfig));
  if (config !== undefined) return config;
  throw new CliError(
    `Project ${project} has no web app, and with the key of one the dashboard signs you in. Register one, and run the ` +
      `command again: npx firebase apps:create web dashboard --project ${project}`,
  );
}

/** What one should know who signs in to a real project from here. */
async function notesOn({ api, project }: Patient): Promise<string[]> {
  const path = `v1/projects/${project}/services/firestore.googleapis.com`;
  const { answer } = await orUnchecked(api.get("firebaseappcheck.googleapis.com", path, enforcement));
  const refused =
    "App Check is enforced for Firestore, so the dashboard is refused everything from here: docs/dashboard.md says how to " +
    "deploy one with a key.";
  return [
    ...(answer?.enforcementMode === "ENFORCED" ? [refused] : []),
    "Sign in by e-mail address and password; or with Google, if localhost is among the authorized domains of " +
      `Authentication: https://console.firebase.google.com/project/${project}/authentication/settings`,
  ];
}
