/** `npx --no-install firerank <command>`: work on boards from a terminal. `--help` lists the commands. */
import { run } from "./program.ts";

process.exitCode = (await run(process.argv.slice(2))) || process.exitCode || 0;
