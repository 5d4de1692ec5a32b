/**
 * Sets limits so small that a small world reaches them: pages of 4 rows, rankings merged above 20 rows, backlogs of
 * more than 4 shards. Must be imported before anything that reads the limits.
 */
import { registerHooks } from "node:module";

/** The changed limits, by their names in model/limits.ts. */
const smallLimits: Readonly<Record<string, number>> = {
  rowsPerPageMax: 4,
  pagesMax: 5,
  shardsPerReadMax: 2,
  writesPerCommitMax: 14,
  playersPerCountMax: 2,
  documentsPerCommitMax: 3,
  waitingPerPlayerMax: 3,
  readTimeKeptMs: 240_000,
  changesPerShardMax: 3,
  shardBytesPerPublicationMax: 1_000,
  shardBytesPerCompactionMax: 1_500,
  stragglerGenerations: 7,
  standingsPerDocument: 3,
  standingsReadAtOnce: 2,
  summaryPartMax: 2,
  rangePlayersMax: 3,
  splitReadsMax: 2,
  partsPerDivision: 2,
  closingNotesPerRead: 2,
  revisionsGatherMs: 2_000,
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/functions/src/model/limits.ts")) return loaded;
    const { source } = loaded;
    if (typeof source === "string") return { ...loaded, source: withSmallLimits(source) };
    return { ...loaded, source: withSmallLimits(new TextDecoder().decode(source)) };
  },
});

/** The source of the limits, with other numbers. @throws if a limit no longer exists */
function withSmallLimits(source: string): string {
  return Object.entries(smallLimits).reduce((changed, [name, value]) => {
    const declaration = new RegExp(`^export const ${name} = [^;]+;`, "m");
    if (!declaration.test(changed)) throw new Error(`model/limits.ts has no ${name} to make smaller`);
    return changed.replace(declaration, `export const ${name} = ${value};`);
  }, source);
}
