import { afterEach, expect, test } from "vitest";
import { type Answer, serve, type Served } from "../cli/testing/serve.ts";
import { CallableError, callableUrl, createCallableClient } from "./callable-client.ts";

let served: Served;
afterEach(() => served.close());

async function clientOf(answer: Answer, account?: { uid: string; idToken: string }) {
  served = await serve(() => answer);
  return createCallableClient({ functions: served.host }, account);
}

/** How a call of `getTop` fails. */
async function failureOf(status: number, body: string): Promise<CallableError> {
  const client = await clientOf({ status, body });
  if (status === 0) await served.close();
  const outcome = await client.send("getTop", {}).catch((error: unknown) => error);
  return outcome instanceof CallableError ? outcome : expect.fail(String(outcome));
}

test("a call posts its data as the caller and returns the result", async () => {
  const client = await clientOf({ result: { rank: 3 } }, { uid: "ann", idToken: "token-of-ann" });
  expect(await client.call("getRank", { leaderboard: "chess" })).toEqual({ rank: 3 });
  expect(served.asked).toMatchObject([
    {
      path: "demo-firerank/us-central1/getRank",
      headers: { authorization: "Bearer token-of-ann" },
      body: { data: { leaderboard: "chess" } },
    },
  ]);
});

test("a refusal is an error with Firerank's code", async () => {
  const details = { code: "leaderboard_not_found" };
  const error = { message: "There is none.", status: "NOT_FOUND", details };
  expect(await failureOf(404, JSON.stringify({ error }))).toMatchObject({
    message: "getTop: There is none.",
    status: "NOT_FOUND",
    details,
  });
});

test.each([
  [404, "Function us-central1-getTop does not exist", "HTTP 404 and no JSON: Function us-central1-getTop"],
  [0, "", "could not be reached"],
])("without an answer (%i, %j) the reason is said", async (status, body, message) => {
  const error = await failureOf(status, body);
  expect(error.status).toBe("UNREACHABLE");
  expect(error.message).toContain(callableUrl({ functions: served.host }, "getTop"));
  expect(error.message).toContain(message);
});
