/** `firerank init`: puts Firerank into a Firebase project, without harm to what is there. */
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { createTwoFilesPatch, diffLines } from "diff";
import type { Texts } from "../../functions/src/model/parameters.ts";
import { ask } from "../ask.ts";
import { CliError, usageError } from "../cli-error.ts";
import { projectsIn } from "../firebaserc.ts";
import { count } from "../progress.ts";
import { brokenRules } from "./broken-rules.ts";
import { editionOf, wantedIndexes } from "./edition.ts";
import { functionsFor } from "./functions-for.ts";
import { mergeFirebaseJson } from "./merge-firebase-json.ts";
import { mergeIndexes } from "./merge-indexes.ts";
import { mergeRules } from "./merge-rules.ts";
import { misspelt } from "./misspelt.ts";
import * as note from "./notes.ts";
import { installTarball, isIgnored, oldTarballs, ownFile, pack, postInstallPage } from "./package.ts";
import { postInstall } from "./post-install.ts";
import {
  askFor,
  checkDirectWrites,
  chosenNote,
  databaseFor,
  parametersIn,
  refuseWrong,
  unanswered,
  withParameters,
} from "./parameters.ts";
import { isDependent, unfitnessOf } from "./their-functions.ts";
import { readIn } from "./project-folder.ts";
import { isBlank, readJsonFile, setIn } from "./json-file.ts";
import { takenPorts } from "./taken-ports.ts";
import { patchesBack, undoFile } from "./undo.ts";
import { writeFiles } from "./write-files.ts";

export interface InitOptions {
  project: string;
  yes: boolean;
  /** The database that Firerank is in. By default the one that its parameters or firebase.json name. */
  databaseId?: string | undefined;
  /** The database's, where firebase.json does not say it. */
  edition?: string | undefined;
  /** What the names of Firerank's functions begin with, where it is added. */
  prefix?: string | undefined;
  /** Whether servers write players' documents by themselves: `true` or `false`. */
  directWrites?: string | undefined;
  /** The owner's answers to what is asked for where there is a terminal. */
  answers?: Texts | undefined;
  /** Somebody has compared the names of functions in codebases that can't be asked. */
  namesChecked?: boolean | undefined;
  /** Whether every line of the difference is shown, and not only how much changes. */
  diff?: boolean | undefined;
  /** Ports that something on this computer listens to. */
  takenPorts?: ReadonlySet<number> | undefined;
  say: (line: string) => void;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
}

interface Change {
  path: string;
  before: string | undefined;
  after: string;
}

interface Shown {
  changes: readonly Change[];
  removes?: readonly string[];
  notes?: readonly string[];
  isInstalled?: boolean;
}

/**
 * Adds Firerank's codebase, rules, indexes and emulators. Everything is read and merged first, the difference shown, and
 * only then written. A second run changes nothing.
 * @throws CliError with what to do by hand, where something collides or cannot be merged; nothing was written then
 */
export async function initProject(asked: InitOptions): Promise<void> {
  const { project, say, yes, input } = asked;
  // Read first, so that a file that is wrong ends this before anything is written.
  const named = projectsIn(project)["default"];
  const options = { takenPorts: await takenPorts(), ...asked };
  let plan = planFor(options);
  if (!yes && input.isTTY === true)
    plan = planFor({ ...options, answers: await askFor(plan.unanswered, input) });
  plan.notes.push(...(await brokenRules(plan.theirRules, process.env)));
  const { source, others, prefix, unseen, changes } = plan;
  const packed = source === undefined ? undefined : { source, ...pack() };
  try {
    let old: string[] = [];
    let isInstalled = true;
    if (packed !== undefined) {
      changes.push(...codebaseFiles(project, packed.source, packed.tarball));
      old = oldTarballs(project, packed.source, packed.tarball, others);
      isInstalled = isSame(packed, join(project, packed.source));
    }
    const removes = old.map((path) => `${path}, of another version`);
    const shown = { changes, removes, notes: plan.notes, isInstalled };
    if (!(await isWritten(options, shown, "Firerank is in this project."))) return;
    if (packed !== undefined) {
      copyFileSync(join(packed.from, packed.tarball), join(project, packed.source, packed.tarball));
      say(`Running npm install in ${packed.source}/ …`);
      installTarball(join(project, packed.source), packed.tarball);
    }
    for (const path of old) rmSync(join(project, path));
    say(nextSteps(source, unseen, hasFirebase(project)));
    const firebaseJson = readIn(project, "firebase.json") ?? "{}";
    say(`\n${postInstall(postInstallPage(), { firebaseJson, prefix, project: named })}`);
  } finally {
    if (packed !== undefined) rmSync(packed.from, { recursive: true, force: true });
  }
}

