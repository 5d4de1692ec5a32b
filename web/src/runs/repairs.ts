/** The calls that work on a whole season: their names, what they do and what they cost. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { type AnswerOf, call } from "../data/calls.ts";
import { asError, problemText } from "../errors.ts";
import { formatCount } from "../format/numbers.ts";
import type { Question } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { differencesIn } from "../../../functions/src/documents/repair-record.ts";
import { repairText } from "./describe.ts";

export type Work = "rank" | "audit" | "full_audit" | "repair";

interface Described {
  verb: string;
  title: string;
  text: (players: number) => string;
  run: (key: SeasonKey) => Promise<void>;
}

/** Reads in words: `about 3,000 reads`. */
const reads = (count: number) => `about ${formatCount(Math.max(1, Math.ceil(count)))} reads`;

export const works: Record<Work, Described> = {
  rank: {
    verb: "Rank now",
    title: "Rank this season now?",
    text: () => "Publishes everything counted so far as a new generation.",
    run: rank,
  },
  audit: {
    verb: "Audit",
    title: "Audit this season?",
    text: (players) =>
      `Compares totals: the ranking, what is counted, and players. It changes nothing and costs ${reads(players / 500 + 10)}.`,
    run: (key) => repair(() => call("auditSeason", { ...key, full: false })),
  },
  full_audit: {
    verb: "Full audit",
    title: "Audit every player of this season?",
    text: (players) =>
      `Compares score by score and player by player. It changes nothing and costs ${reads(players)}.`,
    run: (key) => repair(() => call("auditSeason", { ...key, full: true })),
  },
  repair: {
    verb: "Repair",
    title: "Repair this season?",
    text: (players) =>
      `Makes the ranking anew from the players; a closed season's, from its final table. It costs ${reads(2 * players)}. Submissions and reads continue.`,
    run: (key) => repair(() => call("repairSeason", key)),
  },
};

/** The confirmation before work on a season. */
export function questionBefore(work: Work, key: SeasonKey, players: number): Question {
  const { verb, title, text, run } = works[work];
  return { title, verb, text: text(players), work: () => run(key) };
}

async function repair(ask: () => Promise<AnswerOf<"auditSeason">>): Promise<void> {
  const record = await ask();
  if (record.outcome === "running") {
    tell("good", `The ${record.kind} continues in the background; its progress is shown above.`);
  } else if (record.kind === "audit") {
    const found = differencesIn(record.found);
    tell(
      found === undefined ? "good" : "bad",
      found === undefined ? "The audit found nothing wrong." : `The audit found: ${found}.`,
    );
  } else {
    tell("good", `The repair is done. ${repairText(record)}.`);
  }
}

/** Runs the ranking, and shows the result. Cost: that of a ranking run. */
async function rank(key: SeasonKey): Promise<void> {
  try {
    const { outcome, generation, players } = await call("runRanking", { ...key, include_open_slot: true });
    const what =
      outcome === "published"
        ? `Generation ${formatCount(generation ?? 0)} is published: ${formatCount(players)} players.`
        : `Nothing has changed since generation ${formatCount(generation ?? 0)}: ${formatCount(players)} players.`;
    tell("good", what);
  } catch (error) {
    tell("bad", problemText(asError(error)));
  }
}
