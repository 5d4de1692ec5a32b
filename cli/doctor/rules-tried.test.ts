import { expect, onTestFinished, test } from "vitest";
import { serve } from "../testing/serve.ts";
import { NotChecked } from "./finding.ts";
import { triedOnEmulator } from "./rules-tried.ts";

test.each([
  [403, { reads: [], refused: expect.arrayContaining(["leaderboards", "top"]) as string[], writes: [] }],
  [
    404,
    {
      reads: expect.arrayContaining(["runs", "events"]) as string[],
      refused: [],
      writes: expect.arrayContaining(["top"]) as string[],
    },
  ],
])("an emulator that answers %i refuses all or allows all", async (status, tried) => {
  expect(await triedOn(status)).toEqual(tried);
});

test("an emulator that fails to answer has neither refused nor allowed anything", async () => {
  await expect(triedOn(503)).rejects.toThrow(NotChecked);
});

async function triedOn(status: number) {
  const emulator = await serve(() => ({ status, body: {} }));
  onTestFinished(emulator.close);
  return triedOnEmulator({ project: "demo-game", database: "(default)" }, emulator.host);
}
