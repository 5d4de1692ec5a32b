/** The hooks in React's strict mode, in a document of happy-dom; the watchers are the test's. */
import type { FirebaseApp } from "firebase/app";
import { Window } from "happy-dom";
import { act, createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterAll, expect, test, vi } from "vitest";
import { useLeaderboard, useTop } from "./react.ts";

vi.hoisted(() => vi.resetModules());
const watched = vi.hoisted(() => ({ begun: 0, tells: new Set<(top: object) => void>() }));
vi.mock("./watch-top.ts", () => ({
  watchTop(_: unknown, onTop: (top: object) => void) {
    watched.begun += 1;
    watched.tells.add(onTop);
    return () => watched.tells.delete(onTop);
  },
}));
const page = new Window();
vi.stubGlobal("window", page);
vi.stubGlobal("document", page.document);
vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const app = { options: {} } as FirebaseApp;
const boards = new Set<object>();

function List() {
  const board = useLeaderboard(app, "arena");
  boards.add(board);
  const { loading, error, value } = useTop(board);
  return createElement("p", null, loading ? "…" : (error?.code ?? `${value?.players} players`));
}

test("two components in strict mode share one watcher and one board, and end it when both have gone", async () => {
  const element = page.document.createElement("div");
  const root = createRoot(element);
  const lists = createElement(StrictMode, null, createElement(List), createElement(List));
  await act(async () => {
    root.render(lists);
  });
  expect([watched.begun, watched.tells.size, boards.size]).toEqual([1, 1, 1]);
  expect(element.textContent).toBe("……");
  await act(async () => {
    for (const tell of watched.tells) tell({ players: 3 });
  });
  expect(element.textContent).toBe("3 players3 players");
  await act(async () => {
    root.unmount();
  });
  expect(watched.tells.size).toBe(0);
});

test("on a server nothing is watched, and the list is loading", () => {
  const before = watched.begun;
  expect(renderToString(createElement(List))).toBe("<p>…</p>");
  expect(watched.begun).toBe(before);
});
