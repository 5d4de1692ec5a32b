/** `npm run test:unit`: the pure tests, which need neither a build nor an emulator. Arguments are vitest's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { answerHelp } from "./options.ts";
import { root } from "./project.ts";
import { vitestOptions, vitestProgram } from "./vitest-options.ts";

const usage = `npm run test:unit -- [names] [vitest's options]

  names              only files with one of them in their path, as in: npm run test:unit -- fold
  vitest's options   such as --watch, --changed, -t "words of a test's name"`;

answerHelp(usage);
const args = process.argv.slice(2);
vitestOptions(args, usage);
const vitest = [vitestProgram, "run", "--project", "unit", ...args];
const child = spawn(process.execPath, vitest, { cwd: root, stdio: "inherit" });
const [code] = (await once(child, "exit")) as [number | null];
process.exitCode = code ?? 1;
