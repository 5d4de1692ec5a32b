import { FunctionsError } from "firebase/functions";
import { expect, test } from "vitest";
import { toFirerankError } from "../../../client/src/firerank-error.ts";
import { inWords } from "./calls.ts";

const wordsOf = (code: ConstructorParameters<typeof FunctionsError>[0], message: string) =>
  inWords("runRanking", toFirerankError("runRanking", new FunctionsError(code, message)), "europe-west1")
    .message;

test.each([
  ["internal", "internal [0]"],
  ["not-found", "not-found [404]"],
] as const)(
  "of a function that cannot be reached (%s) is said what to look after, in words without a code",
  (code, message) =>
    expect(wordsOf(code, message)).toBe(
      "runRanking cannot be reached. Is this device online, and are the functions deployed in region europe-west1? " +
        "If they are in another one, build the dashboard with VITE_FIRERANK_REGION set to it.",
    ),
);

test("a call that takes longer than the page waits may still be running, and one that failed says why", () => {
  const late = "runRanking did not answer in time. It may still be running; see Runs.";
  expect(wordsOf("deadline-exceeded", "deadline-exceeded [504]")).toBe(late);
  const failed = "runRanking failed; the function's log says why.";
  expect(wordsOf("internal", `${failed} [500]`)).toBe(failed);
  expect(wordsOf("internal", "internal [500]")).toBe(failed);
});
