import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { addressesIn, CallableError, callableUrl, createCallableClient } from "./callable-client.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  closers.splice(0).forEach((close) => {
    close();
  });
});

test("a call posts its data as the caller and returns the result", async () => {
  const { address, requests } = await serve(200, `{"result": {"rank": 3}}`);
  const client = createCallableClient({ functions: address }, { uid: "ann", idToken: "token-of-ann" });
  expect(await client.call("getRank", { leaderboard: "chess" })).toEqual({ rank: 3 });
  expect(requests).toEqual([
    {
      url: "/demo-firerank/us-central1/getRank",
      authorization: "Bearer token-of-ann",
      body: `{"data":{"leaderboard":"chess"}}`,
    },
  ]);
});

test("a caller without an account sends no token", async () => {
  const { address, requests } = await serve(200, `{"result": null}`);
  expect(await createCallableClient({ functions: address }).send("getRank", {})).toBeNull();
  expect(requests[0]?.authorization).toBeUndefined();
});

test("a refusal is an error with Firerank's code", async () => {
  const refusal = {
    message: "There is none.",
    status: "NOT_FOUND",
    details: { code: "leaderboard_not_found" },
  };
  const { address } = await serve(404, JSON.stringify({ error: refusal }));
  const error = await failureOf(address);
  expect(error.message).toBe("getTop: There is none.");
  expect(error.status).toBe("NOT_FOUND");
  expect(error.details).toEqual({ code: "leaderboard_not_found" });
});

test("the beginning of an answer that is not JSON is shown", async () => {
  const { address } = await serve(404, "Function us-central1-getTop does not exist");
  const error = await failureOf(address);
  expect(error.status).toBe("UNREACHABLE");
  expect(error.message).toContain("HTTP 404 and no JSON: Function us-central1-getTop does not exist");
});

test("a function that cannot be reached is named with the reason", async () => {
  const { address } = await serve(200, "");
  closers.splice(0).forEach((close) => {
    close();
  });
  const error = await failureOf(address);
  expect(error.status).toBe("UNREACHABLE");
  expect(error.message).toContain(`${callableUrl({ functions: address }, "getTop")} could not be reached`);
});

test("without the emulators' addresses it says what to do", () => {
  expect(() => addressesIn({})).toThrow("start the emulators first");
  const env = { FIREBASE_AUTH_EMULATOR_HOST: "a:1", FIREBASE_FUNCTIONS_EMULATOR_HOST: "f:2" };
  expect(addressesIn(env)).toEqual({ auth: "a:1", functions: "f:2" });
});

async function failureOf(functions: string): Promise<CallableError> {
  const outcome = await createCallableClient({ functions })
    .send("getTop", {})
    .catch((error: unknown) => error);
  if (!(outcome instanceof CallableError)) {
    throw new Error("the call should have failed with a CallableError", { cause: outcome });
  }
  return outcome;
}

async function serve(status: number, answer: string) {
  const requests: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ url: request.url, authorization: request.headers.authorization, body });
      response.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString();
}
