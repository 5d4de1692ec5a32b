/** The options of this repository's own scripts. */
import { parseArgs, type ParseArgsConfig } from "node:util";

/** What the arguments say. Ends this process with what is wrong and the usage if there is no such option. */
export function optionsOf<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(`${(error as Error).message}\nUsage: ${usage}`);
  }
}

export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
