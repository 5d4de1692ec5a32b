/** The calls that work on a whole season: their names, what they do and what they cost. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { call } from "../data/calls.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import type { Question } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import type { Remedy } from "./alerts.ts";
import { rank } from "./rank.ts";

type Work = Remedy | "full_audit";

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
    text: () => "Publishes everything indexed so far as a new generation.",
    run: rank,
  },
  audit: {
    verb: "Audit",
    title: "Audit this season?",
    text: (players) =>
      `Compares totals: ranking, index and players. It changes nothing and costs ${reads(players / 500 + 10)}.`,
    run: (key) => repair(() => call("auditSeason", { ...key, full: false })),
  },
  full_audit: {
    verb: "Full audit",
    title: "Audit every player of this season?",
    text: (players) =>
      `Compares score by score and player by player. It changes nothing and costs ${reads(2 * players)}.`,
    run: (key) => repair(() => call("auditSeason", { ...key, full: true })),
  },
  sweep: {
    verb: "Sweep",
    title: "Sweep this season?",
    text: (players) =>
      `Indexes every player whose events were missed. It costs ${reads(2 * players)}. Players and ranks stay available.`,
    run: (key) => repair(() => call("sweepSeason", key)),
  },
  rebuild: {
    verb: "Rebuild",
    title: "Rebuild the ranking of this season?",
    text: (players) =>
      `Publishes a new generation made from the index alone. It costs ${reads(players)}. Submissions and reads continue.`,
    run: (key) => repair(() => call("rebuildSeason", { ...key, full: false })),
  },
  full_rebuild: {
    verb: "Sweep and rebuild",
    title: "Sweep and rebuild this season?",
    text: (players) =>
      `Indexes all players again, then publishes a new generation made from the index. It costs ${reads(3 * players)}. Submissions and reads continue.`,
    run: (key) => repair(() => call("rebuildSeason", { ...key, full: true })),
  },
};

/** The confirmation before work on a season. */
export function questionBefore(work: Work, key: SeasonKey, players: number): Question {
  const { verb, title, text, run } = works[work];
  return { title, verb, text: text(players), work: () => run(key) };
}

async function repair(ask: () => Promise<Awaited<ReturnType<typeof call<"auditSeason">>>>): Promise<void> {
  const record = await ask();
  if (record.outcome === "running") {
    tell("good", `The ${record.kind} continues in the background; its progress is shown above.`);
  } else if (record.kind === "audit") {
    const found =
      record.repair === "none"
        ? "found nothing wrong"
        : `found differences. The repair: ${works[record.repair].verb.toLowerCase()}`;
    tell(record.repair === "none" ? "good" : "bad", `The audit ${found}.`);
  } else if (record.kind === "sweep") {
    tell("good", `The sweep is done: ${formatMany(record.swept.changed, "entry", "entries")} corrected.`);
  } else {
    tell(
      "good",
      `The rebuild is done: generation ${formatCount(record.generation ?? 0)}, ${formatMany(record.rebuilt.players, "player")}.`,
    );
  }
}
