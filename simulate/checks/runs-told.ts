/** What a season's documents tell of its runs: each generation that a run publishes once, in a record or in numbers. */
import { isDeepStrictEqual } from "node:util";
import {
  pagePath,
  runsPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { runsToldBy } from "../../functions/src/documents/recent-runs.ts";
import { type Change, type Documents, parentOf } from "../memory/store.ts";
import { insist } from "./violation.ts";

export class RunsTold {
  private told: number[] = [];
  private readonly store: Documents;
  private readonly key: SeasonKey;

  constructor(store: Documents, key: SeasonKey) {
    this.store = store;
    this.key = key;
  }

  /** After a commit. A run folds shards, which it nearly always deletes; a repair's publication does not. */
  observe(changes: readonly Change[]): void {
    const page = changes.find(({ path }) => path === pagePath(this.key, 0));
    if (page?.after === undefined) return;
    const generation = Number(page.after["generation"]);
    const isOfRun = changes.some(({ path }) => parentOf(path) === shardsPath(this.key));
    const before = this.told;
    this.told = this.toldNow();
    const isTold = isOfRun || this.told[0] === generation;
    insist(
      isDeepStrictEqual(this.told, isTold ? [generation, ...before] : before),
      () => `runs: generations ${this.told.join()} are told of, after ${before.join()} and ${generation}`,
    );
  }

  /** The generations of which the stored documents tell, the last first. */
  private toldNow(): number[] {
    const season = this.store.get(seasonPath(this.key));
    const records = this.store.list(runsPath(this.key));
    const runs = runsToldBy([...(season ? [season] : []), ...records], 0);
    return runs
      .filter(({ data }) => data["kind"] === "ranking" && data["outcome"] === "published")
      .map(({ data }) => Number(data["generation"]))
      .sort((a, b) => b - a);
  }
}
