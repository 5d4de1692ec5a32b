/** What the checks look at: a project or its emulators, with what several of them ask, asked once. */
import { z } from "zod";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { commandName } from "../command-name.ts";
import { projectsIn } from "../firebaserc.ts";
import { boardsOf } from "../init/indexes.ts";
import { readIn } from "../init/project-folder.ts";
import type { Api, Service } from "./api.ts";
import { deployedFunctions, deploymentOf, emulatedFunctions } from "./deployment.ts";
import { type Finding, listed, NotChecked, orUnchecked, type Unchecked } from "./finding.ts";

/** Host and port of each emulator that runs; undefined on a real project. */
export type Emulators = Partial<Record<string, string>>;

export interface PatientOptions {
  project: string;
  database: string;
  prefix?: string | undefined;
  region?: string | undefined;
  emulators?: Emulators | undefined;
  api: Api;
  db: Firestore;
  now: () => number;
  /** The time zone of the user's computer. */
  timeZone: string;
  /** Where the project's files are on this computer, if they are here. */
  folder?: string | undefined;
}

const databaseAnswer = z.looseObject({
  locationId: z.string(),
  type: z.string().optional(),
  databaseEdition: z.string().optional(),
});

export type Patient = ReturnType<typeof createPatient>;

export function createPatient(options: PatientOptions) {
  const { project, database, emulators, api } = options;
  /** The functions. @throws NotChecked */
  const deployment = once(async () => {
    if (emulators === undefined) return deploymentOf(await deployedFunctions(api, project), options);
    const host = emulators["functions"];
    return deploymentOf(host === undefined ? [] : await emulatedFunctions(host), options);
  });
  /** The database as the project has it; undefined if it has none of this name. @throws NotChecked on emulators too */
  const storedDatabase = once(async () => {
    if (emulators === undefined)
      return api.get(
        "firestore.googleapis.com",
        `v1/projects/${project}/databases/${database}`,
        databaseAnswer,
      );
    throw new NotChecked("The emulator has no place, and every database that it is asked for.", {
      isAbsent: true,
    });
  });
  /** The same, as far as somebody tells it. */
  const knownDatabase = async () => (await orUnchecked(storedDatabase())).answer;
  /** Firerank's functions. @throws NotChecked where none is deployed */
  const ownFunctions = async () => {
    const [first, ...others] = Array.from((await deployment()).own.values()).flat();
    if (first === undefined) throw new NotChecked("None of Firerank's functions is deployed.");
    return [first, ...others] as const;
  };
  /** The region of Firerank's functions. @throws NotChecked where none is deployed */
  const functionsRegion = async () => options.region ?? (await ownFunctions())[0].region;
  return {
    ...options,
    ...{ deployment, storedDatabase, knownDatabase, ownFunctions, functionsRegion },
    /** Whether the database is known to be of the Enterprise edition, which indexes nothing by itself. */
    isEnterprise: async () => (await knownDatabase())?.databaseEdition === "ENTERPRISE",
    /** The kinds of the boards that there are, on which the indexes of that edition depend. Cost: 1 read a board. */
    boardKinds: async () => (await boardsOf(options.db)).kinds,
    /** What a service has in the functions' region, by its id. @throws NotChecked */
    async inRegion<T extends { name: string }>(
      service: Service,
      version: string,
      kind: "queues" | "jobs",
      schema: z.ZodType<T>,
    ) {
      const parent = `projects/${project}/locations/${await functionsRegion()}/${kind}`;
      const all = await api.list(service, `${version}/${parent}?pageSize=500`, kind, schema);
      return new Map(all.map((one) => [one.name.slice(parent.length + 1), one]));
    },
  };
}

/** The project's firebase.json. @throws NotChecked where there is none here, or where it is of other projects */
export function configOf({ folder, project, emulators }: Patient): { folder: string; config: string } {
  const config = folder === undefined ? undefined : readIn(folder, "firebase.json");
  if (folder === undefined || config === undefined)
    throw new NotChecked("There is no firebase.json in this folder.", { isAbsent: true });
  const named = Object.values(projectsIn(folder)).filter((id) => id !== undefined);
  // Emulators run a folder under any name.
  if (emulators === undefined && named.length > 0 && !named.includes(project))
    throw new NotChecked(
      `${folder} is the folder of another project: its .firebaserc names ${listed(named)}.`,
      { isAbsent: true },
    );
  return { folder, config };
}

/** A command of this program on the same database, for a report. */
export function commandOn({ project, database, emulators }: Patient, words: string): string {
  const named = database === "(default)" ? "" : ` --database ${database}`;
  return `${commandName} ${words} --project ${project}${named}${emulators === undefined ? "" : " --emulators"}`;
}

/** Such as of `functions`, for a report. */
export function deployOf({ project }: Patient, what: string, ...options: string[]): string {
  return ["npx firebase deploy --only", what, ...options, "--project", project].join(" ");
}

export const restart = "Stop the emulators and start them again: npx firebase emulators:start";

/** Asks at the first call; the others get the same answer. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/** One question about a project. */
export interface Check {
  name: string;
  /** How to look without this command. */
  byHand: string;
  /** Why there is nothing to look at on emulators. */
  absent?: string;
  /** What shows its findings. */
  known: string;
  /**
   * Yields its findings, and what it could not look at; only reads.
   * @returns what it saw that is well or worth knowing
   * @throws NotChecked where it cannot look at all
   */
  look(patient: Patient): AsyncGenerator<Finding | Unchecked, string>;
}
