/** Gives fast-check the seed of this run (vitest.config.ts draws it), so that a failure can be repeated. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FIRERANK_SEED"]) });
