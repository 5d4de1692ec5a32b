/** `firerank init --remove`: the mirror of `init`. It takes out of a project's files what `init` puts in. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { allIndexes, editionOf } from "./edition.ts";
import { changeOf, type InitOptions, isWritten, nameIn, ownIndex } from "./init.ts";
import { functionsIn } from "./functions-for.ts";
import { type DatabaseEntry, defaultDatabase, withoutCodebase } from "./merge-firebase-json.ts";
import { mergeIndexes } from "./merge-indexes.ts";
import { withoutRules } from "./merge-rules.ts";
import { textsIn } from "./parameters.ts";
import { readIn } from "./project-folder.ts";
import { filesIn, undoFile, undone } from "./undo.ts";

type RemoveOptions = Pick<InitOptions, "project" | "yes" | "diff" | "say" | "input">;

/**
 * Takes all out that `init` has put in. Where it kept how a file was before (undo.ts), that comes back to the byte.
 * Otherwise the codebase, the block of rules, and the indexes and exemptions that are exactly Firerank's go; then
 * emulators, and what somebody has changed, stay. Nothing that is deployed or stored changes.
 * @throws CliError where the files can't be read, or nobody says yes; nothing was written then
 */
export async function removeFromProject(options: RemoveOptions): Promise<void> {
  const { project, say } = options;
  const { folder, made, commands, ...found } = removalFrom(options);
  const removes = [
    ...(folder === undefined ? [] : [`${folder}/, with its .env`]),
    ...made.map((path) => `${path}, which has nothing but what init wrote`),
  ];
  const nothing = "nothing that init writes is in this project.";
  if (!(await isWritten(options, { ...found, removes }, nothing))) return;
  for (const path of made) rmSync(join(project, path));
  if (folder !== undefined) rmSync(join(project, folder), { recursive: true });
  say(commands);
}

/** What removes what is deployed and stored. The functions come first, as the trigger follows each deleted document. */
function commandsFor(project: string, { own, known }: ReturnType<typeof functionsIn>): string {
  const texts = known.map(({ parameters }) => textsIn(readIn(project, `${parameters}/.env`) ?? ""));
  const id = texts.map(({ DATABASE }) => DATABASE).find(Boolean) ?? defaultDatabase;
  const database = id === defaultDatabase ? "" : ` --database ${id}`;
  return [
    "Firerank is out of these files. What is deployed and stored stays until you remove it, in this order:",
    own === undefined
      ? "  a deploy without its functions"
      : `  npx firebase functions:delete ${own.codebase}`,
    `  npx firebase firestore:delete leaderboards --recursive${database}`,
    '"Take it away again" in docs/deploy.md of Firerank\'s repository has the commands for the queues and the rest. ' +
      "Then run `npm uninstall firerank`.",
  ].join("\n");
}

/** Whether a folder is one that `init` made, with no code of theirs. */
function isAsMade(project: string, source: string): boolean {
  return (
    /^firerank(?:-\d+)?$/.test(source) &&
    nameIn(project, source) === "firerank-codebase" &&
    readIn(project, `${source}/index.js`) === ownIndex
  );
}

/**
 * How Firerank is taken out of each file that may have it: of every database, as an init before the last one may have been
 * for another, and of a file that only the patches name.
 */
function withoutOf(databases: readonly DatabaseEntry[], patched: readonly string[]) {
  const wanted = { indexes: [], fieldOverrides: [] };
  const known = databases.length === 0 ? [{}] : databases;
  return new Map<string, (text: string) => string>([
    ...patched.map((path) => [path, (text: string) => text] as const),
    ["firebase.json", withoutCodebase],
    ...known.flatMap((entry: DatabaseEntry) => {
      const { rules = "firestore.rules", indexes = "firestore.indexes.json" } = entry;
      const edition = editionOf(undefined, entry.edition);
      const withoutIndexes = (text: string) =>
        mergeIndexes(text, { wanted, alone: text, unwanted: allIndexes(), edition }).text;
      return [[rules, withoutRules] as const, [indexes, withoutIndexes] as const];
    }),
  ]);
}

/** @returns also the folder and the files that `init` made, which go @throws CliError */
function removalFrom({ project }: RemoveOptions) {
  const config = readIn(project, "firebase.json");
  if (config === undefined) return { changes: [], folder: undefined, made: [], notes: [], commands: "" };
  const functions = functionsIn(project, config);
  const { own, reexports, firestore } = functions;
  const isMade = own !== undefined && isAsMade(project, own.source);
  const patches = isMade ? readIn(project, `${own.source}/${undoFile}`) : undefined;
  const without = withoutOf(firestore, filesIn(patches));
  const all = [...without].flatMap(([path, without]) => {
    const text = readIn(project, path);
    if (text === undefined) return [];
    const before = undone(patches, path, text);
    return { path, after: before === undefined ? without(text) : before.text, isKnown: before !== undefined };
  });
  const changes = all.flatMap(({ path, after }) =>
    after === undefined ? [] : changeOf(project, path, after),
  );
  const made = all.flatMap(({ path, after }) => (after === undefined ? path : []));
  const emulatorsStay = all.some(({ path, isKnown }) => path === "firebase.json" && !isKnown);
  const stays = own !== undefined && !isMade && existsSync(join(project, own.source));
  const notes = [
    ...(stays
      ? [`${own.source}/ stays, as init did not make it so: look what is in it, and delete it yourself.`]
      : []),
    ...reexports.map(
      ({ source, isKit }) =>
        `${source}/ exports Firerank's functions${isKit ? ", as a kit" : ""}: take them out there, and the parameters in its .env.`,
    ),
    ...(changes.length > 0 && emulatorsStay
      ? ["The emulators in firebase.json stay, as they may be yours."]
      : []),
  ];
  const commands = commandsFor(project, functions);
  return { changes, folder: isMade ? own.source : undefined, made, notes, commands };
}
