/** `npm run bench -- systems --smoke`, without its files: every system, the formulas, and the report on them. */
import { expect, test } from "vitest";
import { documentOf } from "../report/document.ts";
import { contestOf } from "../systems-bench.ts";

test("the benchmark plays all systems and reports on each, without a wrong answer or bill", async () => {
  const smoke = { players: 12, updates: 3, seed: 1, smoke: true, only: undefined };
  const results = await contestOf(smoke, "an emulator");
  expect(results.counted.flatMap(({ problems }) => problems)).toEqual([]);
  const document = documentOf(results);
  for (const { name } of results.systems) expect(document).toContain(`| ${name} |`);
});
