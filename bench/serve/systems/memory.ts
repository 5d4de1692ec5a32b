/** A sorted array in the function's own memory: the floor of what server and protocol cost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { System } from "./system.ts";

export const memory: System = {
  name: "sorted array",
  async store({ scores }, { folder }) {
    const file = join(folder, "scores.f64");
    writeFileSync(file, Buffer.from(scores.buffer));
    return {
      source: join(import.meta.dirname, "..", "handlers", "memory.ts"),
      target: "getRank",
      env: { SERVE_SCORES_FILE: file },
      stop: async () => undefined,
    };
  },
};
