/** `firerank init`: puts Firerank into a Firebase project, without harm to what is there. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { ask } from "../ask.ts";
import { CliError } from "../cli-error.ts";
import { defaultProject } from "../firebaserc.ts";
import { checkDatabase, databaseFor, parameterFiles, valuesOf, withParameters } from "./database.ts";
import { askDirectWrites, directWritesFor, directWritesNote } from "./direct-writes.ts";
import { editionOf, wantedIndexes } from "./edition.ts";
import { functionsFor } from "./functions-for.ts";
import { databaseIn, databasesIn, mergeFirebaseJson } from "./merge-firebase-json.ts";
import { exemptedFields, indexedCollections, mergeIndexes } from "./merge-indexes.ts";
import { mergeRules } from "./merge-rules.ts";
import {
  keptNote,
  openRulesNotes,
  severalDatabasesNote,
  unaskedNotes,
  unseenNotes,
  unusedNote,
} from "./notes.ts";
import { installTarball, isIgnored, oldTarballs, ownFile, pack, postInstallPage } from "./package.ts";
import { postInstall } from "./post-install.ts";
import { type Answers, askFor, chosenNote, chosenValues, unanswered } from "./chosen.ts";
import { isDependent, unfitnessOf } from "./their-functions.ts";
import { readIn } from "./project-folder.ts";
import { readJsonFile, setIn } from "./json-file.ts";

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
  answers?: Answers | undefined;
  /** Somebody has compared the names of functions in codebases that can't be asked. */
  namesChecked?: boolean | undefined;
  say: (line: string) => void;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
}

export interface Change {
  path: string;
  before: string | undefined;
  after: string;
}

interface Plan {
  changes: Change[];
  /** Firerank's folder, if it has one that this command made or makes. */
  source: string | undefined;
  others: string[];
  /** What the names of Firerank's functions begin with. */
  prefix: string | undefined;
  /** Rules and indexes that are written as new files, though the deployed ones may have more. */
  unseen: string[];
  /** What the owner should know, and can live with. */
  notes: string[];
  /** Whether nobody has said if servers write players' documents by themselves. */
  asksDirectWrites: boolean;
  /** Other parameters that nobody has chosen. */
  unanswered: ReturnType<typeof unanswered>;
}

/**
 * Adds Firerank's codebase, rules, indexes and emulators. Everything is read and merged first, the difference shown, and
 * only then written. A second run changes nothing.
 * @throws CliError with what to do by hand, where something collides or cannot be merged; nothing was written then
 */
export async function initProject(options: InitOptions): Promise<void> {
  const { project, say, yes, input } = options;
  // Read first, so that a file that is wrong ends this before anything is written.
  const named = defaultProject(project);
  let plan = planFor(options);
  if (!yes && input.isTTY === true) {
    const answers = await askFor(plan.unanswered, input);
    const directWrites = plan.asksDirectWrites ? await askDirectWrites(input) : options.directWrites;
    plan = planFor({ ...options, answers, directWrites });
  }
  const { source, others, prefix, unseen } = plan;
  const packed = source === undefined ? undefined : { source, ...pack() };
  try {
    const ofPackage = packed === undefined ? nothingPacked : planOf(project, packed, others);
    const changes = [...plan.changes, ...ofPackage.changes];
    for (const { path, before, after } of changes) say(patchOf(path, before, after));
    for (const path of ofPackage.old) say(`Removes ${path}, of another version.\n`);
    for (const note of plan.notes) say(`Note: ${note}\n`);
    if (changes.length === 0 && ofPackage.old.length === 0 && ofPackage.isInstalled) {
      say("Nothing to do: Firerank is in this project.");
      return;
    }
    await confirm(options);
    for (const { path, after } of changes) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), after);
    }
    if (packed !== undefined) {
      copyFileSync(join(packed.from, packed.tarball), join(project, packed.source, packed.tarball));
      say(`Running npm install in ${packed.source}/ …`);
      installTarball(join(project, packed.source), packed.tarball);
    }
    for (const path of ofPackage.old) rmSync(join(project, path));
    say(nextSteps(source, unseen));
    const firebaseJson = readIn(project, "firebase.json") ?? "{}";
    say(`\n${postInstall(postInstallPage(), { firebaseJson, prefix, project: named })}`);
  } finally {
    if (packed !== undefined) rmSync(packed.from, { recursive: true, force: true });
  }
}

