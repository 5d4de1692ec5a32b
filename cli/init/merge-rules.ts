/** Puts Firerank's rules into a project's firestore.rules, as a block of their own; what is there stays as it is. Pure. */
import { CliError } from "../cli-error.ts";
import { isBlank } from "./json-file.ts";

const begin =
  "// firerank:begin  Written by `npx --no-install firerank init`, which replaces what is between these lines.";
const end = "// firerank:end";
/** The collections beside each other at the database's root. */
const rootCollections = ["leaderboards", "leaderboard_roles", "leaderboard_erasures"];
/** All collections of functions/src/documents/paths.ts; a test holds them to each other. */
export const ownCollections: ReadonlySet<string> = new Set([
  ...rootCollections,
  "player_statuses",
  "new_boards",
  "private_groups",
  "group_codes",
  "events",
  "seasons",
  "players",
  "scores",
  "scores_ranking",
  "segments_ranking",
  "baselines",
  "top",
  "league_groups",
  "standings",
  "runs",
  "receipts",
  "repair",
  "closing_notes",
  "closing_ranges",
]);
const beginsWith = "// firerank:begin";

/** What a project's own rules say that Firerank's owner should know. */
export interface MergedRules {
  text: string;
  /** Rules of theirs that let clients write wherever they reach, `leaderboards` included; each by its line number. */
  open: number[];
  /** Rules of theirs that let clients read wherever they reach, by their line numbers. */
  openReads: number[];
  /** Whether the file has no rules but Firerank's, as it was not there, or was empty. */
  isNew: boolean;
  /** The names of collections in their own matches. */
  collections: Set<string>;
}

/**
 * Merges the rules. The block has a `match /databases/{database}/documents` of its own, so no name and no function in
 * theirs can clash with it.
 * @param theirs the file; undefined or blank where there is none yet.
 * @throws CliError where that cannot be done, with what to do by hand
 */
export function mergeRules(theirs: string | undefined, ours: string): MergedRules {
  const block = blockOf(ours);
  if (isBlank(theirs)) {
    const text = `rules_version = '2';\n\nservice cloud.firestore {\n${block}}\n`;
    return { text, open: [], openReads: [], isNew: true, collections: new Set() };
  }
  const newline = theirs.includes("\r\n") ? "\r\n" : "\n";
  const written = withNewlines(block, newline);
  const old = markedPart(theirs);
  const own =
    old === undefined ? theirs : theirs.slice(0, old.from) + blank(theirs, old) + theirs.slice(old.to);
  const code = withoutComments(own);
  refuseUnmergeable(code, own);
  const found = { ...look(code), isNew: false };
  if (old !== undefined) {
    const text = theirs.slice(0, old.from) + written + theirs.slice(old.to);
    return { text, ...found };
  }
  const closing = endOfService(code);
  const lineStart = theirs.lastIndexOf("\n", closing - 1) + 1;
  const isAlone = theirs.slice(lineStart, closing).trim() === "";
  const at = isAlone ? lineStart : closing;
  const text = `${theirs.slice(0, at)}${newline}${written}${theirs.slice(at)}`;
  return { text, ...found };
}

/** The file without Firerank's block. @throws CliError if its marks are not one pair */
export function withoutRules(theirs: string): string {
  const old = markedPart(theirs);
  if (old === undefined) return theirs;
  // The empty line before the block came with it.
  const before = theirs.slice(0, old.from).replace(/(\r?\n)\r?\n$/, "$1");
  return before + theirs.slice(old.to);
}

/**
 * Compares rules that are in force with ours. Pure.
 * @returns whether ours are there, whitespace and comments apart (copied by hand they are as good as what `init` writes),
 *   and what theirs open
 */
