/** Makes one mistake in the source as it is loaded. Must be imported before anything of functions/src. */
import { registerHooks } from "node:module";
import type { Mutant } from "./mutants.ts";

/** @throws when the file is loaded, if it does not have the text exactly once */
export function make({ file, from, to }: Mutant): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/functions/src/${file}`)) return loaded;
      const { source } = loaded;
      const text = typeof source === "string" ? source : new TextDecoder().decode(source);
      if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
      return { ...loaded, source: text.replace(from, () => to) };
    },
  });
}
