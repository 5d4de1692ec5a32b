/** A failure that the simulation found (small enough to be a test of its own). */
import { expect, test, vi } from "vitest";
import { pagePath } from "../functions/src/documents/paths.ts";
import { createPageCache } from "../functions/src/reading/page-cache.ts";
import { generation, pagesOf, rowsOfScores } from "../test/support/pages.ts";
import { createLocks } from "./memory/locks.ts";
import { createStore } from "./memory/store.ts";
import { createClient } from "./memory/wire/connect.ts";
import type { Port } from "./memory/wire/server.ts";

const key = { leaderboard: "board", season: "all_time" };

test("a page that was asked for earlier and comes later than a newer one does not replace it", async () => {
  const store = createStore(() => 0);
  const answers: (() => void)[] = [];
  const port: Port = {
    request: (_kind, _what, perform) => {
      const result = perform();
      return new Promise((resolve) => {
        answers.push(() => {
          resolve(result as never);
        });
      });
    },
  };
  const { db } = createClient({ store, locks: createLocks(() => "break") }, port);
  const now = () => generation.next_publish_at.toMillis() - 1;
  const sleep = () => Promise.reject(new Error("nobody is to wait"));
  const cache = createPageCache({ db, now, sleep, memoryBytes: 2 ** 29, boards: { peek: () => undefined } });
  const publish = (number: number) => {
    const [page] = pagesOf("descending", rowsOfScores("descending", [1, 2]));
    store.commit([{ path: pagePath(key, 0), guard: {}, apply: () => ({ ...page, generation: number }) }]);
  };

  publish(16);
  const older = cache.pageOf(key, "descending", 1);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  publish(17);
  const newer = cache.pageAt(key, "descending", 0); // by another query, which is not shared
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  expect((await newer).generation).toBe(17);
  answers[0]?.();
  expect((await older).generation).toBe(17);
  expect((await cache.pageOf(key, "descending", 1)).generation).toBe(17);
});
