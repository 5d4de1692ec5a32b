/** The files that the processes of a mutation test share. */
import { join } from "node:path";
import { root } from "../project.ts";

export const folder = join(root, ".firerank", "mutants");
/** By path, the modules with all mutants built in; each mutant is off until it is selected. */
export const instrumentedFile = join(folder, "instrumented.json");
/** The ids of the mutants to try. */
export const wantedFile = join(folder, "wanted.json");
/** One line for each mutant that is started, and one for each that is done. */
export const linesFile = join(folder, "lines.txt");
