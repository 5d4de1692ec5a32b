/** What the schedules request, and what they do where queues take nothing. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  enqueueAudits,
  enqueueDue,
  enqueueDueEnds,
  enqueueDueRuns,
} from "../../../functions/src/jobs/schedule/schedule.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { smallSeasonPlayersMax } from "../../../functions/src/model/limits.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import type { JobRequest } from "../../../functions/src/world/tasks.ts";
import { play } from "../../support/damage.ts";
import { allTime, createBoard, eachWorld, stepsIn } from "../../support/world.ts";

const boards = ["a", "b", "c"];
const minute = 60_000;

const world = eachWorld();
/** Three seasons that are not small, each with a run, an audit and a step of its end due. */
beforeEach(async () => {
  for (const board of boards) {
    await createBoard(world, board);
    await play(world, allTime(board), "ann", 1);
    await world.publish(allTime(board));
    const due = Timestamp.fromMillis(world.services.now());
    await world.db.doc(seasonPath(allTime(board))).update({
      next_run_at: due,
      end_due_at: due,
      "ranking.players": smallSeasonPlayersMax + 1,
    });
  }
  world.advance(minute);
});

const schedules: [name: string, start: (services: Services) => Promise<number>, problem: string][] = [
  ["of runs", enqueueDueRuns, "a ranking run could not be enqueued"],
  ["of ends", enqueueDueEnds, "a step of a season's end could not be enqueued"],
  ["of audits", enqueueAudits, "an audit could not be enqueued"],
];

/** Services whose queues refuse the boards named. */
function refusing(refused: readonly string[]): { services: Services; asked: string[] } {
  const asked: string[] = [];
  const enqueue = (request: JobRequest) => {
    const boardsAsked = stepsIn(request).map(({ leaderboard }) => leaderboard);
    asked.push(...boardsAsked);
    return boardsAsked.some((board) => refused.includes(board))
      ? Promise.reject(new Error("no such queue"))
      : Promise.resolve();
  };
  const queues = { enqueueJob: enqueue };
  return { services: { ...world.services, ...queues }, asked };
}

describe.each(schedules)("the schedule %s", (_name, start, problem) => {
  test("fails if none of its requests can be enqueued", async () => {
    const { services, asked } = refusing(boards);
    await expect(start(services)).rejects.toThrow(
      `Not one of 3 tasks could be enqueued (${problem}): no such queue`,
    );
    expect(asked.sort()).toEqual(boards);
    const errors = world.logged.filter(({ message }) => message === problem);
    expect(errors.map(({ fields }) => fields)).toContainEqual({
      path: seasonPath(allTime("b")),
      error: "Error: no such queue",
    });
    expect(errors).toHaveLength(3);
  });

  test("goes on if some can, and requests the others the next time", async () => {
    expect(await start(refusing(["a", "c"]).services)).toBe(1);
    const { services, asked } = refusing([]);
    await start(services);
    expect(asked).toEqual(expect.arrayContaining(["a", "c"]));
  });

  test("requests what is due once, and runs and ends again within two minutes, where nothing was done", async () => {
    const asked = new Set<string>();
    const enqueueJob = (_: unknown, taskId: string) => Promise.resolve(void asked.add(taskId));
    const services: Services = { ...world.services, enqueueJob };
    for (let i = 0; i < 2; i++) await start(services);
    expect(asked.size).toBe(3);
    world.advance(2 * minute);
    await start(services);
    expect(asked.size).toBe(start === enqueueAudits ? 3 : 6);
  });

  test("asks each two minutes for what stays due, as if its step was lost or beaten, and after ten minutes each ten", async () => {
    const minutes = new Set<number>();
    let now = 0;
    const enqueueJob = () => Promise.resolve(void minutes.add(now));
    const services: Services = { ...world.services, enqueueJob };
    for (now = 1; now < 45; now++) {
      await start(services);
      world.advance(minute);
    }
    expect([...minutes]).toEqual(start === enqueueAudits ? [1] : [1, 3, 5, 7, 9, 19, 29, 39]);
  });

  test("does not fail at a foreign document, also if there is nothing else", async () => {
    const data = (await world.db.doc(seasonPath(allTime("a"))).get()).data() ?? {};
    await Promise.all(boards.map((board) => world.db.doc(seasonPath(allTime(board))).delete()));
    await world.db
      .doc("seasons/spring")
      .set({ ...data, ranking: { published_at: data["next_run_at"] as unknown } });
    expect(await start(refusing(boards).services)).toBe(0);
    expect(world.logged.map(({ message }) => message)).toContain(problem);
  });
});

