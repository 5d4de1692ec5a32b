/**
 * Makes lib/: the modules of the package's entries, and their types. Code that the package shares with the functions is
 * bundled in, so that client and functions work out a rank by one implementation. The app brings Firebase.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const folder = import.meta.dirname;

/** The entries by name: `index` is `firerank-client`, and every other name is `firerank-client/<name>`. */
const entries = { index: "index", admin: "admin", queue: "score-queue", react: "react" };

rmSync(join(folder, "lib"), { recursive: true, force: true });
await build({
  input: Object.fromEntries(
    Object.entries(entries).map(([name, source]) => [name, join(folder, "src", `${source}.ts`)]),
  ),
  external: /^(firebase\/|react$)/,
  platform: "neutral",
  transform: { target: "es2021" },
  plugins: [dts({ tsconfig: join(folder, "tsconfig.json") })],
  output: { dir: join(folder, "lib"), format: "esm", sourcemap: true },
});
