import { expect, test } from "vitest";
import type { ClosingPhase } from "../../../functions/src/documents/closing-record.ts";
import { closingSteps } from "./phases.ts";

const stepsAt = (
  phase: ClosingPhase,
  {
    outcome = "running",
    source = "index",
  }: { outcome?: "running" | "failed"; source?: "index" | "count" } = {},
) =>
  closingSteps({ season: { status: "closing" }, record: { phase, outcome }, source }).map(
    ({ id, state }) => `${id} ${state}`,
  );

test("steps before the phase are done, and steps after it are still to come", () => {
  expect(stepsAt("ranking")).toEqual([
    "settling done",
    "sweeping done",
    "auditing done",
    "ranking now",
    "writing ahead",
    "checking ahead",
    "closed ahead",
    "clearing ahead",
  ]);
});

test("a repair is a step while there is one", () => {
  expect(stepsAt("repairing").slice(2, 5)).toEqual(["auditing done", "repairing now", "ranking ahead"]);
});

test("a ranking of counts is not audited, and swept only where that has something to do", () => {
  expect(stepsAt("ranking", { source: "count" }).slice(0, 2)).toEqual(["settling done", "ranking now"]);
  const swept = ["settling done", "sweeping now", "ranking ahead"];
  expect(stepsAt("sweeping", { source: "count" }).slice(0, 3)).toEqual(swept);
});

test("a closing that failed shows where", () => {
  expect(stepsAt("checking", { outcome: "failed" }).at(-3)).toBe("checking failed");
});

test("a season that is being cleared is closed already", () => {
  expect(stepsAt("clearing").slice(-2)).toEqual(["closed done", "clearing now"]);
  expect(stepsAt("ended").at(-1)).toBe("clearing done");
});

test("before the closing has begun, all steps are still to come", () => {
  const steps = closingSteps({ season: { status: "open" }, record: undefined, source: "index" });
  expect(steps.every(({ state }) => state === "ahead")).toBe(true);
});
