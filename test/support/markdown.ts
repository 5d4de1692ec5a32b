/** What tests read of a Markdown file: code blocks, tables and paragraphs, each with the heading that it is under. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Nodes, Table } from "mdast";
import { remark } from "remark";
import remarkGfm from "remark-gfm";
import { root } from "../../scripts/project.ts";

interface Place {
  /** Path and line, for messages. */
  where: string;
  heading: string;
}

/** A fenced block: ```` ```json answer part ```` has the language `json` and the words `answer`, `part`. */
export interface CodeBlock extends Place {
  kind: "code";
  language: string;
  words: string[];
  code: string;
}

/** A table; each cell as plain text, without the marks of code and links. */
export interface TextTable extends Place {
  kind: "table";
  head: string[];
  rows: string[][];
}

/** A paragraph as plain text. */
export interface Paragraph extends Place {
  kind: "paragraph";
  text: string;
}

type Part = CodeBlock | TextTable | Paragraph;

const known = new Map<string, Part[]>();

/** What a file of this repository holds, in order. */
export function readMarkdown(path: string): Part[] {
  const parts = known.get(path) ?? parse(path);
  known.set(path, parts);
  return parts;
}

function parse(path: string): Part[] {
  const { children } = remark()
    .use(remarkGfm)
    .parse(readFileSync(join(root, path), "utf8"));
  let heading = "";
  return children.flatMap((node): Part[] => {
    const where = `${path}:${node.position?.start.line}`;
    if (node.type === "heading") heading = textOf(node);
    if (node.type === "paragraph") return [{ kind: "paragraph", where, heading, text: textOf(node) }];
    if (node.type === "table") return [{ kind: "table", where, heading, ...cellsOf(node) }];
    if (node.type !== "code") return [];
    const words = (node.meta ?? "").split(" ").filter((word) => word !== "");
    return [{ kind: "code", where, heading, language: node.lang ?? "", words, code: node.value }];
  });
}

/** The code blocks alone. */
export function codeBlocks(path: string): CodeBlock[] {
  return readMarkdown(path).filter((found) => found.kind === "code");
}

/** The tables alone. */
export function tables(path: string): TextTable[] {
  return readMarkdown(path).filter((found) => found.kind === "table");
}

/** The table whose first header cell says this; there must be one. @param heading the one it is under, if several have it */
export function tableNamed(path: string, first: string, heading?: string): TextTable {
  const [found, ...more] = tables(path).filter(
    (table) => table.head[0] === first && (heading === undefined || table.heading === heading),
  );
  if (found === undefined || more.length > 0)
    throw new Error(`${path} has ${1 + more.length} tables "${first}" under "${heading ?? "any heading"}"`);
  return found;
}

function cellsOf({ children }: Table): Pick<TextTable, "head" | "rows"> {
  const [head = [], ...rows] = children.map((row) => row.children.map(textOf));
  return { head, rows };
}

function textOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
