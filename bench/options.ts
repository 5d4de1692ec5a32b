/** The options of the benches: whole numbers. */
import { parseArgs } from "node:util";

/** What the arguments name, or the defaults. Ends the process with the usage if a number is not a whole one from 1. */
export function wholeNumbers<Name extends string>(
  bench: string,
  defaults: Record<Name, number>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ options });
    const numbers = names.map((name) => [name, Number(values[name] ?? defaults[name])] as const);
    const wrong = numbers.find(([, number]) => !(Number.isInteger(number) && number >= 1));
    if (wrong !== undefined) throw new Error(`--${wrong[0]} is a whole number from 1.`);
    return Object.fromEntries(numbers) as Record<Name, number>;
  } catch (error) {
    const usage = names.map((name) => ` [--${name} ${defaults[name]}]`).join("");
    console.error(`${(error as Error).message}\nUsage: npm run bench -- ${bench}${usage}`);
    process.exit(2);
  }
}
