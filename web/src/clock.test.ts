/** The dashboard's clock, on a machine whose date is set. */
import { expect, onTestFinished, test, vi } from "vitest";

test("the clock says that it stopped after a sleep and after a date that was set back, and not after a slow second", async () => {
  vi.useFakeTimers({ now: 1e12 });
  vi.stubGlobal("document", { hidden: false });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const { now, wokeAt } = await import("./clock.ts");
  vi.advanceTimersByTime(60_000);
  vi.setSystemTime(Date.now() + 5_000);
  vi.advanceTimersByTime(1_000);
  expect([now.value, wokeAt.value]).toEqual([Date.now(), 0]);
  for (const setMs of [3 * 3_600_000, -3 * 3_600_000, -5_000]) {
    vi.setSystemTime(Date.now() + setMs);
    vi.advanceTimersByTime(1_000);
    expect([setMs, now.value, wokeAt.value]).toEqual([setMs, Date.now(), Date.now()]);
    vi.advanceTimersByTime(60_000);
    expect(now.value - wokeAt.value).toBe(60_000);
  }
});
