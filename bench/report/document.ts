/** docs/benchmark.md, written from results. */
import { countedTable, featureTable, reasonsList } from "./feature-tables.ts";
import type { Results } from "./results.ts";

export function documentOf(results: Results): string {
  const { systems, counted, work, emulator, version, seed } = results;
  return `# The benchmark

\`npm run bench\` writes this page. It runs every way to rank that people use or that was published, through one interface, on the same seeded work, and compares each answer with an exact sort and each bill with a formula.

## What each offers

${featureTable(systems)}

${reasonsList(systems)}

## What each operation is billed

**Counted** on ${emulator}: ${work}. r: documents read, w: written, d: deleted, f: functions called by triggers or schedules, c: commands to another server. An update includes the player's own document.

${countedTable(systems, counted)}

## Method

Firerank ${version}, seed ${seed}.
`;
}
