/** Where Firerank's functions are in a project, and that none of its own has their names. */
import { functionName } from "../../functions/src/model/function-name.ts";
import { CliError, usageError } from "../cli-error.ts";
import { expectedKinds } from "../doctor/expected.ts";
import { type Codebase, configIn } from "./merge-firebase-json.ts";
import * as note from "./notes.ts";
import { functionsOf, isTooOld, reexportOf } from "./their-functions.ts";

/** Where Firerank's functions are: in a codebase of their own, or in others that export them, or nowhere. @throws CliError */
export function functionsIn(project: string, config: string | undefined) {
  const said = configIn(config);
  const { own, others } = said;
  const folders = [own ?? [], others].flat(2).map((one) => one.source);
  const reexports = others.flatMap((one) => {
    const found = reexportOf(project, one, folders);
    return found === undefined ? [] : [{ ...one, ...found }];
  });
  return { ...said, reexports, known: [own ?? [], reexports].flat(2) as Codebase[] };
}

/** The same, and whose functions nobody could ask. @throws CliError */
export function functionsFor(
  options: { project: string; prefix?: string | undefined; yes: boolean; namesChecked?: boolean | undefined },
  config: string | undefined,
) {
  const { project, prefix, yes, namesChecked = false } = options;
  const found = functionsIn(project, config);
  const { own, others, remote, reexports, known } = found;
  checkPrefix(prefix, own, reexports);
  const ours = known.length === 0 ? [{ prefix }] : known;
  const uncertain = [
    ...refuseCollisions(project, others, reexports, ours),
    ...remote.map((name) => `${name}, of another repository`),
  ];
  // With a prefix of Firerank's own, the same name would be a rare chance.
  const unasked = ours.every((one) => one.prefix !== undefined) ? [] : uncertain;
  if (yes && !namesChecked && known.length === 0) refuseUnasked(unasked);
  return { ...found, unasked };
}

/** @throws CliError for a prefix that firebase-tools refuses, or another one than there is */
function checkPrefix(
  prefix: string | undefined,
  own: Codebase | undefined,
  reexports: readonly Codebase[],
): void {
  if (prefix === undefined) return;
  if (!/^[a-z](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(prefix)) {
    throw usageError(
      `--prefix ${prefix}: it takes at most 30 of a-z, 0-9 and -, beginning with a letter and not ending with -.`,
    );
  }
  if (own !== undefined && own.prefix !== prefix) {
    throw new CliError(
      `firebase.json has Firerank's codebase ${own.prefix === undefined ? "without a prefix" : `with the prefix ${own.prefix}`}. ` +
        "Another one gives all functions new names: change it there by hand, if you mean it.",
    );
  }
  const other = reexports.find((one) => one.prefix !== prefix);
  if (other === undefined) return;
  const how = other.isKit
    ? `a kit, whose names begin with ${other.prefix}`
    : 'so its names are those of that codebase. Write "prefix" into its entry of firebase.json, if you mean it: that ' +
      "gives all functions there new names";
  throw new CliError(`--prefix ${prefix}: ${other.source}/ exports Firerank's functions itself, ${how}.`);
}

/** @returns the codebases that could not be asked @throws CliError where functions of theirs would be replaced, or all of them vanish */
function refuseCollisions(
  project: string,
  others: readonly Codebase[],
  reexports: readonly (Codebase & { sdk: string | undefined })[],
  /** How Firerank is, or shall be, deployed. */
  ours: readonly { prefix?: string | undefined }[],
): string[] {
  const unasked: string[] = [];
  const problems = reexports.flatMap(({ source, sdk }) =>
    sdk !== undefined && isTooOld(sdk)
      ? `${source}/ has firebase-functions ${sdk}, and Firerank needs 7.4 or later: with two copies of it, none of the ` +
        "functions there would be found. Run `npm install firebase-functions@latest` in it."
      : [],
  );
  const names = new Set(
    ours.flatMap(({ prefix }) => [...expectedKinds.keys()].map((name) => functionName(name, prefix))),
  );
  for (const one of others) {
    if (reexports.some(({ source }) => source === one.source)) continue;
    const { names: theirs, isCertain, isStale } = functionsOf(project, one);
    if (!isCertain) unasked.push(`${one.source}/${isStale ? " (its build is older than its source)" : ""}`);
    const same = theirs.filter((name) => names.has(name));
    if (same.length === 0) continue;
    const how = isCertain
      ? ""
      : ", as far as its text shows; after `npm install` and a build there it can be asked";
    problems.push(
      `The codebase in ${one.source}/ has functions of the same names as Firerank's: ${same.join(", ")}${how}. ` +
        "A deploy would take them over. Rename yours, or give Firerank's a prefix: firerank init --prefix ranks.",
    );
  }
  if (problems.length > 0) throw new CliError(`${problems.join("\n\n")}\n\nNothing was written.`);
  return unasked;
}

/** @throws CliError where nobody reads the note */
function refuseUnasked(unasked: readonly string[]): void {
  if (unasked.length === 0) return;
  throw new CliError(
    `${note.unasked(unasked).join("\n\n")}\n\nNothing was written. With --yes, add --prefix, or --names-checked once you ` +
      "have compared the names.",
  );
}
