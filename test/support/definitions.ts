/** Definitions for tests, as `saveLeaderboard` would store them. */
import type { z } from "zod";
import {
  changedDefinition,
  type Definition,
  type DefinitionChanges,
  definitionSchema,
} from "../../functions/src/model/definition.ts";

/** What a definition may be made of. */
export type Given = Omit<z.input<ReturnType<typeof definitionSchema>>, "max_attempts"> &
  Pick<DefinitionChanges, "max_attempts">;

/** A definition with its defaults filled in. @throws if it is wrong */
export function definitionOf(definition: Given): Definition {
  return definitionSchema(0).parse(changedDefinition(undefined, definition as DefinitionChanges));
}
