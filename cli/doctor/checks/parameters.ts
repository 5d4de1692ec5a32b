/** Whether each parameter has a value, in this folder and in the deployed functions, and the same one in both. */
import { basename } from "node:path";
import { type ParameterName, parameterNames, wrongIn } from "../../../functions/src/model/parameters.ts";
import { projectsIn } from "../../firebaserc.ts";
import { functionsIn } from "../../init/functions-for.ts";
import { misspelt } from "../../init/misspelt.ts";
import {
  emulatorsFile,
  type Parameters,
  parametersIn,
  saidTwice,
  textsIn,
  wrongParameters,
} from "../../init/parameters.ts";
import { type Functions, variablesOf } from "../deployment.ts";
import { danger, fault, type Finding, listed } from "../finding.ts";
import { type Check, configOf, deployOf, type Patient, restart } from "../patient.ts";

/** The files that are not for one project. */
const sharedFiles: readonly string[] = [".env", emulatorsFile];

export const parameters: Check = {
  name: "parameters",
  byHand:
    "Google Cloud console, Cloud Run functions: the variables of each function, beside the codebase's .env",
  known: "The functions' variables, and the files .env in this folder.",
  async *look(patient) {
    const { own, codebase = "firerank" } = await patient.deployment();
    const deploy = patient.emulators === undefined ? deployOf(patient, `functions:${codebase}`) : restart;
    const deployed = wrongDeployed(own, deploy);
    yield* deployed;
    const files = filesOf(patient, codebase);
    const found = [
      ...bothNamed(files, patient.project),
      ...wrongInFiles(files, deploy),
      ...differing(own, files, deploy),
    ];
    yield* found;
    const paths = files.flatMap((one) => one.files).map(({ path }) => path);
    if (paths.length === 0) return `no .env of ${codebase} in this folder`;
    return `${deployed.length + found.length === 0 ? "as in" : "compared with"} ${listed(paths)}`;
  },
};

function wrongDeployed(own: Functions, deploy: string): Finding[] {
  return parameterNames.flatMap((name) => {
    const all = variablesOf(own, name);
    const wrong = all.filter(({ value }) => wrongIn(name, value) !== undefined);
    const [first] = wrong;
    if (first === undefined) return [];
    const which = wrong.length === all.length ? "" : ` (${listed(wrong.map((one) => one.name))})`;
    return fault(
      "parameter-wrong",
      `Deployed${which}: ${wrongIn(name, first.value) ?? ""}`,
      `Write it so into the codebase's .env. Then: ${deploy}`,
      "The functions' variables.",
    );
  });
}

/** Where a file has the project's id and another one its alias: the Firebase CLI loads neither by the alias. */
function bothNamed(files: readonly Parameters[], project: string): Finding[] {
  return files.flatMap((one) => {
    const paths = one.files.map(({ path }) => path).filter((path) => !sharedFiles.includes(basename(path)));
    const byId = paths.find((path) => basename(path) === `.env.${project}`);
    const byAlias = paths.find((path) => path !== byId);
    if (byId === undefined || byAlias === undefined) return [];
    return fault(
      "parameter-wrong",
      `${byId} and ${byAlias} are both for the project ${project}, and the Firebase CLI refuses to load them together.`,
      `Put all lines into ${byId}, and delete ${byAlias}.`,
      "The folder.",
    );
  });
}

function wrongInFiles(files: readonly Parameters[], deploy: string): Finding[] {
  const [asSaid, withoutOther] = [`Write it so. Then: ${deploy}`, `Take the other line out. Then: ${deploy}`];
  const rightName = `Write the right name, if you mean it. Then: ${deploy}`;
  return [
    ...wrongParameters(files).map((sentence) => fault("parameter-wrong", sentence, asSaid, "The file.")),
    ...saidTwice(files).map((sentence) => danger("parameter-twice", sentence, withoutOther, "The file.")),
    ...misspelt(files).map((sentence) => danger("parameter-unknown", sentence, rightName, "The file.")),
  ];
}

function differing(own: Functions, files: readonly Parameters[], deploy: string): Finding[] {
  return parameterNames.flatMap((name) => {
    const said = lastOf(files, name);
    if (said === undefined || wrongIn(name, said.value) !== undefined) return [];
    const others = variablesOf(own, name).filter(({ value }) => value !== said.value);
    const [first] = others;
    if (first === undefined || wrongIn(name, first.value) !== undefined) return [];
    return danger(
      "parameter-differs",
      `${said.path} says ${name}=${said.value}, and ${listed(others.map((one) => one.name))} run with ${first.value}.`,
      `If the file is right: ${deploy}. Otherwise change the file.`,
    );
  });
}

/**
 * The files that a deployment of the codebase to the project reads, or the emulators read, in this order: a later file
 * replaces what an earlier file says.
 * @throws NotChecked
 */
function filesOf(patient: Patient, codebase: string): Parameters[] {
  const { folder, config } = configOf(patient);
  const { known } = functionsIn(folder, config);
  const aliases = Object.entries(projectsIn(folder)).flatMap(([alias, id]) =>
    id === patient.project ? alias : [],
  );
  const ofProject = [patient.project, ...aliases].map((one) => `.env.${one}`);
  const names = [".env", ...ofProject, ...(patient.emulators === undefined ? [] : [emulatorsFile])];
  const folders = known.filter((one) => one.codebase === codebase).map((one) => one.parameters);
  return parametersIn(folder, folders).map((one) => ({
    ...one,
    files: names.flatMap((name) => one.files.find(({ path }) => basename(path) === name) ?? []),
  }));
}

function lastOf(
  all: readonly Parameters[],
  name: ParameterName,
): { path: string; value: string } | undefined {
  return all
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) => {
      const value = textsIn(text)[name];
      return value === undefined ? [] : { path, value };
    })
    .at(-1);
}
