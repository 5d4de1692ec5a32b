/** Reads the snippets of docs/clients.md: which functions they call, with which fields, and which fields they read. */

/** What a snippet uses from outside, by the snippets' own names. */
export interface Snippet {
  language: string;
  code: string;
  functions: string[];
  /** Fields of each request, by function. */
  requests: Record<string, string[]>;
  /** Fields that are read of each thing: `submission`, `season`, `rank`, `top`, `entry`, `details`. */
  reads: Record<string, FieldRead[]>;
  /** Paths of documents, the board's id as `{leaderboard}`. */
  paths: string[];
  /** String literals that none of these account for. */
  unknown: string[];
}

export interface FieldRead {
  name: string;
  /** The type that a snippet declares for it, in Swift: `Int`, `String?`, `[Entry]`. */
  type?: string;
}

const fence = /^```(swift|kotlin|dart|csharp)\n([\s\S]*?)^```$/gm;

/** All snippets of a page. */
export function snippetsOf(markdown: string): Snippet[] {
  return Array.from(markdown.matchAll(fence), ([, language = "", code = ""]) => readSnippet(language, code));
}

const call = /(?:[gG]etHttpsCallable|httpsCallable)\(["'](\w+)["']\)/g;
const region = /(?:functions|GetInstance)\((?:region: )?["']([\w-]+)["']\)|region: ["']([\w-]+)["']/g;
const path = /(?:document|doc|Document)\(\s*\$?["'](leaderboards\/[^"']+)["']/g;
/** `rank["rank"]`, `rank?['rank']`, `rank?.get("rank")`, `top.GetValue<…>("entries")`, `entry.TryGetValue("…", …)`. */
const read =
  /\b(submission|season|rank|top|entry|details)\)?(?:!|\?)?(?:\[|\.(?:get|GetValue<[^(]*>|TryGetValue)\()["'](\w+)["']/g;
/** `"leaderboard" to id`, `'leaderboard': id`, `{ "leaderboard", id }`. */
const requestField = /["'](\w+)["'](?: to |: |, )(?=\w)/g;
const code = /(?:==) ["'](\w+)["']/g;
const literal = /["']([^"'\n]*)["']/g;

function readSnippet(language: string, text: string): Snippet {
  // Comments and imports hold no field, and their apostrophes are no quotes.
  const source = text.replace(/^\s*\/\/.*$|^\s*\/\*\*.*\*\/$|^import .*$/gm, "");
  const functions = all(source, call);
  const reads: Snippet["reads"] = language === "swift" ? swiftStructs(source, "Decodable") : {};
  for (const [, thing = "", name = ""] of source.matchAll(read)) (reads[thing] ??= []).push({ name });
  const requests =
    language === "swift" ? swiftRequests(source) : requestsBefore(source, Object.values(reads).flat());
  const codes = all(source, code);
  const known = new Set([
    ...functions,
    ...all(source, region),
    ...all(source, path),
    ...codes,
    ...Object.values(requests).flat(),
    ...Object.values(reads).flatMap((fields) => fields.map(({ name }) => name)),
  ]);
  return {
    language,
    code: source,
    functions,
    requests,
    reads,
    paths: all(source, path).map((found) => found.replace(/\\\(id\)|\$id|\{id\}/, "{leaderboard}")),
    unknown: all(source, literal).filter((found) => !known.has(found)),
  };
}

/** The fields collected for each call, in the order of the code: Kotlin and C# name the map first. */
function requestsBefore(source: string, reads: readonly FieldRead[]): Record<string, string[]> {
  const requests: Record<string, string[]> = {};
  const calls = [...source.matchAll(call)];
  const ends = calls.map(({ index, 0: { length } }) => {
    const rest = source.slice(index + length);
    // Dart has the map in the call itself.
    return rest.startsWith(".call({") ? index + length + rest.indexOf("})") : index;
  });
  calls.forEach(([, name = ""], i) => {
    const before = source.slice(i === 0 ? 0 : ends[i - 1], ends[i]);
    const fields = Array.from(before.matchAll(requestField), ([, field = ""]) => field);
    requests[name] = fields.filter((field) => !isReadOnly(field, before, reads));
  });
  return requests;
}

/** Whether a literal is there as a field of an answer, such as the second argument of a call. */
function isReadOnly(field: string, source: string, reads: readonly FieldRead[]): boolean {
  return reads.some(({ name }) => name === field) && new RegExp(`TryGetValue\\("${field}"`).test(source);
}

/** `struct Rank: Decodable { let rank: Int … }` as the fields of `rank`. */
function swiftStructs(source: string, protocol: string): Record<string, FieldRead[]> {
  const structs = source.matchAll(new RegExp(`struct (\\w+): ${protocol} \\{\\n([\\s\\S]*?)\\n\\}`, "g"));
  return Object.fromEntries(
    Array.from(structs, ([, name = "", body = ""]) => [
      protocol === "Decodable" ? name.toLowerCase() : name,
      Array.from(body.matchAll(/let (\w+): (.+)/g), ([, field = "", type = ""]) => ({ name: field, type })),
    ]),
  );
}

/** `let submitScore: Callable<SubmitScoreRequest, Submission> = …("submitScore")`. */
function swiftRequests(source: string): Record<string, string[]> {
  const structs = swiftStructs(source, "Encodable");
  const callables = source.matchAll(/Callable<(\w+), \w+> = functions\.httpsCallable\("(\w+)"\)/g);
  return Object.fromEntries(
    Array.from(callables, ([, request = "", name = ""]) => [
      name,
      (structs[request] ?? []).map((field) => field.name),
    ]),
  );
}

function all(source: string, pattern: RegExp): string[] {
  return Array.from(source.matchAll(pattern), (match) => match[1] ?? match[2] ?? "");
}
