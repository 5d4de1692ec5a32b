/**
 * `npm run pack`: makes both packages as a stranger gets them, and says where they are. They are packed in a copy, as
 * functions/lib and client/lib are in use meanwhile.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { optionsOf } from "./options.ts";
import { run } from "./processes.ts";
import { root, workFolder } from "./project.ts";

if (import.meta.main) {
  optionsOf("npm run pack", {});
  for (const path of Object.values(await packAll(workFolder("packages"))))
    console.log(relative(process.cwd(), path));
}

/** Packs both packages of this repository into a folder. @returns the paths of the tarballs */
export async function packAll(folder: string): Promise<{ firerank: string; client: string }> {
  const copy = mkdtempSync(join(tmpdir(), "firerank-pack-"));
  try {
    const isNeeded = (path: string) => !/[\\/](node_modules|lib|dist)$/.test(path);
    for (const name of ["functions", "cli", "client", "web"])
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: isNeeded });
    for (const name of [
      "firebase.json",
      "firestore.rules",
      "firestore.indexes.json",
      "LICENSE",
      "tsconfig.base.json",
    ])
      cpSync(join(root, name), join(copy, name));
    for (const modules of ["node_modules", join("functions", "node_modules")])
      symlinkSync(join(root, modules), join(copy, modules), "dir");
    mkdirSync(folder, { recursive: true });
    const pack = async (name: string) => {
      const said = await run(join(copy, name), "npm", "pack", "--pack-destination", folder);
      // After what the build says comes the name of the file.
      return join(folder, said.trim().split("\n").at(-1) ?? "");
    };
    const [firerank, client] = await Promise.all([pack("functions"), pack("client")]);
    return { firerank, client };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
