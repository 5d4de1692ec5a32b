/** Each system at the same work on an emulator: what its operations are billed, and whether its answers are right. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomOf } from "../generators/random.ts";
import type { Operation, System } from "../systems/system.ts";
import { type Bill, createMeteredClient, meanOf, sumOf } from "./bill.ts";
import { type Contestant, enter, type Sample } from "./contestant.ts";

/** What one kind of operation was billed, on average. */
export interface Billed {
  times: number;
  mean: Bill;
  /** Bytes of the documents returned, on average. */
  bytes: number;
}

/** What was counted of one system. */
export interface Counted {
  id: string;
  billed: Partial<Record<Operation, Billed>>;
  /** Answers that its claim does not allow, and bills that are not its formula's; none if all is well. */
  problems: string[];
}

/** Lets a system play, in a database and a folder of its own. FIRESTORE_EMULATOR_HOST names the emulator. */
export async function playOn(
  system: System,
  seed: number,
  play: (contestant: Contestant) => Promise<void>,
): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), "firerank-bench-"));
  const { db, meter } = createMeteredClient();
  try {
    const contestant = await enter(system, { db, meter, random: randomOf(seed), folder });
    try {
      await play(contestant);
    } finally {
      await contestant.close();
    }
    return contestant;
  } finally {
    await db.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sums up what a contestant did. */
export function countedOf({ system, samples, problems }: Contestant): Counted {
  const operations = [...new Set(samples.map(({ operation }) => operation))];
  const billed = operations.map((operation) => [
    operation,
    billedOf(samples.filter((sample) => sample.operation === operation)),
  ]);
  return { id: system.id, billed: Object.fromEntries(billed) as Counted["billed"], problems };
}

function billedOf(samples: Sample[]): Billed {
  const times = samples.length;
  const mean = meanOf(sumOf(...samples.map(({ bill }) => bill)), times);
  return { times, mean, bytes: samples.reduce((bytes, sample) => bytes + sample.bytes, 0) / times };
}
