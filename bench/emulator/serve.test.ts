/** `npm run bench -- serve` with a small board and without the databases, so that it keeps working. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import { type Board, drawBoard, drawQuestions, questionAt } from "../serve/board.ts";
import { asking, checkAnswers, measureInTurns, type Stage, withContestants } from "../serve/contest.ts";
import { callOnce } from "../serve/framework.ts";
import { publish } from "../serve/publish.ts";
import { firerank, memory } from "../serve/systems.ts";
import { resultTable } from "../serve/tables.ts";
import { rankSchema } from "../../functions/src/model/answers.ts";

const systems = [firerank, memory];
let board: Board;
let stage: Stage;

beforeAll(async () => {
  const host = process.env["FIRESTORE_EMULATOR_HOST"] ?? expect.fail("run this with npm test");
  const projectId = `demo-${randomUUID().slice(0, 13)}`;
  board = drawBoard("serve", shapes.chess, 5_000, 1);
  expect(await publish(board, projectId)).toBeGreaterThan(1);
  const folder = mkdtempSync(join(tmpdir(), "firerank-serve-"));
  stage = { board, firestore: { host, projectId }, folder, pinned: [] };
});

afterAll(() => {
  rmSync(stage.folder, { recursive: true, force: true });
});

test("the functions of the bench answer alike, as a full sort does, and under load", async () => {
  await withContestants(systems, stage, async (contestants) => {
    const questions = drawQuestions(board, 50, randomOf(1));
    await checkAnswers(contestants, board, questions);
    const load = { connections: 4, seconds: 0.3, repeats: 1 };
    const samples = await measureInTurns(contestants, asking(board, questions), load);
    expect(samples).toHaveLength(2 * systems.length);
    for (const { requests, perSecond, p50Ms, p99Ms } of samples) {
      expect(requests).toBeGreaterThan(0);
      expect(perSecond).toBeGreaterThan(0);
      expect(p50Ms).toBeGreaterThan(0);
      expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
    }
    expect(resultTable(samples).split("\n")).toHaveLength(2 + systems.length);
  });
});

test("Firerank's answer is a whole getRank answer, which the others' is but for the dense rank", async () => {
  await withContestants(systems, stage, async (contestants) => {
    const question = questionAt(board, 2_500);
    const [own, other] = await Promise.all(
      contestants.map(({ served }) =>
        callOnce(served.url, { leaderboard: board.leaderboard, score: question.score }),
      ),
    );
    expect(rankSchema.parse(own)).toMatchObject({ rank: question.rank, exact: true, players: 5_000 });
    expect(rankSchema.omit({ dense_rank: true }).parse(other).percentile).toBe(own?.["percentile"]);
  });
});

test("a system that answers wrong is found before anything is measured", async () => {
  await withContestants([memory], stage, async (contestants) => {
    const right = questionAt(board, 2_500);
    const wrong = { ...right, rank: right.rank + 1 };
    await expect(checkAnswers(contestants, board, [right, wrong])).rejects.toThrow(/sorted array answered/);
  });
});
