/** Every system of the benchmark does the same work, gives the answers that it claims, and is billed its formula. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMeteredClient } from "../../bench/contest/bill.ts";
import { cases } from "../../bench/contest/cases.ts";
import { enter } from "../../bench/contest/contestant.ts";
import { randomOf } from "../../bench/generators/random.ts";
import { systems } from "../../bench/systems/index.ts";

for (const system of systems) {
  for (const { title, play } of cases) {
    test(`${system.id}: ${title}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "firerank-bench-"));
      const { db, meter } = createMeteredClient();
      let nowMs = Date.parse("2100-01-02T12:00:00Z");
      const now = () => (nowMs += 1_000);
      const contestant = await enter(system, { db, meter, now, random: randomOf(1), folder });
      onTestFinished(async () => {
        await contestant.close();
        await db.terminate();
        rmSync(folder, { recursive: true, force: true });
      });
      await play(contestant);
      expect(contestant.problems).toEqual([]);
    });
  }
}
