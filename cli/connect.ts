/** The functions' services for a command line: the same code, from outside. */
import { Firestore } from "../functions/src/documents/firestore.ts";
import { createServices, type Services } from "../functions/src/operations/services.ts";
import { ownProcess } from "../functions/src/world/own-process.ts";
import type { Accounts } from "../functions/src/world/accounts.ts";
import type { Log } from "../functions/src/world/world.ts";
import type { EnqueueJob } from "../functions/src/world/tasks.ts";
import { checkCredentials, type Target } from "./target.ts";

/** Services on a target; `enqueueJob` runs the steps of a long repair. @throws CliError without credentials */
export async function connect(
  target: Target,
  more: { enqueueJob?: EnqueueJob; accounts?: Accounts } = {},
): Promise<Services> {
  await checkCredentials(target);
  const db = new Firestore({ projectId: target.project, databaseId: target.database });
  return createServices({
    ...ownProcess(db, target.emulator !== undefined),
    log,
    ...more,
  });
}

const log: Log = {
  info: () => undefined,
  warn: (message) => console.error(message),
  error: (message) => console.error(message),
};
