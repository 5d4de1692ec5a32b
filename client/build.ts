/**
 * Makes lib/: the modules of the package's two entries, and their types. What the package shares with the functions is
 * bundled in, so that a rank is worked out by one implementation; Firebase stays the app's own.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const folder = import.meta.dirname;

rmSync(join(folder, "lib"), { recursive: true, force: true });
await build({
  input: { index: join(folder, "src", "index.ts"), react: join(folder, "src", "react.ts") },
  external: /^(firebase\/|react$)/,
  platform: "neutral",
  transform: { target: "es2021" },
  plugins: [dts({ tsconfig: join(folder, "tsconfig.json") })],
  output: { dir: join(folder, "lib"), format: "esm", sourcemap: true },
});
