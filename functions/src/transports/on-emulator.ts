/** What is different on the emulators. */
import { url as inspectorUrl } from "node:inspector";
import { parameterValue } from "./params.ts";

/** Whether this process belongs to the Functions emulator. */
export const onEmulator = () => process.env["FUNCTIONS_EMULATOR"] === "true";

/**
 * Whether the emulators run one call after the other, all in one process: with `--inspect-functions`, which opens a
 * debugger in it.
 */
export const runsOneCallAtATime = () => onEmulator() && inspectorUrl() !== undefined;

/**
 * Whether the database is an emulator too. `firebase emulators:start --only functions` runs functions on the project's
 * real database, beside the deployed functions.
 */
export const isDatabaseEmulated = () => onEmulator() && Boolean(process.env["FIRESTORE_EMULATOR_HOST"]);

/** Whether players' calls need an App Check token. On the emulators they do not, as App Check has no emulator. */
export const isAppCheckEnforced = () => !onEmulator() && parameterValue("ENFORCE_APP_CHECK") !== "false";
