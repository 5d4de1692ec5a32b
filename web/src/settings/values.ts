/** The content of a form, and the definition that it stands for. Pure. */
import type { z } from "zod";
import {
  changedDefinition,
  type Definition,
  definitionSchema,
} from "../../../functions/src/model/definition.ts";
import type { TeamSettings } from "../../../functions/src/model/team-settings.ts";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import type { Field } from "./fields.ts";

/** A line of the columns, tiers or segments, as typed. */
export type Line = Record<string, string>;

/** The typed or chosen values, by field. Of a field with fields: theirs; none at all where it is switched off. */
export interface Values {
  [name: string]: string | string[] | Line[] | Values;
}

/** What a field begins with when it is switched on. */
export const begun: Record<string, Values> = {
  league: {
    size: "30",
    min_size: "5",
    tiers: [
      { id: "bronze", name: "Bronze", promote: "7", demote: "0" },
      { id: "silver", name: "Silver", promote: "5", demote: "5" },
      { id: "gold", name: "Gold", promote: "0", demote: "7" },
    ],
  },
};

/** The form of a definition, or of the defaults. */
export function valuesOf(fields: readonly Field[], definition: Partial<Definition>): Values {
  return valuesIn(fields, definition);
}

function valuesIn(fields: readonly Field[], stored: Record<string, unknown>): Values {
  return Object.fromEntries(
    fields.map((field): [string, Values[string]] => {
      const value = stored[field.name] ?? field.default;
      if (field.kind === "lines") return [field.name, linesOf(value)];
      if (field.kind === "choices") return [field.name, listIn(value).map(String)];
      if (field.kind === "numbers") return [field.name, numbersText(value)];
      if (field.kind === "template") return [field.name, templateText(value as Definition["template"])];
      if (field.kind === "fields")
        return [
          field.name,
          value === undefined ? {} : valuesIn(field.parts, value as Record<string, unknown>),
        ];
      if (typeof value === "number") return [field.name, numberText(value)];
      return [field.name, typeof value === "string" || typeof value === "boolean" ? String(value) : ""];
    }),
  );
}

/** The problems of a form, by field; or the definition to send. */
export type Checked =
  { definition: object; problems: [] } | { definition: undefined; problems: FieldProblem[] };

/** Checks a form as the functions will. @param intervalMinutesMin 1, or 0 on the emulators. */
export function check(fields: readonly Field[], values: Values, intervalMinutesMin: number): Checked {
  const definition = definitionIn(fields, values);
  const result = definitionSchema(intervalMinutesMin).safeParse(changedDefinition(undefined, definition), {
    error: inWords,
  });
  if (result.success) return { definition, problems: [] };
  const problems = result.error.issues.map(({ path, message }) => ({
    path: path.join("."),
    message: unread(definition, path) ?? message,
  }));
  return { definition: undefined, problems };
}

/** What to say about a text of the form that could not be read, in the form's own words. */
function unread(definition: object, path: readonly PropertyKey[]): string | undefined {
  const value = path.reduce(
    (inner: unknown, name) => (inner as Record<PropertyKey, unknown> | undefined)?.[name],
    definition,
  );
  if (typeof value !== "string") return undefined;
  const plain = value.trim();
  if (perhapsThousands.test(plain))
    return `may mean ${plain.replace(".", "")} or ${Number(plain)}: write ${plain.replace(".", "")}, or ${plain}0`;
  return written[String(path.at(-1))];
}

/** What makes any stored definition the one of the form: a field that is empty there is taken out. */
export function changesOf(fields: readonly Field[], definition: object): object {
  const removable = fields.filter((field) => field.default === undefined);
  return { ...Object.fromEntries(removable.map(({ name }) => [name, null])), ...definition };
}

