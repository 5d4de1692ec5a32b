/** What is different on the emulators. */
import { enforceAppCheck } from "./params.ts";

/** Whether this process belongs to the Functions emulator. */
export const onEmulator = () => process.env["FUNCTIONS_EMULATOR"] === "true";

/** Whether players' calls need an App Check token. On the emulators none does: App Check has no emulator. */
export const isAppCheckEnforced = () => !onEmulator() && enforceAppCheck.value();
