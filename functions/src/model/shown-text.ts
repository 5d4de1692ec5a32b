/** The schema of a short text that people read. */
import { z } from "zod";
import { isVisible } from "./display-name.ts";
import { hasControlCharacter, textPattern } from "./ids.ts";

/** A text of one line, of which a reader sees something. */
export function shownText(charactersMax: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !hasControlCharacter(text), {
      error: "must not contain control characters",
      abort: true,
    })
    .refine(isVisible, "must have a visible character")
    .refine(
      (text) => Array.from(text).length <= charactersMax,
      `must have at most ${charactersMax} characters`,
    )
    .meta({ minLength: 1, maxLength: charactersMax, pattern: textPattern })
    .describe("At least one character must be visible.");
}
