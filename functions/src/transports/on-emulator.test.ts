import { afterEach, expect, test, vi } from "vitest";
import { isAppCheckEnforced, isDatabaseEmulated, runsOneCallAtATime } from "./on-emulator.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ["true", undefined, true],
  ["true", "true", false],
  ["false", undefined, false],
  [undefined, undefined, true],
  ["TRUE", undefined, true],
  ["", undefined, true],
])(
  "ENFORCE_APP_CHECK %s and FUNCTIONS_EMULATOR %s: App Check is enforced: %s",
  (parameter, functions, is) => {
    vi.stubEnv("ENFORCE_APP_CHECK", parameter);
    vi.stubEnv("FUNCTIONS_EMULATOR", functions);
    expect(isAppCheckEnforced()).toBe(is);
  },
);

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

test.each(["true", undefined])(
  "FUNCTIONS_EMULATOR %s: calls run one after the other only on the emulator, and with a debugger",
  async (functions) => {
    vi.stubEnv("FUNCTIONS_EMULATOR", functions);
    expect(runsOneCallAtATime()).toBe(false);
    const inspector = await import("node:inspector");
    inspector.open(0, "127.0.0.1");
    try {
      expect(runsOneCallAtATime()).toBe(functions === "true");
    } finally {
      inspector.close();
    }
  },
);
