/** What a watcher reports when its app is deleted. Firebase is real, but no server answers it. */
import { deleteApp, initializeApp } from "firebase/app";
import { connectFirestoreEmulator, getFirestore } from "firebase/firestore";
import { afterAll, expect, test, vi } from "vitest";
import type { FirerankError } from "./firerank-error.ts";
import { leaderboard } from "./leaderboard.ts";
import { watchTop } from "./watch-top.ts";

// The worker may have loaded the modules for a file with a Firebase of its own.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

test("a watcher under which the app is deleted ends as cancelled", async () => {
  const app = initializeApp({ projectId: "demo-deleted", apiKey: "any" }, "deleted");
  connectFirestoreEmulator(getFirestore(app), "127.0.0.1", 1);
  const ended = new Promise<FirerankError>((resolve) =>
    watchTop(leaderboard(app, "arena", { span: "all_time" }), () => undefined, resolve),
  );
  await deleteApp(app);
  expect(await ended).toMatchObject({ code: "cancelled", message: "watchTop: Firestore shutting down" });
});
