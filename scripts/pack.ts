/** `npm run pack`: makes both packages, and says where they are. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { packAll } from "./adopt/packages.ts";
import { root } from "./project.ts";

const target = join(root, ".firerank", "packages");
const folder = mkdtempSync(join(tmpdir(), "firerank-pack-"));
try {
  const packages = await packAll(folder);
  mkdirSync(target, { recursive: true });
  for (const path of [packages.firerank, packages.client]) {
    const made = join(target, basename(path));
    copyFileSync(path, made);
    console.log(relative(process.cwd(), made));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
