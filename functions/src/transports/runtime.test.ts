/** The services of a process: their pace follows from where the database is. */
import { afterEach, expect, test, vi } from "vitest";
import { boardCacheMs, endWaitMs, slotMs, slotOnEmulatorMs } from "../model/limits.ts";

const errors = vi.hoisted(() => vi.fn());
vi.mock("firebase-functions/logger", () => ({ error: errors, warn: vi.fn(), info: vi.fn() }));
const clocks = vi.hoisted(() => vi.fn());
vi.mock("./emulator-clock.ts", () => ({ startEmulatorClock: clocks, leaseFile: vi.fn() }));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  errors.mockClear();
  clocks.mockClear();
});

async function servicesWith(environment: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries({
    GCLOUD_PROJECT: "my-game",
    DATABASE: undefined,
    ...environment,
  }))
    vi.stubEnv(name, value);
  // Other files may have loaded it, and it keeps its services.
  vi.resetModules();
  return (await import("./runtime.ts")).runtimeServices();
}

test("functions on an emulator keep production's pace on a real database, start no clock there, and say so", async () => {
  const services = await servicesWith({ FUNCTIONS_EMULATOR: "true", FIRESTORE_EMULATOR_HOST: undefined });
  expect(services).toMatchObject({ slotMs, endWaitMs, boardCacheMs, intervalMinutesMin: 1 });
  expect(clocks).not.toHaveBeenCalled();
  expect(errors.mock.calls.flat().join()).toContain('the real Firestore database of project "my-game"');
});

test("on an emulated database slots are short, and a clock runs unless it is turned off", async () => {
  const emulated = { FUNCTIONS_EMULATOR: "true", FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" };
  const off = await servicesWith({ ...emulated, FIRERANK_EMULATOR_CLOCK: "off" });
  expect(off).toMatchObject({ slotMs: slotOnEmulatorMs, intervalMinutesMin: 0 });
  expect(clocks).not.toHaveBeenCalled();
  await servicesWith({ ...emulated, FIRERANK_EMULATOR_CLOCK: undefined });
  expect(clocks).toHaveBeenCalledOnce();
  expect(errors).not.toHaveBeenCalled();
});

test("deployed functions have production's pace, and no clock", async () => {
  const services = await servicesWith({ FUNCTIONS_EMULATOR: undefined, FIRESTORE_EMULATOR_HOST: undefined });
  expect(services).toMatchObject({ slotMs, intervalMinutesMin: 1 });
  expect(clocks).not.toHaveBeenCalled();
  expect(errors).not.toHaveBeenCalled();
});
