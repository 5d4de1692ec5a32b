/** The projects that a folder's `.firebaserc` names, as `firebase use` does. */
import { z } from "zod";
import { firstProblem } from "../functions/src/model/errors.ts";
import { CliError } from "./cli-error.ts";
import { readJsonFile } from "./init/json-file.ts";
import { projectFolder, readIn } from "./init/project-folder.ts";

const schema = z.looseObject({ projects: z.record(z.string(), z.string()).default({}) });

/**
 * The ids of projects by their aliases, that of the default one by `default`.
 * @param from the folder of the command; the nearest one upwards with a firebase.json counts
 * @throws CliError for a file that is not as firebase-tools writes it
 */
export function projectsIn(from: string): Partial<Record<string, string>> {
  const text = readIn(projectFolder(from), ".firebaserc") ?? "{}";
  const { data, error } = schema.safeParse(readJsonFile(".firebaserc", text));
  if (data === undefined) throw new CliError(`.firebaserc: ${firstProblem(error)}`);
  return Object.assign(Object.create(null) as Partial<Record<string, string>>, data.projects);
}
