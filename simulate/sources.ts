/**
 * How sources are loaded for a simulation. Limits may be so small that a small world reaches them: pages of 4 rows, rankings
 * merged above 20 rows, backlogs of more than 4 shards.
 */
import { registerHooks } from "node:module";

/** The changed limits, by their names in model/limits.ts. */
const smallLimits: Readonly<Record<string, number>> = {
  onePageRowsMax: 6,
  rowsPerPageMax: 4,
  pagesMax: 5,
  shardsPerReadMax: 2,
  writesPerCommitMax: 14,
  playersPerCountMax: 2,
  documentsPerCommitMax: 3,
  waitingPerPlayerMax: 3,
  readTimeKeptMs: 240_000,
  valuesRankedMax: 3,
  segmentRowsMax: 24,
  segmentRowCountedMax: 3,
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
  topChangesShare: 3,
  privateGroupsPerPlayerMax: 3,
};

/**
 * Must be called before anything of functions/src is loaded.
 * @throws when model/limits.ts is loaded, if it does not have a limit that is to be smaller
 */
export function prepareSources(hasSmallLimits: boolean): void {
  registerHooks({
    resolve: (name, context, next) =>
      // The example is played with the functions' own copy of the library.
      next(name, name === "firebase-admin/firestore" ? { ...context, parentURL: functions } : context),
    load(url, context, next) {
      const loaded = next(url, context);
      if (!hasSmallLimits || url !== limitsModule) return loaded;
      const { source } = loaded;
      const text = typeof source === "string" ? source : new TextDecoder().decode(source);
      return { ...loaded, source: withSmallLimits(text) };
    },
  });
}

const functions = new URL("../functions/src/index.ts", import.meta.url).href;
const limitsModule = new URL("../functions/src/model/limits.ts", import.meta.url).href;

function withSmallLimits(source: string): string {
  return Object.entries(smallLimits).reduce((changed, [name, value]) => {
    const declaration = new RegExp(`^export const ${name} = [^;]+;`, "m");
    if (!declaration.test(changed)) throw new Error(`model/limits.ts has no ${name} to make smaller`);
    return changed.replace(declaration, `export const ${name} = ${value};`);
  }, source);
}
