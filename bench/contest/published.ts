/**
 * What others published of a system, and what comes out here: by the model of waits, by the formulas and the price list,
 * or from the system's own estimate. Where a published figure was needed to set up the model, this says so.
 */
import { cost } from "../../cli/prices.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { fiveBuckets } from "../systems/buckets.ts";
import { rankTree, rankTreeQueues } from "../systems/rank-tree.ts";
import { regularUpdate } from "../systems/regular-update.ts";
import { scoreDocuments } from "../systems/score-documents.ts";
import { scoreRanking } from "../systems/score-ranking.ts";
import type { Load } from "../systems/system.ts";
import { free } from "./bill.ts";
import { changesOf } from "./changes.ts";
import { errorOf } from "./errors.ts";
import { truthOf } from "./truth.ts";
import { type Arrivals, failedShare, largestRate, simulateWaits } from "./waits.ts";

export interface Published {
  /** What the figure is of. */
  what: string;
  source: string;
  /** As it was published, with its unit. */
  published: string;
  here: number;
  unit: "updates/s" | "s" | "$" | "views" | "share";
  label: "simulated" | "priced" | "measured";
  /** Why the figures differ, or what was fitted. */
  note?: string;
}

const answer = "the answer about ranks in Firestore (https://stackoverflow.com/a/46732461)";
const article = "“Fast and Reliable Ranking in Datastore” (2013)";

/** Seconds of a worker's round in the article: to lease 550 jobs, to apply them and to delete them, at 200 a second. */
const roundSeconds = 2.75;

/** All figures; the same each time. */
export function publishedOf(): Published[] {
  return [...publishedRates(), ...publishedPrices(), publishedError()];
}

function publishedRates(): Published[] {
  const of = (load: Load, more: Partial<Arrivals> = {}): Arrivals => {
    const random = randomOf(1);
    const change = changesOf(shapes.uniform999, 30_000, random);
    return { load, change, random, updatesPerSecond: NaN, serviceSeconds: 1, seconds: 1_000, ...more };
  };
  // The answer counts two writes of their own, not a transaction of both.
  const apart: Load = {
    kind: "documents",
    commits: ({ before, after }) => [[String(before)], [String(after)]],
  };
  const oneWorker: Load = { kind: "queue", workers: 1, batch: 550 };
  return [
    {
      what: "New scores that documents of the scores 0 to 999 take",
      ...{ source: answer, published: "500 updates/s", unit: "updates/s", label: "simulated" },
      here: largestRate(of(apart)),
    },
    {
      what: "… if one transaction changes the documents of both scores",
      ...{ source: answer, published: "500 updates/s", unit: "updates/s", label: "simulated" },
      here: largestRate(of(scoreDocuments.load)),
      note: "Each of the two waits for the other; the table above has this form.",
    },
    {
      what: "Share of 3 updates/s to a tree that fail after all attempts",
      ...{ source: article, published: "1 %", unit: "share", label: "simulated" },
      here: failedShare(of(rankTree.load, { updatesPerSecond: 3, serviceSeconds: 0.1, seconds: 20_000 })),
      note: "With 0.1 s a commit. With 1 s, the root takes no more than 1 a second.",
    },
    {
      what: "Updates to a tree that one worker applies, 500 to 600 at once",
      ...{ source: article, published: "200 updates/s", unit: "updates/s", label: "simulated" },
      here: largestRate(of(oneWorker, { serviceSeconds: roundSeconds })),
      note: `Fitted: a round takes ${roundSeconds} s. The table above has one commit for a round, which is kinder.`,
    },
    {
      what: "Seconds until 99 of 100 are in the tree, at 300 updates/s in ten queues",
      ...{ source: article, published: "a few seconds", unit: "s", label: "simulated" },
      here: simulateWaits(of(rankTreeQueues.load, { updatesPerSecond: 300, serviceSeconds: roundSeconds }))
        .waitP99,
      note: "With the same rounds.",
    },
  ];
}

function publishedPrices(): Published[] {
  const truth = truthOf(Float64Array.from({ length: 30_000 }, (_, i) => i % 1_000));
  const hourly = regularUpdate.bills(truth).run?.(truth) ?? free;
  const ranking = scoreRanking.bills(truth).run?.(truth) ?? free;
  const view = scoreDocuments.bills(truth).rank?.(truth, 0) ?? free;
  return [
    {
      what: "The ranks of 30,000 players written once",
      ...{ source: answer, published: "$0.072", unit: "$", label: "priced" },
      // Without the document of the best players and the call of the function.
      here: cost({ ...hourly, writes: hourly.writes - 1, invocations: 0 }, "nam5"),
      note: "In nam5.",
    },
    {
      what: "Views of the last rank that cost as much as ranking 1,000 scores once",
      ...{ source: answer, published: "4 views", unit: "views", label: "priced" },
      // Without the 100 best players that a run reads, their document, and the player's own in a view.
      here:
        cost({ ...ranking, reads: ranking.reads - 100, writes: ranking.writes - 1, invocations: 0 }, "nam5") /
        cost({ ...view, reads: view.reads - 1 }, "nam5"),
    },
  ];
}

function publishedError(): Published {
  const rising = drawScores(shapes.uniform9999, 10_000, 1).sort();
  return {
    what: "Largest error of five buckets, 10,000 players with scores of 0 to 9,999",
    ...{ source: article, published: "about 1 %", unit: "share", label: "measured" },
    here: errorOf(fiveBuckets.estimate?.(rising) ?? (() => NaN), rising).worst,
    note: "If scores are even. The table of errors has real ones.",
  };
}
