/** A sorted array in the function's own memory: the floor of what server and protocol cost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { System } from "./system.ts";

export const memory: System = {
  name: "sorted array",
  does: "binary search in an array of all scores, in the function's own memory",
  request: ({ leaderboard }, { score }) => ({ leaderboard, score }),
  async store({ scores }, { folder }) {
    const file = join(folder, "scores.f64");
    writeFileSync(file, Buffer.from(scores.toReversed().buffer));
    return {
      source: join(import.meta.dirname, "..", "handlers", "memory.ts"),
      target: "getRank",
      env: { SERVE_SCORES_FILE: file },
      stop: async () => undefined,
    };
  },
};
