/** Reads a board again and again, as a reader might at any moment, and reports any incomplete generation. */
import { setTimeout as pause } from "node:timers/promises";
import type { Firestore } from "../../../../functions/src/documents/firestore.ts";
import { readPage } from "../../../../functions/src/documents/page.ts";
import { pagesPath, type SeasonKey, seasonPath, topPath } from "../../../../functions/src/documents/paths.ts";

export interface Sampler {
  /** The generations seen so far, in the order of looking. */
  generations: readonly number[];
  /** All problems found. */
  problems: readonly string[];
  /** Stops reading. @throws the error of a read. */
  stop(): Promise<void>;
}

const everyMs = 100;

/** Reads pages, top and season in one read-only transaction, several times a second. */
export function startSampler(db: Firestore, key: SeasonKey): Sampler {
  const generations: number[] = [];
  const problems: string[] = [];
  const end = new AbortController();
  const sampling = (async () => {
    while (!end.signal.aborted) {
      const { generation, problem } = await sample(db, key);
      if (generation > 0 && generation !== generations.at(-1)) generations.push(generation);
      if (problem !== undefined) problems.push(problem);
      await pause(everyMs);
    }
  })();
  sampling.catch(() => undefined); // stop() throws it
  return {
    generations,
    problems,
    stop() {
      end.abort();
      return sampling;
    },
  };
}

async function sample(
  db: Firestore,
  key: SeasonKey,
): Promise<{ generation: number; problem: string | undefined }> {
  const [found, top, season] = await db.runTransaction(
    async (transaction) =>
      Promise.all([
        transaction.get(db.collection(pagesPath(key))),
        transaction.get(db.doc(topPath(key))),
        transaction.get(db.doc(seasonPath(key))),
      ]),
    { readOnly: true },
  );
  const pages = found.docs.map((document) => readPage(document.data())).sort((a, b) => a.page - b.page);
  const generation = (season.get("ranking.generation") ?? 0) as number;
  const seen = {
    generation,
    top: (top.get("generation") ?? 0) as number,
    pages: pages.map(({ page, pages: of, generation: own }) => `${page}/${of}@${own}`),
    players: pages.at(-1)?.players_until ?? 0,
  };
  const whole = {
    generation,
    top: generation,
    pages: pages.map((_, i) => `${i}/${pages.length}@${generation}`),
    players: (season.get("ranking.players") ?? 0) as number,
  };
  const isWhole = JSON.stringify(seen) === JSON.stringify(whole) && (generation === 0 || pages.length > 0);
  return { generation, problem: isWhole ? undefined : JSON.stringify(seen) };
}
