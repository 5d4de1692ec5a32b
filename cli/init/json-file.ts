/** Edits of JSON files that leave formatting, comments and everything else as it is. Pure. */
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type Segment,
} from "jsonc-parser";
import { CliError } from "../cli-error.ts";

const mark = "\uFEFF";

/** Whether a file is not there, or has nothing in it. */
export const isBlank = (text: string | undefined): text is undefined =>
  text === undefined || text.replace(mark, "").trim() === "";

/** The value of a text; undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON file's text with its value. @throws CliError if it is no JSON object, with the place */
export function readJsonFile(name: string, text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const plain = text.replace(mark, "");
  const value: unknown = parse(plain, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = plain.slice(0, first.offset).split("\n").length;
    throw new CliError(`${name} is no JSON: ${printParseErrorCode(first.error)} in line ${line}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CliError(`${name} is no JSON object.`);
  return value as Record<string, unknown>;
}

/**
 * The text of a value that was made from `before`, the value that the text has: what is the same stays as it is written.
 * Elements of an array are taken out, or others are added behind them; an object may come into an array of its own.
 */
export function rewrite(text: string, before: unknown, after: unknown, path: JSONPath = []): string {
  if (before === after) return text;
  if (Array.isArray(after) && isRecord(before))
    return rewrite(wrapInArray(text, path), [before], after, path);
  if (Array.isArray(before) && Array.isArray(after) && after.length < before.length)
    return before.reduceRight<string>(
      (left, one, i) => (after.includes(one) ? left : setIn(left, [...path, i], undefined)),
      text,
    );
  const isIn = (Array.isArray(before) && Array.isArray(after)) || (isRecord(before) && isRecord(after));
  if (!isIn) return setIn(text, path, after);
  const names = Array.isArray(after) ? [...after.keys()] : Object.keys(Object.assign({}, after, before));
  const valueIn = (value: object, name: string | number) =>
    Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;
  return names.reduce<string>(
    (left, name) => rewrite(left, valueIn(before, name), valueIn(after, name), [...path, name]),
    text,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a value; a path that ends with the length of an array appends to it. What is beside it stays as it is written. */
export function setIn(text: string, path: JSONPath, value: unknown): string {
  return withoutMark(text, (plain) => {
    const parent = nodeAt(plain, path.slice(0, -1));
    const isThere = nodeAt(plain, path) !== undefined;
    if (value !== undefined && !isThere && (parent?.type === "object" || parent?.type === "array"))
      return insert(plain, parent, path.at(-1), value);
    return applyEdits(plain, modify(plain, path, value, { formattingOptions: formattingOf(plain) }));
  });
}

function nodeAt(plain: string, path: JSONPath): Node | undefined {
  const found = parseTree(plain, [], { allowTrailingComma: true });
  return found && findNodeAtLocation(found, path);
}

/** Adds a field or an element behind the last one; only what is added is formatted. */
function insert(plain: string, parent: Node, name: Segment | undefined, value: unknown): string {
  const { eol, unit } = formattingOf(plain);
  const start = parent.offset + 1;
  const end = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const inFront = parent.type === "object" ? `${JSON.stringify(name)}: ` : "";
  const isOneLine = !plain.slice(parent.offset, end).includes("\n");
  // An object's fields stay in their line, and so does all of a file that has one line only.
  if (isOneLine && last !== undefined && (parent.type === "object" || !plain.trim().includes("\n"))) {
    const inLine = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
    const at = last.offset + last.length;
    return `${plain.slice(0, at)}, ${inFront}${inLine}${plain.slice(at)}`;
  }
  const around = indentAt(plain, parent.offset);
  const isFirstInLine = last !== undefined && /(^|\n)[ \t]*$/.test(plain.slice(0, last.offset));
  const indent = isFirstInLine ? indentAt(plain, last.offset) : around + unit;
  const written = inFront + JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  const closing =
    isOneLine || !plain.slice(last === undefined ? start : last.offset + last.length, end).includes("\n")
      ? eol + around
      : "";
  if (last === undefined)
    return `${plain.slice(0, start)}${eol}${indent}${written}${closing}${plain.slice(start)}`;
  const at = last.offset + last.length;
  // A comment behind the last one stays behind it.
  const [behind = "", comma = "", comment = ""] =
    /^(?:[ \t]*(,))?([ \t]*\/\/[^\r\n]*)?/.exec(plain.slice(at, end)) ?? [];
  const kept = comma === "" && comment === "" ? 0 : behind.length;
  return `${plain.slice(0, at)},${comment}${eol}${indent}${written}${comma}${closing}${plain.slice(at + kept)}`;
}

/** The white space that the line of a place begins with. */
function indentAt(plain: string, offset: number): string {
  return /^[ \t]*/.exec(plain.slice(plain.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

/** Puts a value that is there into an array of its own, with the comments in it. */
function wrapInArray(text: string, path: JSONPath): string {
  return withoutMark(text, (plain) => {
    const node = nodeAt(plain, path);
    if (node === undefined) return plain;
    const end = node.offset + node.length;
    return `${plain.slice(0, node.offset)}[${plain.slice(node.offset, end)}]${plain.slice(end)}`;
  });
}

function withoutMark(text: string, edit: (plain: string) => string): string {
  return text.startsWith(mark) ? mark + edit(text.slice(mark.length)) : edit(text);
}

function formattingOf(plain: string) {
  const indent = /^(?:\t+| +)(?=")/m.exec(plain)?.[0] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: plain.includes("\r\n") ? "\r\n" : "\n",
    unit: indent,
  };
}