/** The package that goes into Firerank's folder. */
interface Packed {
  source: string;
  /** The folder for temporary files that the tarball is in. */
  from: string;
  tarball: string;
}

/** What the package itself changes in a project. */
interface PackagePlan {
  changes: Change[];
  /** Tarballs of other versions, which go. */
  old: string[];
  /** Whether the same tarball is installed already. */
  isInstalled: boolean;
}

const nothingPacked: PackagePlan = { changes: [], old: [], isInstalled: true };

function planOf(project: string, packed: Packed, others: readonly string[]): PackagePlan {
  const { source, tarball } = packed;
  return {
    changes: codebaseFiles(project, source, tarball),
    old: oldTarballs(project, source, tarball, others),
    isInstalled: isSame(packed, join(project, source)),
  };
}

/** What there is to change, and to know. Without the files of a new codebase, as they need the packed package. @throws CliError */
export function planFor(options: InitOptions): Plan {
  const { project, databaseId: asked, prefix, edition: askedEdition } = options;
  const config = readIn(project, "firebase.json");
  checkDatabase(asked);
  const { own, others, reexports, known, unasked } = functionsFor(options, config);
  const isCopied = own !== undefined && nameIn(project, own.source) === "firerank";
  const source = reexports.length > 0 || isCopied ? undefined : (own?.source ?? freeFolder(project));
  const inFolders = known.length === 0 ? [source ?? "firerank"] : known.map((one) => one.parameters);
  const parameters = inFolders.map((folder) => ({ folder, files: parameterFiles(project, folder) }));
  const databaseId = databaseFor(asked, parameters, databasesIn(config));
  const directWrites = directWritesFor(options.directWrites, parameters);
  const asksDirectWrites = directWrites === undefined && valuesOf(parameters, "DIRECT_WRITES").length === 0;
  const edition = editionOf(askedEdition, databaseIn(config, databaseId)?.edition);
  const merged = mergeFirebaseJson(config, { source, prefix, databaseId, edition });
  const rules = mergeRules(readIn(project, merged.rules), ownFile("firestore.rules"));
  const wanted = wantedIndexes(edition, ownFile("firestore.indexes.json"));
  const indexes = mergeIndexes(readIn(project, merged.indexes), wanted);
  const changes = [
    changeOf(project, "firebase.json", merged.text),
    changeOf(project, merged.rules, rules.text),
    changeOf(project, merged.indexes, indexes.text),
    ...withParameters(
      parameters,
      chosenValues(options.answers ?? {}, databaseId, directWrites ?? "true"),
    ).map(({ path, text }) => changeOf(project, path, text)),
    ...(source === undefined ? [] : changeOf(project, `${source}/.gitignore`, gitignoreFor(project, source))),
  ].flat();

  const unseen = [
    ...(rules.isNew ? [merged.rules] : []),
    ...((readIn(project, merged.indexes) ?? "").trim() === "" ? [merged.indexes] : []),
  ];
  const notes = [
    ...unaskedNotes(unasked),
    ...unseenNotes(unseen),
    ...openRulesNotes(merged.rules, rules),
    ...(known.length > 0 ? [] : others.filter((one) => isDependent(project, one.source))).map(unusedNote),
  ];
  const collections = new Set([...rules.collections, ...indexes.collections]);
  const sharedNotes = edition === "enterprise" ? enterpriseNotes : exemptionNotes;
  notes.push(...sharedNotes(wanted.wanted, collections, merged.indexes));
  notes.push(...indexes.kept.map(keptNote), ...(merged.databases > 1 ? [severalDatabasesNote] : []));
  const [{ parameters: folder } = { parameters: source ?? "firerank" }] = known;
  const chosen = unanswered(parameters);
  if (chosen.length > 0 && options.answers === undefined) notes.push(chosenNote(chosen, `${folder}/.env`));
  if (asksDirectWrites) notes.push(directWritesNote);
  if (source === undefined) notes.push(...ignoredNotes(project, `${folder}/.env`));
  notes.push(...known.flatMap((one) => unfitnessOf(project, one)).map(({ what, todo }) => `${what} ${todo}`));
  const [first] = known;
  if (source === undefined && first !== undefined)
    notes.push(`The codebase in ${first.source}/ has Firerank's functions already, so none is added.`);
  const theirs = others.map((one) => one.source);
  return {
    changes,
    source,
    others: theirs,
    prefix: first === undefined ? prefix : first.prefix,
    unseen,
    notes,
    asksDirectWrites,
    unanswered: chosen,
  };
}

