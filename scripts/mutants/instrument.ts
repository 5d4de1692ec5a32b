/** Builds mutants into modules: StrykerJS's, except those of texts. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export interface Mutant {
  id: string;
  /** The module's path, relative to the folder. */
  file: string;
  /** 1-based. */
  line: number;
  /** The line, with what is replaced and by what: `if (a [< → <=] b)`. */
  change: string;
  /** Whether it is left out because it is a text for people. */
  isText: boolean;
}

/**
 * Builds all mutants into some modules.
 * @returns the mutants, and by path the modules with them.
 */
export async function instrument(
  folder: string,
  paths: readonly string[],
): Promise<{ mutants: Mutant[]; modules: Record<string, string> }> {
  const files = paths.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const instrumenter = new Instrumenter(silent);
  const result = await instrumenter.instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [texts],
  });
  const mutants = result.mutants.map(({ id, fileName, location, replacement, status }) => ({
    id,
    file: relative(folder, fileName),
    line: location.start.line + 1,
    change: changeOf(contents.get(fileName) ?? "", location, replacement),
    isText: status === "Ignored",
  }));
  const modules = Object.fromEntries(result.files.map(({ name, content }) => [name, `${counter}${content}`]));
  return { mutants, modules };
}

/** StrykerJS's own counter keeps objects by test, and takes most of the time in inner loops. */
const counter = "stryCov_9fa48 = globalThis.__reached__;\n";

/**
 * Leaves out texts for people: in errors, logs and schemas. Tests do not check them word for word. A text is a string
 * with a space in it; codes, names and fields have none.
 */
const texts = {
  shouldIgnore({ node }: { node: { type: string; value?: unknown; quasis?: { value: { raw: string } }[] } }) {
    const parts =
      node.type === "StringLiteral"
        ? [String(node.value)]
        : node.type === "TemplateLiteral"
          ? (node.quasis ?? []).map(({ value }) => value.raw)
          : [];
    return parts.some((part) => part.includes(" ")) ? "a text that people read" : undefined;
  },
};

interface Position {
  /** Both 0-based. */
  line: number;
  column: number;
}

function changeOf(
  text: string,
  { start, end }: { start: Position; end: Position },
  replacement: string,
): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  const tail = (lines[last] ?? "").slice(end.column);
  lines[last] = (lines[last] ?? "").slice(0, end.column);
  const head = (lines[0] ?? "").slice(0, start.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return `${head}[${lines.join("\n")} → ${replacement}]${tail}`.replace(/\s+/g, " ").trim();
}

const nothing = () => undefined;
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
