/** Names in a codebase's `.env` that look like a parameter's. Pure. */
import { type ParameterName, parameterNames } from "../../functions/src/model/parameters.ts";
import { readEnv } from "./env-file.ts";
import type { Parameters } from "./parameters.ts";

/** More letters may be wrong in names of a codebase's own: `VERSION` is three away from `REGION`. */
const wrongLettersMax = 2;

/** A sentence for each line with a name that is nearly a parameter's: nobody reads it, and the default counts. */
export function misspelt(parameters: readonly Parameters[]): string[] {
  return parameters
    .flatMap(({ files }) => files)
    .flatMap(({ path, text }) =>
      readEnv(text).set.flatMap(({ name, line }) => {
        const meant = nearest(name);
        if (meant === undefined) return [];
        return [`${path}, line ${line}: Firerank has no parameter ${name}. Did you mean ${meant}?`];
      }),
    );
}

function nearest(name: string): ParameterName | undefined {
  const near = parameterNames.map((one) => ({ one, wrong: wrongLetters(name, one) }));
  const [first] = near.toSorted((a, b) => a.wrong - b.wrong);
  return first !== undefined && first.wrong > 0 && first.wrong <= wrongLettersMax ? first.one : undefined;
}

/** How many letters to change, add or leave out to make one text of the other (Levenshtein's distance). */
function wrongLetters(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
