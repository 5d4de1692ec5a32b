import { expect, test } from "vitest";
import type { ClosingPhase } from "../../../functions/src/documents/closing-record.ts";
import { closingSteps } from "./phases.ts";

const stepsAt = (phase: ClosingPhase, { outcome = "running" }: { outcome?: "running" | "failed" } = {}) =>
  closingSteps({ season: { status: "closing" }, record: { phase, outcome } }).map(
    ({ id, state }) => `${id} ${state}`,
  );

test("steps before the phase are done, and steps after it are still to come", () => {
  expect(stepsAt("writing")).toEqual([
    "waiting done",
    "completing done",
    "writing now",
    "publishing ahead",
    "closed ahead",
    "clearing ahead",
  ]);
});

test("a closing that failed shows where", () => {
  expect(stepsAt("publishing", { outcome: "failed" }).at(-3)).toBe("publishing failed");
});

test("a season that is being cleared is closed already", () => {
  expect(stepsAt("clearing").slice(-2)).toEqual(["closed done", "clearing now"]);
  expect(stepsAt("ended").at(-1)).toBe("clearing done");
});

test("before the closing has begun, all steps are still to come", () => {
  const steps = closingSteps({ season: { status: "open" }, record: undefined });
  expect(steps.every(({ state }) => state === "ahead")).toBe(true);
});
