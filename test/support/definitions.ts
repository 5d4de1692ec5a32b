/** Definitions for tests, as `saveLeaderboard` would store them. */
import type { z } from "zod";
import { type Definition, definitionSchema } from "../../functions/src/model/definition.ts";

/** A definition with its defaults filled in. @throws if it is wrong */
export function definitionOf(definition: z.input<ReturnType<typeof definitionSchema>>): Definition {
  return definitionSchema(0).parse(definition);
}