/** @param collections of theirs */
function exemptionNotes(wanted: string, collections: ReadonlySet<string>, file: string): string[] {
  const fields = exemptedFields(wanted);
  return [...collections].flatMap((name) => {
    const exempted = fields.get(name);
    if (exempted === undefined) return [];
    return (
      `Your collection ${name} has the name of one of Firerank's, and so gets its exemptions: ${exempted.join(", ")}. ` +
      `If you query by one of these fields alone, add its index to the exemption in ${file}.`
    );
  });
}

/** @param collections of theirs */
function enterpriseNotes(wanted: string, collections: ReadonlySet<string>): string[] {
  const shared = indexedCollections(wanted).filter((name) => collections.has(name));
  return [
    "The indexes are those of the Enterprise edition, for boards where the highest score leads. Run `npx --no-install firerank " +
      "indexes` when you have boards of other kinds: a query without its index reads a whole collection.",
    ...shared.map(
      (name) =>
        `Your collection ${name} has the name of one of Firerank's. Its documents get an entry in each of Firerank's ` +
        "indexes of that name, which costs writes.",
    ),
  ];
}

function ignoredNotes(project: string, path: string): string[] {
  if (!isIgnored(project, path)) return [];
  return [
    `git ignores ${path}, so a deploy from a clone, as in CI, would not find it. Write \`!${path}\` behind the line of ` +
      ".gitignore that says so.",
  ];
}

/** What git keeps of Firerank's folder, whatever the project's own .gitignore says: a clone has to have it. */
const gitignore = "node_modules/\n*.log\n!.env*\n*.local\n!*.tgz\n!package-lock.json\n";

/** One that is there stays. */
function gitignoreFor(project: string, source: string): string {
  return readIn(project, `${source}/.gitignore`) ?? gitignore;
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

export function patchOf(path: string, before: string | undefined, after: string): string {
  const patch = createTwoFilesPatch(before === undefined ? "/dev/null" : path, path, before ?? "", after);
  return patch.replace(/^=+\n/, "");
}

export async function confirm({
  yes,
  input,
  say,
}: Pick<InitOptions, "yes" | "input" | "say">): Promise<void> {
  if (yes) return;
  if (input.isTTY !== true) throw new CliError("Nothing was written. Write it with --yes.", { exitCode: 2 });
  if (!/^y(es)?$/i.test(await ask(input, "Write this? [y/N] "))) throw new CliError("Nothing was written.");
  say("");
}

/** @param unseen new files, which are not to be deployed before they have what the console has */
function nextSteps(source: string | undefined, unseen: readonly string[]): string {
  const functions = source === undefined ? "functions" : "functions:firerank";
  return [
    "Firerank is in this project. Try it, or deploy it:",
    "",
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
