/** Edits of JSON files that leave formatting, comments and everything else as it is. Pure. */
import {
  applyEdits,
  findNodeAtLocation,
  format,
  type JSONPath,
  modify,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
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
  const valueIn = (value: object, name: string | number) => (value as Record<string | number, unknown>)[name];
  return names.reduce<string>(
    (left, name) => rewrite(left, valueIn(before, name), valueIn(after, name), [...path, name]),
    text,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a value; a path that ends with the length of an array appends to it. */
export function setIn(text: string, path: JSONPath, value: unknown): string {
  return withoutMark(text, (plain) => {
    if (value === undefined || !comesInLine(plain, path))
      return applyEdits(plain, modify(plain, path, value, { formattingOptions: formattingOf(plain) }));
    const content = `, ${JSON.stringify(path.at(-1))}: ${JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ")}`;
    return applyEdits(
      plain,
      modify(plain, path, value, {}).map((edit) => ({ ...edit, content })),
    );
  });
}

/** Whether a new field comes into an object that has others in one line, of a file that has several. */
function comesInLine(plain: string, path: JSONPath): boolean {
  if (!plain.trim().includes("\n")) return false;
  const found = parseTree(plain, [], { allowTrailingComma: true });
  const parent = found && findNodeAtLocation(found, path.slice(0, -1));
  if (parent?.type !== "object" || (parent.children ?? []).length === 0) return false;
  if (findNodeAtLocation(parent, path.slice(-1)) !== undefined) return false;
  return !plain.slice(parent.offset, parent.offset + parent.length).includes("\n");
}

/** Puts a value that is there into an array of its own, with the comments in it. */
function wrapInArray(text: string, path: JSONPath): string {
  return withoutMark(text, (plain) => {
    const found = parseTree(plain, [], { allowTrailingComma: true });
    const node = found && findNodeAtLocation(found, path);
    if (node === undefined) return plain;
    const { offset, length } = node;
    const value = plain.slice(offset, offset + length);
    const wrapped = `${plain.slice(0, offset)}[${value}]${plain.slice(offset + length)}`;
    const range = { offset, length: length + 2 };
    return applyEdits(wrapped, format(wrapped, range, formattingOf(plain)));
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
  };
}
