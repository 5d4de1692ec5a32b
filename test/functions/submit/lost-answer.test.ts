/** A batch that was committed though its answer was lost: its submissions are tried again, alone. */
import { beforeEach, expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import {
  type PlayerSubmission,
  recordSubmissions,
} from "../../../functions/src/submit/record-submissions.ts";
import { aimAtSpans } from "../../../functions/src/submit/aim.ts";
import { commitSubmissions } from "../../../functions/src/submit/commit-submissions.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { watchCommits } from "../../support/commits.ts";
import { allTime, createBoard, createWorld, presentOf, type World } from "../../support/world.ts";

let world: World;
const key = allTime("board");
const stored = async () => (await world.db.doc(playerPath(key, "ann")).get()).data();

/** The next commit succeeds and its answer is lost, after `meanwhile`. */
function loseAnswer(meanwhile: () => Promise<unknown> = () => Promise.resolve()): void {
  let isLost = false;
  watchCommits(world, async (_writes, perform) => {
    const done = await perform();
    if (isLost) return done;
    isLost = true;
    await meanwhile();
    throw Object.assign(new Error("unavailable"), { code: 14 });
  });
}

async function submit(submission: Omit<PlayerSubmission, "player">, services = world.services) {
  const [outcome] = await recordSubmissions(services, "board", [{ player: "ann", ...submission }]);
  if (outcome === undefined || "error" in outcome) throw new Error("it was refused");
  return outcome;
}

beforeEach(() => {
  world = createWorld();
});

test("on a board of the latest scores, it does not replace one that came in between", async () => {
  await createBoard(world, "board", { aggregation: "latest" });
  await submit({ score: 10 });
  const other = world.anotherInstance();
  loseAnswer(() => submit({ score: 70, display_name: "new" }, other));
  const { applied } = await submit({ score: 50, display_name: "old" });
  expect(applied[0]).toMatchObject({ repeated: false, player: { score: 50 } });
  expect(await stored()).toMatchObject({ score: 70, display_name: "new" });
});

test("one that improved is answered so, and its change is shown", async () => {
  await createBoard(world, "board", {});
  await submit({ score: 10 });
  loseAnswer();
  const { applied, changes } = await submit({ score: 50, submission_id: "one" });
  expect(applied[0]).toMatchObject({ improved: true, repeated: false });
  expect(changes).toMatchObject([{ before: { score: 10 }, after: { score: 50 } }]);
});

/** Another instance records what was sent twice, after our commit was refused; then we try again. */
async function sentTwice(meanwhile: (other: World["services"]) => Promise<unknown>) {
  const { services } = world;
  const arrivedMs = services.now();
  const target = await (await aimAtSpans(services, "board", arrivedMs)).take(true);
  const submission = { score: 1, submission_id: "twice" };
  const at = Timestamp.fromMillis(arrivedMs);
  const job = { player: "ann", submission, madeId: undefined, at, arrivedMs };
  const commit = () =>
    commitSubmissions(services, target, [job], {
      isShared: true,
      begins: () => undefined,
      isOver: () => false,
    });
  let isRefused = false;
  watchCommits(world, (_writes, perform) => {
    if (isRefused) return perform();
    isRefused = true;
    return Promise.reject(Object.assign(new Error("aborted"), { code: 10 }));
  });
  await expect(commit()).rejects.toThrow("aborted");
  world.advance(10);
  const other = world.anotherInstance();
  await meanwhile(other);
  await submit(submission, other);
  const [made] = (await commit()).values();
  return made;
}

test("one that was sent twice, and that another instance has recorded after others, is answered as it is stored", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  await submit({ score: 1 });
  const made = await sentTwice((other) => submit({ score: 3 }, other));
  expect(made).toMatchObject({ applied: [{ repeated: true, player: { score: 5 } }] });
  expect(await stored()).toMatchObject({ score: 5 });
});

test("one that was sent twice, and that another instance has recorded after a direct write, is answered so too", async () => {
  await createBoard(world, "board", {});
  await world.services.boards.open(presentOf(key));
  const made = await sentTwice(() => world.db.doc(playerPath(key, "ann")).set({ score: 10 }));
  expect(made).toMatchObject({ applied: [{ repeated: true, player: { score: 10 } }] });
  expect(await stored()).toMatchObject({ score: 10, submission_ids: ["twice"] });
});

test("a change without an id is shown too, though nothing is left to change", async () => {
  await createBoard(world, "board", {});
  loseAnswer();
  expect((await submit({ score: 50 })).changes).toMatchObject([{ after: { score: 50 } }]);
});
