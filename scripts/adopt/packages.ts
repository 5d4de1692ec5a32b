/** The packages as a stranger gets them: packed in a copy, as functions/lib and client/lib are in use meanwhile. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../project.ts";
import { run } from "./run.ts";

export interface Packages {
  /** Paths of the tarballs. */
  firerank: string;
  client: string;
}

/** Packs both packages of this repository. @param folder where the copy and the tarballs go */
export async function packAll(folder: string): Promise<Packages> {
  const copy = join(folder, "clone");
  const isNeeded = (path: string) => !/[\\/](node_modules|lib)$/.test(path);
  for (const name of ["functions", "cli", "client"])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isNeeded });
  for (const name of ["firestore.rules", "firestore.indexes.json", "LICENSE", "tsconfig.base.json"])
    cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "dir");
  symlinkSync(join(root, "functions", "node_modules"), join(copy, "functions", "node_modules"), "dir");
  const [firerank, client] = await Promise.all(
    ["functions", "client"].map(async (name) => {
      const tarballs = join(folder, `${name}-tarball`);
      mkdirSync(tarballs);
      await run(join(copy, name), "npm", "pack", "--pack-destination", tarballs);
      const [packed] = readdirSync(tarballs);
      if (packed === undefined) throw new Error(`Nothing was packed in ${name}/.`);
      return join(tarballs, packed);
    }),
  );
  if (firerank === undefined || client === undefined) throw new Error("Nothing was packed.");
  return { firerank, client };
}
