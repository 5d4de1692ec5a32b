/** The callables of a test's world, at the world's clock, for clients that call functions by the SDK. */
import { deleteApp, initializeApp } from "firebase/app";
import { type Functions, getFunctions } from "firebase/functions";
import { onTestFinished, vi } from "vitest";
import { toHttpsError } from "../../../functions/src/transports/callable.ts";
import { user, type World } from "../world.ts";

export interface StageFunctions {
  functions: Functions;
  /** The requests that came. */
  calls: { name: string }[];
  /** Whose calls they are; by default Ann's. */
  caller: string;
  /** Whether requests get no answer from now on. */
  fail(fails: boolean): void;
}

/** Answers what the SDK fetches of them, until the test ends. */
export function serveFunctions(world: World): StageFunctions {
  const calls: StageFunctions["calls"] = [];
  let fails = false;
  const domain = `https://${world.projectId}.test`;
  const fetchOthers = fetch;

  async function answer(url: string, request: { body: string }): Promise<Response> {
    if (!url.startsWith(domain)) return fetchOthers(url, request);
    if (fails) throw new TypeError("fetch failed");
    const { data } = JSON.parse(request.body) as { data: { leaderboard: string } };
    const name = url.slice(url.lastIndexOf("/") + 1) as "listSeasons" | "getLeague" | "getGroup";
    calls.push({ name, ...data });
    try {
      return Response.json({ result: await world.call(name, data, user(served.caller)) });
    } catch (error) {
      const refusal = toHttpsError(name, error);
      return Response.json({ error: refusal }, { status: refusal.httpErrorCode.status });
    }
  }

  vi.stubGlobal("fetch", answer);
  const app = initializeApp({ projectId: world.projectId, apiKey: "any" }, world.projectId);
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    await deleteApp(app);
  });
  const served: StageFunctions = {
    functions: getFunctions(app, domain),
    calls,
    caller: "ann",
    fail(now) {
      fails = now;
    },
  };
  return served;
}
