/** A closed season that is revised while it is read: every answer equals a full sort at some moment. */
import { expect, test } from "vitest";
import type { Entry } from "../../../../functions/src/model/answers.ts";
import { FirerankError } from "../../../../functions/src/model/errors.ts";
import { getAroundSpec } from "../../../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../../../functions/src/operations/get-page.ts";
import { seededRandom } from "../../../support/arbitraries.ts";
import type { Finalist } from "../../../support/standings.ts";
import { closeSeasonOf, type Final, openSeasonOf } from "../../../support/closed.ts";
import { allTime, createBoard, createWorld, user } from "../../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const anyone = user("eve");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
const textOf = (entries: readonly Pick<Entry, "position" | "rank">[]) => JSON.stringify(entries);

test("lists asked for while players are taken out and brought back are each of one moment", async () => {
  const world = createWorld();
  await createBoard(world, leaderboard);
  const all = Array.from({ length: 90 }, (_, i): Finalist => {
    // Metadata in every document, so that a mix-up with another player's would show.
    return { id: `p${i}`, score: 60 - Math.floor(i / 3), achievedMs: i, metadata: { own: `p${i}` } };
  });
  await openSeasonOf(world, key, all);
  const season = await closeSeasonOf(world, key, { order: "descending", ties: "first" }, all, 10);
  const instances = [world.services, world.anotherInstance(), world.anotherInstance()];

  const moments: Final[][] = [season.finals()];
  let isOver = false;
  const revising = (async () => {
    const gone: string[] = [];
    for (let i = 0; i < 25; i++) {
      const back = random() < 0.4 ? gone.pop() : undefined;
      const one = `p${Math.floor(90 * random())}`;
      if (back !== undefined) await season.bringBack([back]);
      else if (!gone.includes(one)) {
        await season.takeOut([one], random() < 0.5);
        gone.push(one);
      }
      moments.push(season.finals());
      world.advance(random() < 0.5 ? 20_000 : 0);
    }
    isOver = true;
  })();

  const answers: Entry[][] = [];
  const asOf = { leaderboard, freshness: "published" } as const;
  const read = async (i: number) => {
    for (let at = i; !isOver; at++) {
      const services = instances[at % instances.length] ?? world.services;
      const offset = Math.floor(85 * random());
      const asked =
        at % 3 === 0
          ? getAroundSpec.handle(services, { ...asOf, player: `p${offset}`, above: 6, below: 6 }, anyone)
          : getPageSpec.handle(services, { ...asOf, offset, limit: 12 }, anyone);
      const answer = await asked.catch((error: unknown) => {
        // A player who is being removed, or revisions one after the other.
        if (error instanceof FirerankError) return undefined;
        throw error;
      });
      if (answer !== undefined) answers.push(answer.entries);
    }
  };
  await Promise.all([revising, ...Array.from({ length: 6 }, (_, i) => read(i))]);

  const known = moments.map((finals) =>
    finals.map(({ id, rank, position }) => ({ player: id, rank, position, own: id })),
  );
  expect(answers.length).toBeGreaterThan(50);
  for (const entries of answers) {
    const from = (entries[0]?.position ?? 1) - 1;
    const answer = textOf(
      entries.map(({ player, rank, position, metadata }) => ({
        player,
        rank,
        position,
        own: metadata?.["own"],
      })),
    );
    const isOne = known.some((moment) => textOf(moment.slice(from, from + entries.length)) === answer);
    expect(isOne, answer).toBe(true);
  }
});