export function compareRules(
  theirs: string,
  ours: string,
): Pick<MergedRules, "open" | "openReads"> & { part: "same" | "differs" | "missing" } {
  const code = withoutComments(theirs);
  const there = [bodyOf(ours), blockOf(ours)].map((part) => placeOf(part, theirs)).find(Boolean);
  if (there === undefined) {
    const isThere = matchesIn(code).some(({ path }) => isOfLeaderboards(path));
    // What is left of ours lets admins read, and is no rule of theirs.
    const own = new Set(matchesIn(withoutComments(ours)).map(({ path }) => path));
    const { openReads } = look(code, (path) => reaches(path) && !own.has(path));
    return { part: isThere ? "differs" : "missing", open: look(code).open, openReads };
  }
  // Beside our part, a match for leaderboards allows more than it.
  const rest = code.slice(0, there.from) + blank(code, there) + code.slice(there.to);
  return { part: "same", ...look(rest, (path) => reaches(path) || isOfLeaderboards(path)) };
}

/** Where a part is in a text, whitespace and comments apart. */
function placeOf(part: string, text: string): { from: number; to: number } | undefined {
  const words = withoutComments(part, { strings: "kept" }).split(/\s+/).filter(Boolean);
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("\\s+"));
  const found = pattern.exec(withoutComments(text, { strings: "kept" }));
  return found === null ? undefined : { from: found.index, to: found.index + found[0].length };
}

const isOfLeaderboards = (path: string) => /^\/leaderboards(?:\/|$)/.test(path);

/** The marked block: what our file has in its service, with functions of names that nobody else has. */
function blockOf(ours: string): string {
  const named = bodyOf(ours).replace(
    /\b(isAdmin|readsAtMost|mayRead|maySee)\b/g,
    (name) => `firerank${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  );
  return `  ${begin}\n${named}\n  ${end}\n`;
}

/** What is in the service. */
function bodyOf(ours: string): string {
  const code = withoutComments(ours);
  const from = ours.indexOf("{", code.search(/\bservice\s+cloud\.firestore\b/)) + 1;
  return ours.slice(from, endOfService(code)).replace(/^\s*\n|\s+$/g, "");
}

/** From the start of the line of the first mark to the end of the line of the last. @throws CliError for one of two */
function markedPart(text: string): { from: number; to: number } | undefined {
  const first = text.indexOf(beginsWith);
  const last = text.indexOf(end);
  if (first === -1 && last === -1) return undefined;
  if (first === -1 || last < first || text.includes(beginsWith, first + 1)) {
    throw new CliError(
      `firestore.rules has the marks of Firerank's block, but not one pair of them. Delete the rules between ` +
        `"${beginsWith}" and "${end}" with both lines, and run the command again.`,
    );
  }
  const lineEnd = text.indexOf("\n", last);
  return { from: text.lastIndexOf("\n", first) + 1, to: lineEnd === -1 ? text.length : lineEnd + 1 };
}

function blank(text: string, { from, to }: { from: number; to: number }): string {
  return text.slice(from, to).replace(/[^\n]/g, " ");
}

/** The same text with blanks for comments, and for strings too unless they are kept, so that offsets stay. */
function withoutComments(text: string, { strings = "blank" }: { strings?: "blank" | "kept" } = {}): string {
  return text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g,
    (found, offset: number) => {
      const isKept = strings === "kept" && !found.startsWith("/");
      // The version is a string that counts.
      const isVersion = /rules_version\s*=\s*$/.test(text.slice(0, offset));
      return isKept || isVersion ? found : found.replace(/[^\n]/g, " ");
    },
  );
}

