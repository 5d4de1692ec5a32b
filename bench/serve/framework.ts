/** A function served by the Functions Framework, the HTTP server that Cloud Functions runs in production. */
import { join } from "node:path";
import { region, root } from "../../scripts/project.ts";
import { freePort, type Running, startProgram } from "./program.ts";
import type { Place, Stored } from "./systems.ts";

export interface Served extends Running {
  url: string;
}

const main = join(root, "node_modules", "@google-cloud", "functions-framework", "build", "src", "main.js");

/**
 * Serves a function in a process of its own. Its structured log goes nowhere, errors go to a file in the folder.
 * @param firestore where the Firestore emulator is, and the project there that holds the board's definition.
 */
export async function serve(
  { source, env }: Pick<Stored, "source" | "env">,
  { folder, pinned }: Place,
  firestore: { host: string; projectId: string },
  target = "getRank",
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProgram({
    command: [
      ...[...pinned, process.execPath, main],
      ...[`--target=${target}`, `--source=${source}`, `--port=${port}`],
    ],
    log: join(folder, `function-${port}.log`),
    quiet: true,
    options: {
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        FIRESTORE_EMULATOR_HOST: firestore.host,
        GCLOUD_PROJECT: firestore.projectId,
        METADATA_SERVER_DETECTION: "none",
        REGION: region,
        ENFORCE_APP_CHECK: "false",
        ...env,
      },
    },
    ready: async () => (await fetch(url, { method: "POST" })).status < 500,
  });
  return { url, ...running };
}

/** Calls a callable once. @throws if it answers with an error */
export async function callOnce(
  url: string,
  data: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ data }),
  });
  const body = (await response.json()) as { result?: Record<string, unknown> };
  if (body.result === undefined) throw new Error(`${url} answered ${JSON.stringify(body)}`);
  return body.result;
}