describe("the schedule of each minute", () => {
  const at = (time: string) => {
    const asked: string[] = [];
    const services: Services = {
      ...world.anotherInstance(),
      now: () => Date.parse(`2100-01-03T${time}Z`),
      enqueueJob({ job }) {
        asked.push(job);
        return Promise.resolve();
      },
    };
    return { services, asked };
  };

  test("requests runs and ends, and audits once a day", async () => {
    for (const [time, audits] of [
      ["03:59:59", 0],
      ["04:00:00", 3],
      ["04:01:00", 0],
    ] as const) {
      const { services, asked } = at(time);
      await enqueueDue(services);
      expect(asked.filter((job) => job === "ranking")).toHaveLength(3);
      expect(asked.filter((job) => job === "end")).toHaveLength(3);
      expect(asked.filter((job) => job === "audit")).toHaveLength(audits);
    }
  });

  test("requests ends though no run can be requested, and then fails", async () => {
    const { services } = at("12:00:00");
    const ends: string[] = [];
    const enqueueJob: Services["enqueueJob"] = (request) => {
      if (request.job !== "end") return Promise.reject(new Error("no such queue"));
      ends.push(request.leaderboard);
      return Promise.resolve();
    };
    await expect(enqueueDue({ ...services, enqueueJob })).rejects.toThrow(
      "a ranking run could not be enqueued",
    );
    expect(ends.sort()).toEqual(boards);
  });
});

describe("small seasons share a task", () => {
  const seasonOf = (board: string) => world.db.doc(seasonPath(allTime(board)));

  /** An instance of the schedule whose queues take all, each task once; and the tasks. */
  function instance() {
    const asked = new Map<string, JobRequest>();
    const enqueueJob: Services["enqueueJob"] = (request, taskId) =>
      Promise.resolve(void asked.set(taskId, request));
    const take = () => {
      const taken = [...asked.values()].map((request) => ({
        job: request.job,
        boards: stepsIn(request)
          .map(({ leaderboard }) => leaderboard)
          .sort(),
      }));
      asked.clear();
      return taken;
    };
    return { services: { ...world.anotherInstance(), enqueueJob }, asked, take };
  }

  beforeEach(async () => {
    for (const board of boards) await seasonOf(board).update({ "ranking.players": smallSeasonPlayersMax });
  });

  test.each([
    ["of runs", enqueueDueRuns, "ranking"],
    ["of ends", enqueueDueEnds, "end"],
  ] as const)("in the schedule %s; a larger one has its own", async (_name, start, job) => {
    await seasonOf("c").update({ "ranking.players": smallSeasonPlayersMax + 1 });
    const { services, take } = instance();
    expect(await start(services)).toBe(3);
    expect(take()).toEqual([
      { job, boards: ["c"] },
      { job: "shared", boards: ["a", "b"] },
    ]);
  });

  test("who was asked for less than 110 seconds ago is left out, and in vain, gets a task of its own", async () => {
    await seasonOf("c").update({ next_run_at: Timestamp.fromMillis(world.services.now() + minute) });
    const { services, take } = instance();
    await enqueueDueRuns(services);
    expect(take()).toEqual([{ job: "shared", boards: ["a", "b"] }]);
    // A season that is due by then shares a task with nobody who was asked for.
    world.advance(minute);
    await enqueueDueRuns(services);
    expect(take()).toEqual([{ job: "shared", boards: ["c"] }]);
    // Since then b was published, and is due again.
    await seasonOf("b").update({ next_run_at: Timestamp.fromMillis(world.services.now()) });
    world.advance(minute);
    await enqueueDueRuns(services);
    expect(take()).toEqual([
      { job: "ranking", boards: ["a"] },
      { job: "shared", boards: ["b"] },
    ]);
  });

  test("two schedules of one minute request one task; one that remembers nothing, some seasons twice", async () => {
    const [first, second] = [instance(), instance()];
    await enqueueDueRuns(first.services);
    await enqueueDueRuns(second.services);
    expect([...first.asked.keys()]).toEqual([...second.asked.keys()]);
    first.take();
    world.advance(minute);
    await seasonOf("c").update({ next_run_at: Timestamp.fromMillis(world.services.now() + minute) });
    await enqueueDueRuns(first.services);
    expect(first.take()).toEqual([]);
    const third = instance();
    await enqueueDueRuns(third.services);
    expect(third.take()).toEqual([{ job: "shared", boards: ["a", "b"] }]);
  });

  test("a season that cannot be requested is asked for again a minute later", async () => {
    const { services, take } = instance();
    const refusal = () => Promise.reject(new Error("no such queue"));
    await expect(enqueueDueRuns({ ...services, enqueueJob: refusal })).rejects.toThrow("no such queue");
    world.advance(minute);
    await enqueueDueRuns(services);
    expect(take()).toEqual([{ job: "shared", boards }]);
  });

  test("a hundred at most", async () => {
    const data = (await seasonOf("a").get()).data() ?? {};
    for (let i = 0; i < 118; i++) await seasonOf(`board-${i}`).set(data);
    const { services, take } = instance();
    expect(await enqueueDueRuns(services)).toBe(121);
    expect(take().map(({ boards: some }) => some.length)).toEqual([100, 21]);
  });
});
