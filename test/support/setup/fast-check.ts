/**
 * Gives fast-check the seed of this run (vitest.config.ts draws it), so that a failure can be repeated, and the number
 * of examples (vitest.mutants.config.ts has fewer).
 */
import fc from "fast-check";

fc.configureGlobal({
  seed: Number(process.env["FIRERANK_SEED"]),
  numRuns: Number(process.env["FIRERANK_RUNS"] ?? 100),
});