function refuseUnmergeable(code: string, own: string): void {
  if (!/\bservice\s+cloud\.firestore\b/.test(code)) {
    throw new CliError(
      "firestore.rules has no `service cloud.firestore { … }`. Write one, or delete the file, and run the command again.",
    );
  }
  const version = /\brules_version\s*=\s*['"](.)['"]/.exec(code)?.[1];
  if (version !== "2") {
    throw new CliError(
      `firestore.rules is of version ${version ?? "1"}, and Firerank's rules need version 2. In it \`{name=**}\` also matches ` +
        "no folder at all: look at yours, then make `rules_version = '2';` the first line, and run the command again.",
    );
  }
  const ours = matchesIn(code).find(({ path }) => isOfLeaderboards(path));
  if (ours !== undefined) {
    throw new CliError(
      `firestore.rules has a match for leaderboards in line ${lineOf(own, ours.from)}, where Firerank stores everything. If ` +
        "these are Firerank's rules that were copied by hand, delete them, and run the command again. If the " +
        "collection is yours, Firerank cannot use this database.",
    );
  }
}

/** The offset of the brace that closes the service. @throws CliError if there is none */
function endOfService(code: string): number {
  const closing = closingOf(code, code.indexOf("{", code.search(/\bservice\s+cloud\.firestore\b/)));
  if (closing !== undefined) return closing;
  throw new CliError(
    "firestore.rules has a `{` without its `}`. Mend it, so that Firebase takes it, and run the command again.",
  );
}

/** Their rules that let clients write or read Firerank's documents, and the names of their collections. */
function look(
  code: string,
  isReaching: (path: string) => boolean = reaches,
): Pick<MergedRules, "open" | "openReads" | "collections"> {
  const matches = matchesIn(code);
  const reaching = matches.filter(({ path }) => path === unclear || isReaching(path));
  const linesThatAllow = (ways: RegExp) =>
    reaching.filter(({ body }) => allows(body, ways)).map(({ from }) => lineOf(code, from));
  const named = matches.flatMap(({ path }) => path.split("/").filter((part) => /^[\w-]+$/.test(part)));
  return {
    open: linesThatAllow(/\b(?:write|create|update|delete)\b/),
    openReads: linesThatAllow(/\b(?:read|get|list)\b/),
    collections: new Set(named),
  };
}

/** Whether a match can be one of Firerank's documents: `/{path=**}/photos/{photo}` can't, as none of its collections is so called. */
function reaches(path: string): boolean {
  const [first = "", ...others] = path.slice(1).split("/");
  const isOurs = (part: string, names: ReadonlySet<string>) => part.startsWith("{") || names.has(part);
  return isOurs(first, new Set(rootCollections)) && others.every((part) => isOurs(part, ownCollections));
}

/** The path of a match that is written in a way that is not known here. It is taken for one that matches everything. */
const unclear = "?";

interface Match {
  from: number;
  /** From the database's root, with the paths of the matches around it; or {@link unclear}. */
  path: string;
  /** Its own rules, with blanks for the matches inside it. */
  body: string;
}

function matchesIn(code: string): Match[] {
  const pattern =
    /\bmatch\b(?:((?:\s*\/\s*(?:\{\s*\w+\s*(?:=\s*\*\*\s*)?\}|[\w().$-]+))+)\s*\{|[^;]*?\{(?=\s*(?:(?:allow|match|function)\b|\})))/g;
  const found = [...code.matchAll(pattern)].map(({ index, 0: text, 1: path = unclear }) => {
    const open = index + text.length - 1;
    return { from: index, path: path.replace(/\s/g, ""), open, to: closingOf(code, open) ?? code.length };
  });
  return found.map(({ from, open, to }) => {
    const around = found.filter((one) => one.from <= from && one.to >= to);
    const path = around.some((one) => one.path === unclear)
      ? unclear
      : around.map((one) => one.path).join("");
    const inside = found.filter((one) => one.from > from && one.to < to);
    const body = inside.reduce(
      (text, one) =>
        text.slice(0, one.from - open) +
        blank(code, { from: one.from, to: one.to }) +
        text.slice(one.to - open),
      code.slice(open, to),
    );
    // A wildcard of all that follows may begin above the documents.
    return { from, path: path.replace(/^\/databases\/[^/]+(?:\/documents(?=\/|$))?/, ""), body };
  });
}

/** Whether an `allow` of one of these ways has a condition other than `false`. The last one may have no semicolon. */
function allows(body: string, wanted: RegExp): boolean {
  const found = body.matchAll(/\ballow\s+([\w\s,]+?)\s*(?::\s*if\b([^;]*?))?(?:[;}]|(?=\ballow\b)|$)/g);
  return [...found].some(([, ways = "", condition]) => wanted.test(ways) && condition?.trim() !== "false");
}

/** The offset of the brace that closes the one at `open`. */
function closingOf(code: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at !== -1 && at < code.length; at++) {
    if (code[at] === "{") depth++;
    if (code[at] === "}" && --depth === 0) return at;
  }
  return undefined;
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

const withNewlines = (text: string, newline: string) => text.replaceAll("\n", newline);
