/** The options of the benches: whole numbers. */
import { optionsOf, refuse } from "../scripts/options.ts";

/** What the arguments name, or the defaults. Ends the process with the usage if a number is not a whole one from 1. */
export function wholeNumbers<Name extends string>(
  bench: string,
  defaults: Record<Name, number>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const usage = ["npm run bench --", bench, ...names.map((name) => `[--${name} ${defaults[name]}]`)].join(
    " ",
  );
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values } = optionsOf(usage, { options });
  const numbers = names.map((name) => [name, Number(values[name] ?? defaults[name])] as const);
  const wrong = numbers.find(([, number]) => !(Number.isInteger(number) && number >= 1));
  if (wrong !== undefined) refuse(`--${wrong[0]} is a whole number from 1.`);
  return Object.fromEntries(numbers) as Record<Name, number>;
}
