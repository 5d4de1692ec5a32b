import { afterEach, expect, test, vi } from "vitest";
import { serve } from "../cli/testing/serve.ts";
import { startClock } from "./clock.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Beats against a Functions emulator that answers calls of one function as given, and others like the real one. */
async function beat(key: string, answer: () => number): Promise<string[]> {
  const { host, close } = await serve(({ path }) =>
    path === `demo-firerank/us-central1/${key}`
      ? { status: answer(), body: "" }
      : {
          status: 404,
          body: `Function x does not exist, valid functions are: us-central1-api, us-central1-${key}`,
        },
  );
  const reports: string[] = [];
  const clock = startClock(host, 5, (message) => reports.push(message));
  ends.push(clock.stop, close);
  return reports;
}

test.each([
  ["again and again", "rankSeasons-0"],
  ["under its new number after its trigger was loaded again", "rankSeasons-3"],
])("the schedule is called %s", async (_how, key) => {
  const answer = vi.fn(() => 200);
  const reports = await beat(key, answer);
  await vi.waitFor(() => expect(answer.mock.calls.length).toBeGreaterThan(3));
  expect(reports).toEqual([]);
});

test("a lasting error is reported once, and so is its end", async () => {
  let calls = 0;
  const reports = await beat("rankSeasons-0", () => (++calls <= 4 ? 500 : 200));
  await vi.waitFor(() => expect(calls).toBeGreaterThan(6));
  expect(reports).toEqual(["Clock: rankSeasons failed: HTTP 500", "Clock: rankSeasons works again."]);
});
