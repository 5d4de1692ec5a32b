/** How long a call may take. */
import { expect, test } from "vitest";
import { within } from "./call-options.ts";

test.each([Infinity, 30 * 86_400_000])(
  "a call that may take %s ms is not over at once",
  async (timeoutMs) => {
    const answer = new Promise<string>((resolve) => {
      setTimeout(() => resolve("an answer"), 50);
    });
    expect(await within("submitScore", { timeoutMs }, () => answer)).toBe("an answer");
  },
);
