/** The dashboard hides actions that a user may not take; here a user tries them anyway, with the page's own means. */
import { beforeAll, describe, expect } from "vitest";
import { projectId, region } from "../../../../scripts/project.ts";
import { test } from "../../../support/chromium.ts";
import type { LiveBoard } from "../../../support/live.ts";
import type { Visit } from "../../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../../support/browser/stage.ts";

setStage();

let board: LiveBoard;
beforeAll(async () => {
  board = await live.board();
  await board.submit({ ann: 10 });
  await board.rank();
});

/** The ID token of the signed-in user, as any script in the page could read it. */
const tokenScript = `new Promise((resolve, reject) => {
  const request = indexedDB.open("firebaseLocalStorageDb");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction("firebaseLocalStorage").objectStore("firebaseLocalStorage").getAll();
    all.onsuccess = () => resolve(all.result[0]?.value.stsTokenManager.accessToken ?? "");
  };
})`;

/** Sends a request from the page, with the token if there is one, and returns the HTTP status. */
async function send({ page }: Visit, url: string, body?: object): Promise<number> {
  const request = {
    method: body === undefined ? "GET" : "POST",
    body: body === undefined ? null : JSON.stringify(body),
  };
  return page.evaluate<number>(`(async () => {
    const token = indexedDB.databases ? await ${tokenScript} : "";
    const headers = { "Content-Type": "application/json", ...(token === "" ? {} : { Authorization: "Bearer " + token }) };
    const response = await fetch(${JSON.stringify(url)}, { ...${JSON.stringify(request)}, headers });
    return response.status;
  })()`);
}

const firestore = (path: string) =>
  `http://${process.env["FIRESTORE_EMULATOR_HOST"] ?? ""}/v1/projects/${projectId}/databases/(default)/documents/${path}`;
const callable = (name: string) =>
  `http://${process.env["FIREBASE_FUNCTIONS_EMULATOR_HOST"] ?? ""}/${projectId}/${region}/${name}`;

describe.each(["player", "nobody"] as const)("%s", (as) => {
  const expected = /status of 40[0134]/;

  test("sees neither runs nor settings to change", async () => {
    const visit = await dashboard.visit(`/boards/${board.leaderboard}/all_time/runs`, { as, expected: /./ });
    await visit.page
      .getByText("Runs are for admins")
      .or(visit.page.getByText("This account may not read this"))
      .waitFor();
    await visit.page.goto(`/boards/${board.leaderboard}`);
    await visit.page
      .getByRole("group", { name: "Access" })
      .or(visit.page.getByText("This account may not read this"))
      .waitFor();
    expect(await visit.page.getByRole("button", { name: "Save" }).count()).toBe(0);
  });

  test("cannot read runs, players, shards, receipts or notes from Firestore", async () => {
    const visit = await dashboard.visit("/boards", { as, expected });
    const season = `leaderboards/${board.leaderboard}/seasons/all_time`;
    for (const collection of ["runs", "players", "scores", "receipts", "closing_notes"]) {
      expect(await send(visit, firestore(`${season}/${collection}`)), collection).toBe(403);
    }
    const ofAllBoards = {
      structuredQuery: { from: [{ collectionId: "runs", allDescendants: true }], limit: 1 },
    };
    expect(await send(visit, firestore("").replace(/\/$/, ":runQuery"), ofAllBoards)).toBe(403);
    expect(await send(visit, firestore(`${season}/players/${live.uid("ann")}`))).toBe(403);
    expect(await send(visit, firestore(season))).toBe(as === "player" ? 200 : 403);
  });

  test("cannot call what is for admins", async () => {
    const visit = await dashboard.visit("/boards", { as, expected });
    const { leaderboard } = board;
    const calls = {
      saveLeaderboard: { leaderboard, definition: { visibility: "public" } },
      runRanking: { leaderboard },
      auditSeason: { leaderboard },
      repairSeason: { leaderboard },
      setPlayerStatus: { leaderboard, player: live.uid("ann"), status: "banned" },
      removePlayer: { player: live.uid("ann") },
      exportPlayer: { player: live.uid("ann") },
      submitScores: { leaderboard, submissions: [{ player: "eve", score: 1e6 }] },
    };
    for (const [name, data] of Object.entries(calls)) {
      expect(await send(visit, callable(name), { data }), name).toBe(as === "player" ? 403 : 401);
    }
  });
});

test("an admin gets answers to the same requests, so the claim decides", async () => {
  const visit = await dashboard.visit("/boards", { as: "admin" });
  expect(await send(visit, firestore(`leaderboards/${board.leaderboard}/seasons/all_time/runs`))).toBe(200);
  expect(await send(visit, callable("auditSeason"), { data: { leaderboard: board.leaderboard } })).toBe(200);
});
