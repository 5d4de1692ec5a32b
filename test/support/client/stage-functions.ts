/** The callables of a test's world over HTTP, at the world's clock, for clients that call functions by the SDK. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { deleteApp, initializeApp } from "firebase/app";
import { connectFunctionsEmulator, type Functions, getFunctions } from "firebase/functions";
import { onTestFinished } from "vitest";
import { toHttpsError } from "../../../functions/src/transports/callable.ts";
import { user, type World } from "../world.ts";

export interface StageFunctions {
  functions: Functions;
  /** The requests that came. */
  calls: object[];
  /** Whether to end connections without an answer from now on. */
  fail(fails: boolean): void;
}

/** Serves them until the test ends. */
export async function serveFunctions(world: World): Promise<StageFunctions> {
  const calls: object[] = [];
  let fails = false;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const cors = { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json" };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fails) {
      response.destroy();
      return;
    }
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { leaderboard: string } };
    calls.push(data);
    try {
      const result = await world.call("listSeasons", data, user("ann"));
      response.writeHead(200, cors).end(JSON.stringify({ result }));
    } catch (error) {
      const refusal = toHttpsError("listSeasons", error);
      response.writeHead(refusal.httpErrorCode.status, cors).end(JSON.stringify({ error: refusal }));
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const app = initializeApp({ projectId: world.projectId, apiKey: "any" }, randomUUID());
  const functions = getFunctions(app);
  connectFunctionsEmulator(functions, "127.0.0.1", (server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await deleteApp(app);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    functions,
    calls,
    fail(now) {
      fails = now;
    },
  };
}
