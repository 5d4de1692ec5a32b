/** A function served by the Functions Framework, the HTTP server that Cloud Functions runs in production. */
import { join } from "node:path";
import { region, root } from "../../scripts/project.ts";
import { freePort, type Running, startProgram } from "./program.ts";
import type { Stored } from "./systems.ts";

export interface Served extends Running {
  url: string;
}

/** The Firestore emulator, and the project there that holds the board's definition. */
export interface Firestore {
  host: string;
  projectId: string;
}

const main = join(root, "node_modules", "@google-cloud", "functions-framework", "build", "src", "main.js");

/**
 * Serves a callable of a module in a process of its own. Its structured log goes nowhere.
 * @param pinned the command that keeps the process to a core, if one does.
 */
export async function serve(
  { source, env }: Pick<Stored, "source" | "env">,
  { host, projectId }: Firestore,
  pinned: readonly string[],
  target: string,
): Promise<Served> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = [...pinned, process.execPath, main, `--target=${target}`, `--source=${source}`];
  const running = await startProgram(
    [...command, `--port=${port}`],
    async () => (await fetch(url, { method: "OPTIONS" })).ok,
    {
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        FIRESTORE_EMULATOR_HOST: host,
        GCLOUD_PROJECT: projectId,
        METADATA_SERVER_DETECTION: "none",
        REGION: region,
        ENFORCE_APP_CHECK: "false",
        ...env,
      },
    },
  );
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
