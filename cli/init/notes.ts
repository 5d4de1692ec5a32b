/** What the owner of a project should know before `firerank init` writes anything, and can live with. Pure. */
import type { IndexFile } from "./index-file.ts";
import type { MergedRules } from "./merge-rules.ts";

/** @param files with rules or indexes that were not there, or empty. @param hasRules whether one of them is of rules */
export function unseen(files: readonly string[], hasRules: boolean): string[] {
  if (files.length === 0) return [];
  const [are, have] = files.length === 1 ? ["is", "it has"] : ["are", "they have"];
  const hasIndexes = files.length > (hasRules ? 1 : 0);
  const kinds = [...(hasRules ? ["rules"] : []), ...(hasIndexes ? ["indexes"] : [])].join(" and ");
  const harm = [
    ...(hasRules ? ["replaces its rules without asking, so that your own app loses access"] : []),
    ...(hasIndexes ? ["with `--force` deletes its indexes"] : []),
  ].join(", and ");
  return [
    `DEPLOYING REPLACES WHAT THE CONSOLE HAS. ${files.join(" and ")} ${are} new, and ${have} nothing but Firerank's ${kinds}. If this ` +
      `project has others, made in Firebase's console, \`firebase deploy\` ${harm}. First copy them into the file, or ` +
      "delete the new file and run `npx firebase init firestore`, which fetches them, and then " +
      "`npx --no-install firerank init` again.",
    "If the database does not exist yet, `firebase deploy` makes it in nam5 without asking, and its location can't be " +
      "changed later. Make it first where you want it: `npx firebase firestore:databases:create`.",
  ];
}

/** @param names of codebases whose functions are not known, or not all */
export function unasked(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `The functions of ${names.join(" and ")} could not be asked for their names. If one has the name of one of ` +
      "Firerank's, a deploy takes it over. Install and build there and run the command again, compare Firerank's names " +
      "with `npx firebase functions:list`, or give them a prefix: firerank init --prefix ranks.",
  ];
}

export function unused({ source }: { source: string }): string {
  return (
    `${source}/package.json depends on firerank, but nothing there exports it, so Firerank gets a codebase of its own. ` +
    "If it is there for the command line, it belongs in devDependencies."
  );
}

/** @param moved emulators that did not get their usual port */
export function movedPorts(moved: readonly { name: string; port: number }[]): string[] {
  if (moved.length === 0) return [];
  const ports = moved.map(({ name, port }) => `${name} gets ${port}`).join(", ");
  return [`Usual ports of emulators are taken, by others or by what runs on this computer: ${ports}.`];
}

/** @param file with the rules */
export function openRules(file: string, { open, openReads }: MergedRules): string[] {
  const everywhere = (ways: string, line: number) =>
    `${file} lets clients ${ways} documents of Firerank, by the match in line ${line}. Firestore allows what any one rule allows, so`;
  return [
    ...open.map((line) => `${everywhere("write", line)} players can forge scores as long as it does.`),
    ...openReads.map(
      (line) =>
        `${everywhere("read", line)} everybody whom it lets in sees hidden and banned players, players' metadata and ` +
        "player_statuses, and reads without Firerank's bounds for limit and offset, which you pay for.",
    ),
  ];
}

/** @param field that Firerank exempts, with an index of theirs */
export function kept(field: string): string {
  return (
    `Your index of ${field} stays. Firerank's documents get it too; an index on a rising time keeps a collection ` +
    "to about 500 writes a second."
  );
}

export const severalDatabases =
  "The emulators apply no rules at all while firebase.json names several databases: firebase-tools does not support " +
  "that yet, and allows everything there.";

export const namedDefault =
  'The database is one with the name "default". If you mean the one that projects have without a name, it is (default), ' +
  "with the parentheses.";

/** @param collections of theirs */
export function exemptions(
  { fieldOverrides }: IndexFile,
  collections: ReadonlySet<string>,
  file: string,
): string[] {
  return [...Map.groupBy(fieldOverrides, (one) => one.collectionGroup)].flatMap(([name, exempted]) =>
    collections.has(name)
      ? `Your collection ${name} has the name of one of Firerank's, and so gets its exemptions: ${exempted.map(({ fieldPath }) => fieldPath).join(", ")}. ` +
        `If you query by one of these fields alone, add its index to the exemption in ${file}.`
      : [],
  );
}

/** @param collections of theirs */
export function ofEnterprise({ indexes }: IndexFile, collections: ReadonlySet<string>): string[] {
  const ours = new Set(indexes.map(({ collectionGroup }) => collectionGroup));
  const shared = [...ours].filter((name) => collections.has(name));
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

/** @param path of a file with parameters */
export const ignored = (path: string) =>
  `git ignores ${path}, so a deploy from a clone, as in CI, would not find it. Write \`!${path}\` behind the line of ` +
  ".gitignore that says so.";
