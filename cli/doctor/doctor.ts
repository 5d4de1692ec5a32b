/** `firerank doctor`: checks a project or running emulators, and says what to do about each finding. */
import { applicationDefault } from "firebase-admin/app";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { hostsOfEmulators } from "../hub.ts";
import { createProgress, type ProgressStream } from "../progress.ts";
import { checkCredentials, checkEmulator, type Target } from "../target.ts";
import { type ApiOptions, createApi, googleAddress } from "./api.ts";
import { checks, examine, type Report } from "./examine.ts";
import { createPatient, type Emulators, type Patient, type PatientOptions } from "./patient.ts";

type Environment = Record<string, string | undefined>;

/** Writes nothing. Cost: at most some thousand reads, most for the bill. @throws CliError also without credentials */
export async function examineTarget(
  target: Target,
  options: Pick<PatientOptions, "prefix" | "region" | "folder">,
  environment: Environment,
  stream: ProgressStream,
): Promise<Report> {
  const patient = await patientOf(target, options, environment);
  // A line for each check would say less than the report that follows.
  const progress = stream.isTTY ? createProgress(stream, "Checking", checks.length, "checks") : undefined;
  try {
    return await examine(patient, { progress: (done) => progress?.update(done) });
  } finally {
    progress?.stop();
    await patient.db.terminate();
  }
}

/** What is known of a target, and can be asked. @throws CliError without credentials, and where its emulator is gone */
export async function patientOf(
  target: Target,
  options: Pick<PatientOptions, "prefix" | "region" | "folder">,
  environment: Environment,
): Promise<Patient> {
  await checkCredentials(target);
  // Each question to one that is gone would wait for it anew.
  await checkEmulator(target);
  const { project, database } = target;
  const emulators = await emulatorsOf(target, environment);
  const db = new Firestore({ projectId: project, databaseId: database });
  const api = createApi({ project, ...(emulators === undefined ? ofGoogle() : ofEmulators(emulators)) });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const place = { project, database, emulators, timeZone };
  return createPatient({ ...options, ...place, api, db, now: Date.now });
}

async function emulatorsOf(
  { project, emulator }: Target,
  environment: Environment,
): Promise<Emulators | undefined> {
  if (emulator === undefined) return undefined;
  const known = await hostsOfEmulators({ project, firestore: emulator }, environment);
  return { ...known, firestore: emulator, auth: environment["FIREBASE_AUTH_EMULATOR_HOST"] ?? known["auth"] };
}

type Connection = Pick<ApiOptions, "token" | "addressOf">;

function ofGoogle(): Connection {
  const credential = applicationDefault();
  return { token: async () => (await credential.getAccessToken()).access_token, addressOf: googleAddress };
}

/** Of Google's APIs only that of accounts has an emulator. */
export function ofEmulators({ auth }: Emulators): Connection {
  return {
    token: () => Promise.resolve("owner"),
    addressOf: (service) =>
      service === "identitytoolkit.googleapis.com" && auth !== undefined
        ? `http://${auth}/${service}`
        : undefined,
  };
}
