/** Like simulation.test.ts, with the small default limits of `npm run simulate`. */
import { describe, expect, test, vi } from "vitest";
import { rowsMax, shardsPerPublicationMax } from "../../../functions/src/model/limits.ts";
import { simulate } from "../../../simulate/simulation.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallLimits, derivedLimits } = await import("../../../simulate/small-limits.ts");
  return { ...(await original<object>()), ...smallLimits, ...derivedLimits };
});

const seed = Number(process.env["FIRERANK_SEED"]);
const seeds = Array.from({ length: 5 }, (_, i) => seed + i);

test("the limits are small", () => {
  expect({ rowsMax, shardsPerPublicationMax }).toEqual({ rowsMax: 20, shardsPerPublicationMax: 4 });
});

describe.each([
  { name: "one season", ends: false },
  { name: "seasons that end", ends: true },
])("with $name", ({ ends }) => {
  test.each(seeds)(
    "nothing is lost, doubled or wrong in 3,000 steps of seed %i and small limits",
    async (each) => {
      const { violation, rests } = await simulate({ seed: each, steps: 3_000, plan: { ends } });
      if (violation !== undefined) console.error(violation.lastActions.join("\n"));
      expect(violation?.error).toBeUndefined();
      expect(rests).toBeGreaterThan(0);
    },
  );
});
