/** A submission whose answer or token gets lost on the way still counts once, and its error helps. */
import type { IncomingMessage } from "node:http";
import { type AppCheckToken, CustomProvider, initializeAppCheck } from "firebase/app-check";
import { type FirerankError, leaderboard, submitScore } from "firerank-client";
import { expect, onTestFinished, test, vi } from "vitest";
import { addressesIn } from "../../../scripts/callable-client.ts";
import { type FailingProxy, type Fate, startFailingProxy } from "../../support/failing-proxy.ts";
import { useLive } from "../../support/live.ts";
import { clientApp } from "../../support/client/client-app.ts";

const live = useLive();

const isForTokens = ({ url }: IncomingMessage) => url?.includes("securetoken") === true;
const addresses = () => addressesIn(process.env);
const proxyOfTokens = (fates: readonly Fate[]) => startFailingProxy(addresses().auth, fates, isForTokens);

/** A board that sums, for a signed-in player whose calls go through a proxy, and perhaps tokens through another. */
async function playing(uid: string, fates: readonly Fate[], tokens?: FailingProxy) {
  const proxy = await startFailingProxy(addresses().functions, fates);
  const client = clientApp({ functionsPort: proxy.port, authPort: tokens?.port });
  await client.signIn(live.uid(uid));
  const { leaderboard: id } = await live.board({ aggregation: "sum" });
  return { board: leaderboard(client.app, id), client, proxy };
}

const idsOf = ({ requests }: FailingProxy) => requests.map(({ data }) => data?.submission_id);

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it was not refused"),
    (error: unknown) => error as FirerankError,
  );

const lost: Fate[] = ["body_lost", "body_cut", 408, 429, 500, 502, 503, 504];

test.each(lost)("a score whose answer ends as %s counts once, even if scores are summed", async (fate) => {
  const { board, proxy } = await playing(`ann-${fate as string}`, [fate]);
  const submitted = await submitScore(board, { score: 30 });
  expect(submitted.seasons).toMatchObject([{ score: 30, attempts: 1, repeated: true }]);
  expect(new Set(idsOf(proxy)).size).toBe(1);
  expect(proxy.requests).toHaveLength(2);
});

test("an error after all attempts carries the submission's id, under which the app may send it again", async () => {
  const fates: Fate[] = [502, "body_cut", "body_lost", 408, "body_cut"];
  const { board, proxy } = await playing("bob", fates);
  const error = await errorOf(submitScore(board, { score: 30 }));
  expect(error).toMatchObject({ name: "FirerankError", code: "unavailable" });
  expect(error.submissionId).toEqual(expect.any(String));
  expect(idsOf(proxy)).toEqual(Array(5).fill(error.submissionId));
  const again = await submitScore(board, { score: 30, submission_id: error.submissionId });
  expect(again.seasons).toMatchObject([{ score: 30, attempts: 1, repeated: true }]);
});

test("a board whose season is a day, which may be over, takes no score", async () => {
  const { client } = await playing("gus", []);
  const { leaderboard: id } = await live.board({ spans: ["daily"] });
  const board = leaderboard(client.app, id);
  const { seasons } = await submitScore(board, { score: 30 });
  const error = await errorOf(submitScore({ ...board, season: seasons[0]?.season }, { score: 40 }));
  expect(error).toMatchObject({ code: "invalid_request", fields: [{ path: "season" }] });
  expect(error.message).toContain("leave season out");
  expect((await submitScore(board, { score: 30 })).seasons).toMatchObject([{ score: 30, attempts: 1 }]);
});

/** Starts to play, and wakes up two hours later with an expired token, on a network that fails at first. */
async function waking(uid: string, fates: readonly Fate[]) {
  const tokens = await proxyOfTokens(fates);
  const player = await playing(uid, [], tokens);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  return { ...player, tokens };
}

test("a token that cannot be fetched for a while costs no score", async () => {
  const { board, proxy, tokens } = await waking("dan", ["unheard", 503]);
  const submitted = await submitScore(board, { score: 30 });
  expect(submitted.seasons).toMatchObject([{ score: 30, attempts: 1 }]);
  expect(proxy.requests).toHaveLength(1);
  expect(tokens.requests).toHaveLength(3);
});

test("a token that cannot be fetched at all leaves the score unsent, and says that the network is down", async () => {
  const { board, proxy } = await waking("eva", Array<Fate>(20).fill("unheard"));
  expect(await errorOf(submitScore(board, { score: 30, submission_id: "evas" }))).toMatchObject({
    name: "FirerankError",
    code: "unavailable",
    submissionId: "evas",
  });
  expect(proxy.requests).toEqual([]);
});

test("a score that App Check rejected at first is sent again", async () => {
  const message = "A valid App Check token is missing: set up App Check in the app.";
  const unauthenticated = JSON.stringify({
    error: { message, status: "UNAUTHENTICATED", details: { code: "unauthenticated" } },
  });
  const { board, client, proxy } = await playing("fay", [{ unauthenticated }]);
  let asked = 0;
  // The payload of a JWT, which is all that the emulator reads.
  const payload = Buffer.from(JSON.stringify({ sub: "app", exp: 4_000_000_000 })).toString("base64url");
  const getToken = async (): Promise<AppCheckToken> => {
    asked++;
    if (asked === 1) throw new Error("the attestation provider is away");
    return { token: `e30.${payload}.e30`, expireTimeMillis: Date.now() + 3_600_000 };
  };
  initializeAppCheck(client.app, {
    provider: new CustomProvider({ getToken }),
    isTokenAutoRefreshEnabled: false,
  });
  const submitted = await submitScore(board, { score: 30 });
  expect(submitted.seasons).toMatchObject([{ score: 30, attempts: 1 }]);
  const vouched = proxy.requests.map(({ headers }) => headers["x-firebase-appcheck"] !== undefined);
  expect(vouched).toEqual([false, true]);
});

test("a token that the server rejects is replaced by a new one", async () => {
  const unauthenticated = JSON.stringify({
    error: { message: "Unauthenticated", status: "UNAUTHENTICATED" },
  });
  const tokens = await proxyOfTokens([]);
  const { board } = await playing("gil", [{ unauthenticated }], tokens);
  expect((await submitScore(board, { score: 30 })).seasons).toMatchObject([{ score: 30, attempts: 1 }]);
  expect(tokens.requests).toHaveLength(1);
});
