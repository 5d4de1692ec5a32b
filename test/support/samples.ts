/** The TypeScript in Markdown files, for a compiler and to be run. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "../../scripts/project.ts";
import { codeBlocks, type CodeBlock, tableNamed } from "./markdown.ts";

/** The files whose TypeScript is compiled. */
export const pagesWithSamples = [
  "README.md",
  "client/README.md",
  "docs/calls.md",
  "docs/clients.md",
  "docs/definition.md",
  "docs/groups.md",
  "docs/league.md",
  "docs/levels.md",
  "docs/movement.md",
  "docs/play.md",
  "docs/seasons.md",
  "docs/segments.md",
  "docs/teams.md",
  "functions/SKILL.md",
] as const;

/** All TypeScript blocks of a page; with `tsx` those of React. */
export function samplesOf(path: string, wanted: "ts" | "tsx" = "ts"): CodeBlock[] {
  return codeBlocks(path).filter(({ language }) => language === wanted);
}

/** The README's six questions: each row with its line of code. */
export function questions(): Pick<CodeBlock, "where" | "code">[] {
  const { rows } = tableNamed("README.md", "question");
  return rows.map(([question = "", code = ""]) => ({ where: `README.md, "${question}"`, code }));
}

/** What samples may use without importing it: the reader's own app and page. */
const readersOwn = `
declare const app: import("firebase/app").FirebaseApp;
declare const board: import("firerank-client").Leaderboard;
declare const firebaseConfig: import("firebase/app").FirebaseOptions;
declare function show(rank: unknown): void;
declare function list(entries: readonly import("firerank-client").Entry[]): void;
declare function wait(seconds: number | undefined): void;
`;

/** Of libraries that samples import and the repository does not have, what they use. */
const othersOwn = `
declare module "vue" {
  export function shallowRef<Value>(): { value: Value | undefined };
  export function onScopeDispose(end: () => void): void;
}
declare module "svelte/store" {
  export function readable<Value>(first: Value, start: (set: (value: Value) => void) => () => void): object;
}
declare module "@angular/core" {
  export class DestroyRef { onDestroy(end: () => void): void }
  export function inject<Value>(token: new () => Value): Value;
  export function signal<Value>(first: Value): { set(value: Value): void; asReadonly(): () => Value };
}
declare module "react-native" {
  export const AppState: { addEventListener(type: "change", listener: (state: "active" | "background") => void): void };
}
declare module "@react-native-community/netinfo" {
  const info: { addEventListener(listener: (state: { isConnected: boolean | null }) => void): void };
  export default info;
}
declare module "@react-native-async-storage/async-storage" {
  const storage: import("firerank-client/queue").QueueStorage;
  export default storage;
}
`;

/**
 * TypeScript's errors in the samples, each compiled as a separate module with the client's strictness.
 * @returns one text for each fault, with the page and the line of the block.
 */
export function compileSamples(samples: readonly Pick<CodeBlock, "where" | "code">[]): string[] {
  // JSX is a superset of what the samples have.
  const nameOf = (i: number) => join(root, "docs", `sample-${i}.tsx`);
  const texts = new Map(samples.map(({ code }, i) => [nameOf(i), `${code}\nexport {};\n`]));
  texts.set(join(root, "docs", "readers-own.d.ts"), readersOwn + othersOwn);
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  options.jsx = ts.JsxEmit.ReactJSX;
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile(path, version, ...more) {
      const text = texts.get(path);
      return text === undefined
        ? disk.getSourceFile(path, version, ...more)
        : ts.createSourceFile(path, text, version);
    },
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return samples.flatMap(({ where }, i) => {
    const file = program.getSourceFile(nameOf(i));
    if (file === undefined) return [`${where}: was not compiled`];
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${where}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}

/**
 * Runs a sample. Both its imports and its free names are looked up in `scope`, and `React` if it has elements.
 * @returns the constants and functions that it declared.
 */
export async function runSample(
  { code, where }: Pick<CodeBlock, "code" | "where">,
  scope: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const script = javaScriptOf(code);
  const declared = Array.from(
    script.matchAll(/^(?:const (?:\{ (\w+(?:, \w+)*) \}|(\w+)) =|function (\w+))/gm),
    ([, inner, plain, named]) => (inner ?? plain ?? named ?? "").split(", "),
  ).flat();
  const names = Object.keys(scope).filter((name) => !declared.includes(name));
  const text = `return (async () => {\n${script}\nreturn { ${declared.join(", ")} };\n})();`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is what the readers of our pages run
  const run = new Function(...names, text) as (...values: unknown[]) => Promise<Record<string, unknown>>;
  try {
    return await run(...names.map((name) => scope[name]));
  } catch (cause) {
    throw new Error(`the sample at ${where} failed: ${String(cause)}`, { cause });
  }
}

/** A sample without types, elements and imports. */
function javaScriptOf(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    fileName: "sample.tsx",
    compilerOptions: { target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.React, verbatimModuleSyntax: true },
  });
  return outputText.replace(/^import \{[^}]*\} from "[^"]+";$/gm, "");
}
