/** Asks a running Functions emulator what it has loaded. */
import { projectId, region } from "./project.ts";

/**
 * The names by which functions can be called at `http://<host>/<project>/<region>/<name>`. Background functions have
 * a suffix there, the number of times their triggers were loaded: `rankSeasons-0`.
 */
export async function loadedFunctions(functionsHost: string): Promise<string[]> {
  const response = await fetch(`http://${functionsHost}/${projectId}/${region}/no-such-function`);
  const text = await response.text();
  // The emulator has no list of them, but names them all when it finds one missing.
  const list = /valid functions are: (.*)$/s.exec(text)?.[1] ?? "";
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name.startsWith(`${region}-`))
    .map((name) => name.slice(region.length + 1));
}