/** Messages for what a form's fields can have alone, as they are texts. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  if (issue.code === "invalid_type" && issue.expected === "number")
    return "must be a number, without separators";
  return undefined;
};

/** Messages for texts of several words that cannot be read as a whole, by the name of what they stand for. */
const written: Record<string, string> = {
  max_attempts: "must be a number, or spans with a number each, as in daily 3, weekly 10",
  template:
    'must be any, or the name of a collection, in quotes if it has spaces; then perhaps a comma and a number, as in "levels, 500"',
  teams:
    "must be sum, mean or best with a number; then perhaps a comma and min_players, as in best 10, min_players 3",
};

/** The same text for the same values, in whatever order Firestore gives a line's fields. */
export function canonicalText(values: Values): string {
  return JSON.stringify(values, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The problems of one field, in one line. */
export function problemOf(problems: readonly FieldProblem[], path: string): string | undefined {
  const found = problems.filter((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
  if (found.length === 0) return undefined;
  const inside = (problem: FieldProblem) => problem.path.slice(path.length + 1);
  return found
    .map((problem) =>
      inside(problem) === "" ? problem.message : `${placeIn(inside(problem))}: ${problem.message}`,
    )
    .join("; ");
}

/** `0.max` is "line 1, max", and `0.values.2` "line 1, values 3"; `daily` is itself. */
function placeIn(path: string): string {
  const [line, name, index] = path.split(".");
  if (Number.isNaN(Number(line))) return path;
  const inside = [name, ...(index === undefined ? [] : [Number(index) + 1])].join(" ");
  return [`line ${Number(line) + 1}`, ...(name === undefined ? [] : [inside])].join(", ");
}

function definitionIn(fields: readonly Field[], values: Values): object {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const typed = values[field.name];
      const value = typeof typed === "string" ? typed.trim() : typed;
      if (value === undefined || value === "") return [];
      if (field.isBoolean) return [[field.name, value === "true"]];
      if (typeof value === "string" && field.kind === "numbers") return [[field.name, numbersIn(value)]];
      if (typeof value === "string" && field.kind === "template") return [[field.name, templateIn(value)]];
      if (typeof value === "string")
        return [[field.name, field.kind === "number" ? scoreIn(value, values["decimals"]) : value]];
      if (field.kind === "fields")
        return isOn(field, value as Values) ? [[field.name, objectIn(field, value as Values)]] : [];
      if (field.kind === "lines" && Array.isArray(value)) {
        return value.length === 0 ? [] : [[field.name, value.map((line) => lineIn(field, line as Line))]];
      }
      return [[field.name, value]];
    }),
  );
}

/** Whether something is typed in a field with fields, or chosen beside it. */
function isOn({ parts }: Field, values: Values): boolean {
  return parts.some(({ name, kind }) => {
    const value = values[name];
    if (kind === "choice" || value === undefined) return false;
    return Array.isArray(value) ? value.length > 0 : value !== "" && typeof value === "string";
  });
}

/** The first choice is what none stands for, as in a line. */
function objectIn({ parts }: Field, values: Values): object {
  const first = parts.flatMap(({ name, options: [option] }) =>
    option === undefined ? [] : [[name, option] as const],
  );
  return { ...Object.fromEntries(first), ...definitionIn(parts, values) };
}

function lineIn({ parts }: Field, line: Line): object {
  return Object.fromEntries(
    parts.flatMap(({ name, kind, isInteger }): [string, unknown][] => {
      const text = line[name] ?? "";
      if (text === "" || (name === "values" && !hasValues(line))) return [];
      if (kind === "teams") return [[name, teamsIn(text)]];
      if (kind === "choices") return [[name, text.split(/[\s,;]+/).filter((value) => value !== "")]];
      if (kind !== "number") return [[name, text]];
      return [[name, isInteger ? scoreIn(text, undefined) : numberIn(text)]];
    }),
  );
}

/** Whether a line of the segments lists its values: those that the app may send. */
export function hasValues(line: Line): boolean {
  return line["from"] === "submission";
}

/** Text that is not a number stays as it is, and the schema refuses it. */
function numberIn(text: string): number | string {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}

/** Many write a thousand as `1.000`: without three decimals nobody knows whether it is one. */
const perhapsThousands = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** A number; a text that may mean a thousand times as much stays as it is, unless the board has so many decimals. */
function scoreIn(text: string, decimals: Values[string] | undefined): number | string {
  return perhapsThousands.test(text.trim()) && !(Number(decimals) >= 3) ? text : numberIn(text);
}

/** A stored number, with one digit more where it would look like thousands. */
function numberText(value: number): string {
  return perhapsThousands.test(String(value)) ? `${value}0` : String(value);
}

/** The words of each part of a text: of `best 10, min_players 3` these two pairs. */
const wordsIn = (text: string) => text.split(/[,;]/).map((part) => part.trim().split(/[\s:=]+/));

/** Numbers by name; undefined if a part is no name and number, or a name comes twice, as one of them would be dropped. */
function pairsIn(parts: readonly string[][]): Record<string, number | string> | undefined {
  const names = new Set(parts.map(([name]) => name));
  if (names.size < parts.length || parts.some((part) => part.length !== 2)) return undefined;
  return Object.fromEntries(parts.map(([name = "", number = ""]) => [name, numberIn(number)]));
}

/** Numbers by name, as in `daily 3, weekly 10`, or one number. A text with anything else in it stays as it is. */
function numbersIn(text: string): number | string | Record<string, number | string> {
  const one = numberIn(text);
  return typeof one === "number" ? one : (pairsIn(wordsIn(text)) ?? text);
}

function numbersText(value: unknown): string {
  return Object.entries(value ?? {})
    .map(([name, number]) => `${name} ${String(number)}`)
    .join(", ");
}

/**
 * A template as in `any`, or `levels, 500`; in quotes, as in a JSON string, any collection, also one called `any` or with
 * spaces in its name. A text with anything else in it stays as it is.
 */
function templateIn(text: string): object | string {
  const [, quoted, plain = "", newBoards] =
    /^\s*(?:("(?:[^"\\]|\\.)*")|([^\s,;"]+))\s*(?:[,;]\s*(\S+)\s*)?$/u.exec(text) ?? [];
  const collection = quoted === undefined ? plain : unquoted(quoted);
  if (collection === "") return text;
  return {
    ids: plain === "any" ? plain : { collection },
    ...(newBoards !== undefined && { new_boards_per_day: numberIn(newBoards) }),
  };
}

