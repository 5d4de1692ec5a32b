/** The pure tests of the functions, all in one file and one process, on modules with their mutants built in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { root } from "../project.ts";
import { instrumentedFile } from "./files.ts";

const instrumented = new Map(
  Object.entries(JSON.parse(readFileSync(instrumentedFile, "utf8")) as Record<string, string>),
);

export default defineConfig({
  root,
  plugins: [
    {
      name: "modules with mutants",
      enforce: "pre",
      load: (id) => instrumented.get(id),
    },
  ],
  test: {
    // The same for every mutant, so that none survives or dies by chance.
    env: { FIRERANK_SEED: "20261122" },
    include: [join("scripts", "mutants", "every-mutant.ts")],
    setupFiles: [join("test", "support", "setup", "fast-check.ts")],
    // These take seconds because of their size; smaller ones find the same mistakes.
    testNamePattern: /^(?!.*(ten million|realistic shapes|grows with the number|without pause all day))/,
    pool: "threads",
    // The cache goes by the files, and does not know the mutants.
    fsModuleCache: false,
    // Hanging tests are ended from outside; see main.ts.
    testTimeout: 0,
  },
});
