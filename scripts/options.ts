/** The options of this repository's own scripts. */
import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * What the arguments say. Ends this process with the usage where they ask for it, and with what is wrong beside it where
 * there is no such option.
 */
export function optionsOf<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  answerHelp(usage);
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseOption(error, usage);
  }
}

/** Ends this process with the usage where `--help` asks for it. */
export function answerHelp(usage: string): void {
  if (!process.argv.some((arg) => arg === "--help" || arg === "-h")) return;
  console.log(`Usage: ${usage}`);
  process.exit(0);
}

/** @param error what a parser of options says. */
export function refuseOption(error: unknown, usage: string): never {
  refuse(`${(error as Error).message}\nUsage: ${usage}`);
}

export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
