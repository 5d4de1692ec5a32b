/** Where the processes of a mutation test meet. */
import { join } from "node:path";
import { root } from "../project.ts";

export const folder = join(root, ".firerank", "mutants");
/** By path, the modules with all mutants built in; each is off until it is chosen. */
export const instrumentedFile = join(folder, "instrumented.json");
/** The ids of the mutants that are to be tried. */
export const wantedFile = join(folder, "wanted.json");
/** A line for each mutant that is begun, and one for each that is done. */
export const linesFile = join(folder, "lines.txt");