/** What there is to change, and to know. Without the files of a new codebase, as they need the packed package. @throws CliError */
export function planFor(options: InitOptions) {
  const { project, prefix, directWrites, answers } = options;
  const config = readIn(project, "firebase.json");
  const found = functionsFor(options, config);
  const { own, others, reexports, known, unasked } = found;
  const [first] = known;
  const isCopied = own !== undefined && nameIn(project, own.source) === "firerank";
  // Firerank's folder, if it has one that this command made or makes.
  const source = reexports.length > 0 || isCopied ? undefined : (own?.source ?? freeFolder(project));
  const folders = first === undefined ? [source ?? "firerank"] : known.map((one) => one.parameters);
  const env = `${folders[0] ?? ""}/.env`;
  const parameters = parametersIn(project, folders);
  refuseWrong(parameters);
  const DATABASE = databaseFor(options.databaseId, parameters, found.databases);
  checkDirectWrites(directWrites, parameters);
  const chosen = { ...answers, DATABASE, ...(directWrites && { DIRECT_WRITES: directWrites }) };
  const edition = editionOf(options.edition, found.entryOf(DATABASE)?.edition);
  const { takenPorts } = options;
  const merged = mergeFirebaseJson(config, { source, prefix, databaseId: DATABASE, edition, takenPorts });
  const theirRules = readIn(project, merged.rules);
  const rules = mergeRules(theirRules, ownFile("firestore.rules"));
  const wanted = wantedIndexes(edition);
  const theirIndexes = readIn(project, merged.indexes);
  const indexes = mergeIndexes(theirIndexes, wanted);
  const changes = [
    { path: "firebase.json", text: merged.text },
    { path: merged.rules, text: rules.text },
    { path: merged.indexes, text: indexes.text },
    ...withParameters(parameters, chosen),
    ...(source === undefined ? [] : [gitignoreFor(project, source)]),
  ].flatMap(({ path, text }) => changeOf(project, path, text));
  if (source !== undefined) {
    const shared = changes.filter(({ path }) => !path.startsWith(`${source}/`));
    const patches = `${source}/${undoFile}`;
    const text = patchesBack(shared, readIn(project, patches));
    if (shared.length > 0) changes.push(...changeOf(project, patches, text));
  }

  // Written as new files, though the deployed ones may have more.
  const unseen = [
    ...(rules.isNew ? [merged.rules] : []),
    ...((theirIndexes ?? "").trim() === "" ? [merged.indexes] : []),
  ];
  const open = unanswered(parameters, chosen);
  const collections = new Set([...rules.collections, ...indexes.collections]);
  const sharedNotes = edition === "enterprise" ? note.ofEnterprise : note.exemptions;
  const dependents = first === undefined ? others.filter((one) => isDependent(project, one.source)) : [];
  const notes = [
    ...note.unasked(unasked),
    ...note.unseen(unseen, rules.isNew),
    ...note.movedPorts(merged.moved),
    ...note.openRules(merged.rules, rules),
    ...dependents.map(note.unused),
    ...sharedNotes(wanted.wanted, collections, merged.indexes),
    ...indexes.kept.map(note.kept),
    ...(merged.databases > 1 ? [note.severalDatabases] : []),
    ...misspelt(parameters),
    ...(DATABASE === "default" ? [note.namedDefault] : []),
    ...(open.length > 0 ? [chosenNote(open, env)] : []),
    ...(source === undefined && isIgnored(project, env) ? [note.ignored(env)] : []),
    ...known.flatMap((one) => unfitnessOf(project, one)).map(({ what, todo }) => `${what} ${todo}`),
    ...(source === undefined && first !== undefined
      ? [`The codebase in ${first.source}/ has Firerank's functions already, so none is added.`]
      : []),
  ];
  return {
    changes,
    source,
    others: others.map((one) => one.source),
    prefix: first === undefined ? prefix : first.prefix,
    unseen,
    notes,
    unanswered: open,
    theirRules: isBlank(theirRules) ? undefined : { path: merged.rules, text: theirRules },
  };
}

/** What git keeps of Firerank's folder, whatever the project's own .gitignore says: a clone has to have it. */
const gitignore = "node_modules/\n*.log\n!.env*\n*.local\n!*.tgz\n!package-lock.json\n";

/** One that is there stays. */
function gitignoreFor(project: string, source: string): { path: string; text: string } {
  const path = `${source}/.gitignore`;
  return { path, text: readIn(project, path) ?? gitignore };
}

/** The only line of code of a codebase that `init` makes. */
export const ownIndex = 'export * from "firerank";\n';

/** The files of a codebase that only depends on the package, so that an upgrade is an `npm install`. */
function codebaseFiles(project: string, source: string, tarball: string): Change[] {
  const path = `${source}/package.json`;
  const known = readIn(project, path);
  const dependencies = {
    "firebase-admin": "^14.2.0",
    "firebase-functions": "^7.4.0",
    firerank: `file:${tarball}`,
  };
  const fresh = { name: "firerank-codebase", private: true, type: "module", main: "index.js" };
  const text =
    known === undefined
      ? `${JSON.stringify({ ...fresh, engines: { node: "24" }, dependencies }, null, 2)}\n`
      : withDependency(path, known, dependencies.firerank);
  const index = readIn(project, `${source}/index.js`) ?? ownIndex;
  return [changeOf(project, path, text), changeOf(project, `${source}/index.js`, index)].flat();
}

