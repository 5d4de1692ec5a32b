/** Operations as the command line calls them: with the owner's rights, and refusals in its own words. */
import { defined } from "../functions/src/model/defined.ts";
import { FirerankError } from "../functions/src/model/errors.ts";
import type { Services } from "../functions/src/world/services.ts";
import type { Caller } from "../functions/src/operations/shared/access.ts";
import { answer, type OperationSpec } from "../functions/src/operations/shared/spec.ts";
import type { z } from "zod";
import { CliError } from "./cli-error.ts";
import { commandName } from "./command-name.ts";

/** Users with the database's credentials have admin rights. */
const owner: Caller = { uid: "firerank-cli", role: "admin" };

/** Calls an operation; fields that are undefined are left out. @throws CliError, FirerankError */
export async function call<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  services: Services,
  request: object,
): Promise<Answer> {
  try {
    return await answer(spec, services, defined(request), owner);
  } catch (cause) {
    throw cause instanceof FirerankError ? refusalOf(cause) : cause;
  }
}

/** A refusal in the command line's own words: it names commands in place of calls, and options in place of fields. */
export function refusalOf(cause: FirerankError): CliError {
  const isUsage = cause.code === "invalid_request";
  const fields = (isUsage ? cause.details.fields : undefined) ?? [];
  const options = fields.map(({ path, message }) => `${optionNames[path] ?? path}: ${message}`).join("\n");
  const message = (options || cause.message)
    .replace(
      / An admin creates (it|a template) with saveLeaderboard\./,
      ` \`${commandName} save <board> <file>\` creates one.`,
    )
    .replace(" listSeasons has all of them.", "");
  const advice = cause.code === "season_not_found" ? ` \`${commandName} seasons <board>\` lists them.` : "";
  return new CliError(message + advice, { cause, exitCode: isUsage ? 2 : 1 });
}

const optionNames: Partial<Record<string, string>> = {
  span: "--span",
  status: "--status",
  opens_at: "--opens-at",
  closes_at: "--closes-at",
  season: "the season",
  player: "the player",
  from: "the player who goes",
  to: "the player who stays",
};
