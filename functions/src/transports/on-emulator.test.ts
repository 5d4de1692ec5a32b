import { afterEach, expect, test, vi } from "vitest";
import { isAppCheckEnforced, isDatabaseEmulated } from "./on-emulator.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("App Check is enforced as the parameter says, and never on the emulators", () => {
  vi.stubEnv("ENFORCE_APP_CHECK", "true");
  vi.stubEnv("FUNCTIONS_EMULATOR", undefined);
  expect(isAppCheckEnforced()).toBe(true);
  vi.stubEnv("FUNCTIONS_EMULATOR", "true");
  expect(isAppCheckEnforced()).toBe(false);
  vi.stubEnv("FUNCTIONS_EMULATOR", undefined);
  vi.stubEnv("ENFORCE_APP_CHECK", "false");
  expect(isAppCheckEnforced()).toBe(false);
});

test.each([
  ["true", "127.0.0.1:8080", true],
  ["true", undefined, false],
  ["true", "", false],
  [undefined, "127.0.0.1:8080", false],
] as const)(
  "FUNCTIONS_EMULATOR %s and FIRESTORE_EMULATOR_HOST %s: the database is emulated: %s",
  (functions, host, is) => {
    vi.stubEnv("FUNCTIONS_EMULATOR", functions);
    vi.stubEnv("FIRESTORE_EMULATOR_HOST", host);
    expect(isDatabaseEmulated()).toBe(is);
  },
);