/** The text of a JSON string, or none. */
function unquoted(json: string): string {
  try {
    return JSON.parse(json) as string;
  } catch {
    return "";
  }
}

function templateText(template: Definition["template"]): string {
  if (template === undefined) return "";
  const { ids, new_boards_per_day: newBoards } = template;
  const name =
    ids === "any"
      ? ids
      : /^any$|[\s,;"]/u.test(ids.collection)
        ? JSON.stringify(ids.collection)
        : ids.collection;
  return [name, ...(newBoards === undefined ? [] : [newBoards])].join(", ");
}

/** Teams as in `sum`, or `best 10, min_players 3`. A text with anything else in it stays as it is. */
function teamsIn(text: string): object | string {
  const [[by = "", ...best] = [], ...others] = wordsIn(text);
  const numbers = pairsIn([...(best.length === 0 ? [] : [["best", ...best]]), ...others]);
  return numbers === undefined || Object.hasOwn(numbers, "by") ? text : { by, ...numbers };
}

function teamsText({ by, best, min_players: least }: TeamSettings): string {
  const first = best === undefined ? by : `${by} ${best}`;
  return least === undefined ? first : `${first}, min_players ${least}`;
}

/** A part of a line as it is typed. */
function partText(name: string, value: unknown): string {
  if (name === "teams") return teamsText(value as TeamSettings);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function linesOf(value: unknown): Line[] {
  return (listIn(value) as object[]).map((line) =>
    Object.fromEntries(
      Object.entries(line).map(([name, inner]: [string, unknown]) => [name, partText(name, inner)]),
    ),
  );
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
