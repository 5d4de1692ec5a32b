/** `npx --no-install firerank <command>`: work on boards from a terminal. `--help` lists the commands. */
import { run } from "./program.ts";

// Whoever reads only the first lines, as `head` does, closes the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = (await run(process.argv.slice(2))) || process.exitCode || 0;
