/**
 * What anybody is told of a wrong value, where the schema has no words of its own: what it must be, and what it is. Calls,
 * REST, files of imports, forms and configurations get it from here, in place of zod's words.
 */
import { z } from "zod";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a finite number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object of named values",
  array: "a list",
  null: "null",
};

// For every schema: it lies beside the copies of zod, of which a clone has several.
z.config({ customError: problemWords });

export function problemWords(issue: z.core.$ZodRawIssue): string {
  const { code, input } = issue;
  if (input === undefined)
    return code === "invalid_value" ? `is missing; it ${oneOf(issue.values)}` : "is missing";
  if (code === "invalid_type") {
    const kind = kinds[issue.expected] ?? "of another kind";
    const given = issue.expected === "int" && typeof input === "number" ? String(input) : kindOf(input);
    return `must be ${kind}; this is ${given}`;
  }
  if (code === "invalid_value") return oneOf(issue.values);
  if (code === "too_small")
    return `must ${amount(issue.origin)}at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
  if (code === "too_big")
    return `must ${amount(issue.origin)}at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
  if (code === "not_multiple_of") return `must be a multiple of ${issue.divisor}`;
  if (code === "unrecognized_keys")
    return `has ${issue.keys.map((key) => JSON.stringify(key)).join(" and ")}, which is not known here`;
  return "has not the form that it should have";
}

/** As in `must be 1, 2 or 3`. */
function oneOf(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return `must be ${texts.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}

const shownCharacters = 40;

function kindOf(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "string") return `the text ${JSON.stringify(input.slice(0, shownCharacters))}`;
  if (typeof input === "number") return Number.isFinite(input) ? "a number" : String(input);
  if (typeof input === "boolean") return String(input);
  return typeof input === "object" ? objectWith(Object.keys(input)) : `a value of type ${typeof input}`;
}

/** So that one sees what a library has put around a value. */
function objectWith(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name.slice(0, shownCharacters)));
  if (shown.length === 0) return "an empty object";
  return `an object with ${shown.join(" and ")}${names.length > shown.length ? " and more" : ""}`;
}

const units: Record<string, string> = { string: "character", array: "item", record: "entry" };

const amount = (origin: string) => (origin in units ? "have " : "be ");

function unit(origin: string, count: number | bigint): string {
  const one = units[origin];
  if (one === undefined) return "";
  return ` ${Number(count) === 1 ? one : one.replace(/y$/, "ie") + "s"}`;
}
