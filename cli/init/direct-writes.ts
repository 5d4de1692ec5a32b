/** Whether servers of the owner write players' documents by themselves: the parameter DIRECT_WRITES. */
import { cost, functionTime, instances } from "../prices.ts";
import { ask } from "../ask.ts";
import { CliError } from "../cli-error.ts";
import { type Parameters, valuesOf } from "./database.ts";

/** A call takes less than a tenth of a second, the least that is billed. */
const dollarsPerMillion = cost(
  { reads: 0, writes: 0, deletes: 0, ...functionTime(1e6, 0.1, instances.trigger) },
  "us-central1",
).toFixed(2);

export const savedWithout =
  `Without it, each score saves a call of the trigger indexPlayer, $${dollarsPerMillion} a million in us-central1; but ` +
  "what a server writes by itself, without a call of Firerank, is not counted.";

/** Shown where nobody has said it. */
export const directWritesNote =
  "The trigger that follows direct writes to players' documents is deployed. If all your scores come by Firerank's calls, " +
  `leave it out, before you deploy: DIRECT_WRITES=false in the codebase's .env. ${savedWithout}`;

/**
 * The value that DIRECT_WRITES gets; undefined where nobody says it, so that the trigger is deployed.
 * @param asked by the command
 * @throws CliError for what is neither true nor false, or another value than there is
 */
export function directWritesFor(
  asked: string | undefined,
  parameters: readonly Parameters[],
): string | undefined {
  if (asked === undefined) return undefined;
  if (asked !== "true" && asked !== "false")
    throw new CliError(`--direct-writes ${asked}: it takes true or false.`, { exitCode: 2 });
  const other = valuesOf(parameters, "DIRECT_WRITES").find(({ value }) => value !== asked);
  if (other === undefined) return asked;
  throw new CliError(
    `${other.path} says DIRECT_WRITES=${other.value}, and --direct-writes ${asked} was asked for. Change the file by hand, ` +
      "deploy, and then repair each season that takes scores: npx --no-install firerank repair <board> --season <season>. Otherwise " +
      "scores that were written meanwhile are not counted.",
  );
}

/** Asks the owner; Enter keeps the trigger. */
export async function askDirectWrites(input: NodeJS.ReadableStream): Promise<"true" | "false"> {
  const question = "Do servers of yours write players' documents by themselves (DIRECT_WRITES)? [Y/n] ";
  return /^n(o)?$/i.test(await ask(input, `${savedWithout}\n${question}`)) ? "false" : "true";
}
