/** What a deployer can set; `firebase deploy` asks for each, unless the codebase's `.env` answers. None is read at load time. */
import { defineBoolean, defineInt, defineString } from "firebase-functions/params";

export const region = defineString("REGION", {
  default: "us-central1",
  description:
    "Where the functions run: the region of your Firestore database (us-central1 for nam5, europe-west1 for eur3).",
});

/** `(default)`, or the id of a named database. */
export const database = defineString("DATABASE", {
  default: "(default)",
  description:
    "The Firestore database that the leaderboards are in: (default), or the id of a named one. It must exist.",
  input: {
    text: {
      validationRegex: String.raw`^(\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9])$`,
      validationErrorMessage:
        "A database is (default), or has an id of 4 to 63 lowercase letters, digits and hyphens.",
    },
  },
});

export const enforceAppCheck = defineBoolean("ENFORCE_APP_CHECK", {
  default: true,
  description:
    "Refuse players' calls without a valid App Check token. Set up App Check in your app first, or say no. The emulators never ask for a token.",
});

export const directWrites = defineBoolean("DIRECT_WRITES", {
  default: true,
  description:
    "Whether servers of yours write players' documents by themselves, and not by calls. If not, say false: the function that watches for it is left out, and each score saves a function call. After a change of this, repair each season that takes scores: `npx --no-install firerank repair <board> --season <season>`.",
});

export const maxInstances = defineInt("MAX_INSTANCES", {
  default: 20,
  description:
    "The most instances of each function that players call. This limits what a flood of requests can cost. 20 answer some thousands of requests a second.",
});

export const memoryMib = defineInt("MEMORY_MIB", {
  default: 512,
  description:
    "Memory of each function in MiB. 512 is enough for a million different scores; a ranking run of ten million needs 1024.",
});
