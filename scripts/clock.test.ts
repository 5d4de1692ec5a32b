import { createServer, type Server } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { startClock, type Clock } from "./clock.ts";

const started: { server?: Server; clock?: Clock } = {};

afterEach(async () => {
  await started.clock?.stop();
  started.server?.close();
});

/** A Functions emulator that answers calls of one function as given, and others like the real one. */
async function emulatorWith(key: string, answer: () => Promise<number> | number): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === `/demo-firerank/us-central1/${key}`) {
        response.writeHead(await answer()).end();
      } else {
        response
          .writeHead(404)
          .end(`Function x does not exist, valid functions are: us-central1-api, us-central1-${key}`);
      }
    })();
  });
  started.server = server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
}

function clockAt(functionsHost: string, report: (message: string) => void = () => undefined): void {
  started.clock = startClock({ functionsHost, names: ["rankSeasons"], everyMs: 5, report });
}

test("a scheduled function is called again and again", async () => {
  const answer = vi.fn(() => 200);
  clockAt(await emulatorWith("rankSeasons-0", answer));
  await vi.waitFor(() => {
    expect(answer.mock.calls.length).toBeGreaterThan(3);
  });
});

test("a function whose triggers were loaded again is found under its new number", async () => {
  const answer = vi.fn(() => 200);
  const report = vi.fn();
  clockAt(await emulatorWith("rankSeasons-3", answer), report);
  await vi.waitFor(() => {
    expect(answer).toHaveBeenCalled();
  });
  expect(report).not.toHaveBeenCalled();
});

test("two calls of a function never overlap", async () => {
  let running = 0;
  let calls = 0;
  let runningMax = 0;
  const host = await emulatorWith("rankSeasons-0", async () => {
    runningMax = Math.max(runningMax, ++running);
    await new Promise((resolve) => setTimeout(resolve, 25)); // five beats
    running -= 1;
    calls += 1;
    return 200;
  });
  clockAt(host);
  await vi.waitFor(() => {
    expect(calls).toBeGreaterThan(2);
  });
  expect(runningMax).toBe(1);
});

test("a lasting error is reported once, and so is its end", async () => {
  let calls = 0;
  const reports: string[] = [];
  const host = await emulatorWith("rankSeasons-0", () => (++calls <= 4 ? 500 : 200));
  clockAt(host, (message) => reports.push(message));
  await vi.waitFor(() => {
    expect(calls).toBeGreaterThan(6);
  });
  expect(reports).toEqual(["Clock: rankSeasons failed: HTTP 500", "Clock: rankSeasons works again."]);
});
