/** Refuses options that a function does not understand: a misspelt option, or a wrong word, would otherwise count as left out. */
import { invalidField } from "./firerank-error.ts";

/** What is right for an option, as in `must be a function`, and whether a value is that. */
export type Rule = readonly [mustBe: string, isRight: (value: unknown) => boolean];

const shownMax = 40;

/**
 * Checks the options of a function. An option that is undefined counts as left out.
 * @param rules the function's options by name.
 * @throws `invalid_request` that names the option, and says what would be right
 */
export function checkOptions(options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const names = Object.keys(rules).join(", ");
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw invalidField("options", `must be an object with ${names}, not ${shown(options)}`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw invalidField(name, `is not an option here; these are: ${names}`);
    const [mustBe, isRight] = rule;
    if (!isRight(value)) throw invalidField(name, `${mustBe}, not ${shown(value)}`);
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value.slice(0, shownMax)}"` : String(value).slice(0, shownMax);
}

export const isFunction = (value: unknown): boolean => typeof value === "function";
