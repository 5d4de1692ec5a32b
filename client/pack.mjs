/** What `npm pack` does after the build and after packing: the files of the repository that the package has too. */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const repository = join(here, "..");
const lent = { LICENSE: "LICENSE", "SKILL.md": "functions/SKILL.md", "llms.txt": "functions/llms.txt" };

for (const [name, source] of Object.entries(lent)) {
  if (process.argv[2] === "before") copyFileSync(join(repository, source), join(here, name));
  else rmSync(join(here, name), { force: true });
}
