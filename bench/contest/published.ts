/**
 * What others published of a system, and what comes out here: by the model of waits, by the formulas and the price list,
 * or from the system's own estimate.
 */
import { cost } from "../../cli/prices.ts";
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { fiveBuckets } from "../systems/buckets.ts";
import { regularUpdate } from "../systems/regular-update.ts";
import { scoreDocumentsSum } from "../systems/score-documents.ts";
import { scoreRanking } from "../systems/score-ranking.ts";
import type { Load } from "../systems/system.ts";
import { free } from "./bill.ts";
import { errorOf } from "./errors.ts";
import { truthOf } from "./truth.ts";
import { largestRate } from "./waits.ts";
import { changesOf } from "./work.ts";

export interface Published {
  /** What the figure is of. */
  what: string;
  source: string;
  /** As it was published, with its unit. */
  published: string;
  here: number;
  unit: "updates/s" | "$" | "views" | "share";
  label: "simulated" | "priced" | "measured";
  /** Why the figures differ. */
  note?: string;
}

const answer = "the answer about ranks in Firestore (https://stackoverflow.com/a/46732461)";
const article = "“Fast and Reliable Ranking in Datastore” (2013)";

/** All figures; the same each time. */
export function publishedOf(): Published[] {
  return [...publishedRates(), ...publishedPrices(), publishedError()];
}

function publishedRates(): Published[] {
  const rateOf = (load: Load) => largestRate(load, changesOf(shapes.uniform999, 30_000, randomOf(1)));
  const shared = {
    source: answer,
    published: "500 updates/s",
    unit: "updates/s",
    label: "simulated",
  } as const;
  return [
    {
      what: "New scores that documents of the scores 0 to 999 take",
      ...shared,
      // The answer counts two writes of their own, not a transaction of both.
      here: rateOf({
        kind: "documents",
        commits: ({ before, after }) => [[String(before)], [String(after)]],
      }),
    },
    {
      what: "… if one transaction changes the documents of both scores",
      ...shared,
      here: rateOf(scoreDocumentsSum.load),
      note: "Each of the two waits for the other; the table above has this form.",
    },
  ];
}

function publishedPrices(): Published[] {
  const truth = truthOf(Float64Array.from({ length: 30_000 }, (_, i) => i % 1_000));
  const hourly = regularUpdate.bills(truth).run?.(truth) ?? free;
  const ranking = scoreRanking.bills(truth).run?.(truth) ?? free;
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
      // Without the 100 best players that a run reads, and their document. A view reads all better scores.
      here:
        cost({ ...ranking, reads: ranking.reads - 100, writes: ranking.writes - 1, invocations: 0 }, "nam5") /
        cost({ reads: 999 }, "nam5"),
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
