import { afterEach, expect, test, vi } from "vitest";
import { isAppCheckEnforced } from "./on-emulator.ts";

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