function withDependency(path: string, known: string, wanted: string): string {
  const { dependencies } = readJsonFile(path, known) as { dependencies?: Record<string, string> };
  return dependencies?.["firerank"] === wanted ? known : setIn(known, ["dependencies", "firerank"], wanted);
}

/** `firerank`, or the first name after it that nothing has. */
function freeFolder(project: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? "firerank" : `firerank-${count}`;
    if (!existsSync(join(project, name))) return name;
  }
}

export function nameIn(project: string, source: string): unknown {
  const text = readIn(project, `${source}/package.json`);
  return text === undefined ? undefined : readJsonFile(`${source}/package.json`, text)["name"];
}

function isSame({ from, tarball }: { from: string; tarball: string }, folder: string): boolean {
  const there = join(folder, tarball);
  return (
    existsSync(there) &&
    existsSync(join(folder, "node_modules", "firerank")) &&
    readFileSync(there).equals(readFileSync(join(from, tarball)))
  );
}

export function changeOf(project: string, path: string, after: string): Change[] {
  const before = readIn(project, path);
  return before === after ? [] : [{ path, before, after }];
}

/**
 * Shows what there is to do, asks, and writes the changes.
 * @returns false where there is nothing
 * @throws CliError without a yes, or where one of them cannot be written; nothing was written then
 */
export async function isWritten(
  { project, yes, diff, input, say }: Pick<InitOptions, "project" | "yes" | "diff" | "input" | "say">,
  { changes, removes = [], notes = [], isInstalled = true }: Shown,
  nothing: string,
): Promise<boolean> {
  if (diff === true) for (const one of changes) say(patchOf(one));
  else if (changes.length > 0) say(`${summaryOf(changes)}\n\n--diff shows every line.\n`);
  for (const what of removes) say(`Removes ${what}.\n`);
  for (const one of notes) say(`Note: ${one}\n`);
  if (changes.length + removes.length === 0 && isInstalled) {
    say(`Nothing to do: ${nothing}`);
    return false;
  }
  if (!yes) {
    if (input.isTTY !== true) throw usageError("Nothing was written. Write it with --yes.");
    if (!/^y(es)?$/i.test(await ask(input, "Write this? [y/N] "))) throw new CliError("Nothing was written.");
    say("");
  }
  writeFiles(project, changes);
  return true;
}

function patchOf({ path, before, after }: Change): string {
  const patch = createTwoFilesPatch(before === undefined ? "/dev/null" : path, path, before ?? "", after);
  return patch.replace(/^=+\n/, "");
}

/** A line for each file: how many lines come, and how many go. */
function summaryOf(changes: readonly Change[]): string {
  const width = Math.max(...changes.map(({ path }) => path.length));
  const rows = changes.map(({ path, before, after }) => {
    const parts = diffLines(before ?? "", after);
    const lines = (isOf: (part: { added: boolean; removed: boolean }) => boolean) =>
      parts.filter(isOf).reduce((sum, part) => sum + part.count, 0);
    const [more, less] = [lines((part) => part.added), lines((part) => part.removed)];
    const isNew = before === undefined ? "new, " : "";
    return `  ${path.padEnd(width)}  ${isNew}${count(more, "line")} more${less === 0 ? "" : `, ${less} less`}`;
  });
  return rows.join("\n");
}

/** Whether `npx firebase` finds the Firebase CLI. Otherwise it takes the web SDK of that name, which is no program. */
function hasFirebase(project: string): boolean {
  const installed = (folder: string): boolean =>
    existsSync(join(folder, "node_modules", ".bin", "firebase")) ||
    (dirname(folder) !== folder && installed(dirname(folder)));
  const inPath = (process.env["PATH"] ?? "").split(delimiter);
  return installed(resolve(project)) || inPath.some((folder) => existsSync(join(folder, "firebase")));
}

/** @param unseen new files, which are not to be deployed before they have what the console has */
function nextSteps(source: string | undefined, unseen: readonly string[], isComplete: boolean): string {
  const functions = source === undefined ? "functions" : "functions:firerank";
  return [
    "Firerank is in this project. Try it, or deploy it:",
    "",
    ...(isComplete ? [] : ["  npm install --save-dev firebase-tools"]),
    "  npx firebase emulators:start",
    `  npx firebase deploy --only ${functions}${unseen.length === 0 ? ",firestore" : ""}`,
    "  npx --no-install firerank grant <your address> admin",
    ...(unseen.length === 0
      ? []
      : [
          "",
          `Firerank works once its rules and indexes are deployed too. First copy what the console has into ` +
            `${unseen.join(" and ")}, then run \`npx firebase deploy --only firestore\`.`,
        ]),
  ].join("\n");
}
