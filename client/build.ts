/**
 * Makes lib/: the modules of the package's entries, and their types. What the package shares with the functions is
 * bundled in, so that a rank is worked out by one implementation; Firebase stays the app's own.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const folder = import.meta.dirname;

/** `firerank-client`, and for each other name `firerank-client/<name>`. */
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
