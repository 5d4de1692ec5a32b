/**
 * `npm run bench`: known ways to rank, side by side, on the same work (see systems-main.ts), and the benches of Firerank's
 * own parts.
 *
 *     npm run bench
 *     npm run bench -- load           one of the others; the file of each has its options
 */
import { answerHelp, refuse } from "../scripts/options.ts";

const benches: Record<string, () => Promise<unknown>> = {
  systems: () => import("./systems-main.ts"),
  "rank-error": () => import("./rank-error/main.ts"),
  load: () => import("./load/main.ts"),
  closing: () => import("./closing/main.ts"),
  overhead: () => import("./overhead/main.ts"),
  serve: () => import("./serve/main.ts"),
  boards: () => import("./boards/main.ts"),
  steps: () => import("./boards/steps/main.ts"),
};

const usage = `npm run bench -- [${Object.keys(benches).join(" | ")}] [their options, which --help lists]`;

// The options alone are for the systems.
const isNamed = !/^(-|$)/.test(process.argv[2] ?? "");
if (!isNamed) answerHelp(usage);
const [name = ""] = isNamed ? process.argv.splice(2, 1) : ["systems"];
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined) refuse(`Usage: ${usage}`);
await bench();
