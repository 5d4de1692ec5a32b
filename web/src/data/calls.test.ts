import { FunctionsError } from "firebase/functions";
import { expect, test } from "vitest";
import { asCallError } from "./calls.ts";

type Code = ConstructorParameters<typeof FunctionsError>[0];
const messageOf = (code: Code, message: string, details?: object) =>
  asCallError("runRanking", new FunctionsError(code, message, details), "europe-west1").message;

test("a refusal is shown in the function's words, without the status that the SDK adds", () => {
  const details = { code: "invalid_request", fields: [{ path: "score", message: "must be a number" }] };
  const error = new FunctionsError("invalid-argument", "score: must be a number [400]", details);
  expect(asCallError("submitScore", error, "europe-west1")).toMatchObject({
    message: "score: must be a number",
    code: "invalid_request",
    fields: details.fields,
  });
});

test("a call that ran and failed is reported as such, by the function or by the platform", () => {
  const said = "runRanking failed; the function's log says why.";
  expect(messageOf("internal", `${said} [500]`)).toBe(said);
  expect(messageOf("internal", "internal [500]")).toBe(said);
});

test("a call that takes longer than the page waits may still be running", () => {
  const said = "runRanking did not answer in time. It may still be running; see Runs.";
  expect(messageOf("deadline-exceeded", "deadline-exceeded")).toBe(said);
  expect(messageOf("deadline-exceeded", "deadline-exceeded [504]")).toBe(said);
});

test.each([
  ["internal", "internal [0]", "unavailable"],
  ["internal", "Response is not valid JSON object.", "unavailable"],
  ["unknown", "unknown [502]", "unavailable"],
  ["unavailable", "unavailable [503]", "unavailable"],
  ["internal", "internal [500]", "functions/internal"],
  ["internal", "getRank failed; the function's log says why. [500]", "functions/internal"],
  ["deadline-exceeded", "deadline-exceeded", "functions/deadline-exceeded"],
  ["not-found", "not-found [404]", "functions/not-found"],
] as const)("of %s, %j the code is %s, which says whether to ask again", (code, message, expected) => {
  expect(asCallError("getRank", new FunctionsError(code, message), "europe-west1").code).toBe(expected);
});

test.each([
  ["internal", "internal [0]"],
  ["not-found", "not-found [404]"],
] as const)(
  "a function that is not there (%s) is asked after, with its region and the setting for another",
  (code, message) => {
    expect(messageOf(code, message)).toBe(
      `runRanking could not be called (${code}). Are the functions deployed in region europe-west1? ` +
        "If they are in another one, build the dashboard with VITE_FIRERANK_REGION set to it.",
    );
  },
);
