/** `npx --no-install firerank <command>`: work on boards from a terminal. `--help` lists the commands. */
import { run } from "./program.ts";
import { asCliError } from "./system-error.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads only the first lines, as `head` does, closes the pipe.
  if (error.code === "EPIPE") process.exit();
  // Such as a file on a full disk.
  console.error((asCliError(error, { file: "the output" }) as Error).message);
  process.exit(1);
});

process.exitCode = (await run(process.argv.slice(2))) || process.exitCode || 0;
