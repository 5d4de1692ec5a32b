/** Every system of the benchmark does the same work, gives the answers that it claims, and is billed its formula. */
import { expect, test } from "vitest";
import { cases } from "../contest/cases.ts";
import { playOn } from "../contest/counted.ts";
import { systems, testedSystems } from "../systems/index.ts";

for (const system of [...systems, ...testedSystems]) {
  const missing = system.available?.();
  if (missing !== undefined) console.log(`${system.id} is left out: ${missing}`);
  for (const { title, play } of cases) {
    test.skipIf(missing !== undefined)(`${system.id}: ${title}`, async () => {
      const { problems } = await playOn(system, 1, play);
      expect(problems.slice(0, 8)).toEqual([]);
    });
  }
}
