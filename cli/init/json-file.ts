/** Edits of JSON files that leave formatting, comments and everything else as it is. Pure. */
import { applyEdits, type JSONPath, modify, parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { CliError } from "../cli-error.ts";

const mark = "\uFEFF";

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

/** Sets a value; a path that ends with the length of an array appends to it. */
export function setIn(text: string, path: JSONPath, value: unknown): string {
  const hasMark = text.startsWith(mark);
  const plain = hasMark ? text.slice(mark.length) : text;
  const indent = /^(?:\t+| +)(?=")/m.exec(plain)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: plain.includes("\r\n") ? "\r\n" : "\n",
  };
  const edited = applyEdits(plain, modify(plain, path, value, { formattingOptions }));
  return hasMark ? mark + edited : edited;
}
