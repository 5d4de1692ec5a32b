import { expect, test } from "vitest";
import { differences, type Place } from "./check.ts";

const standing = (team: string, rank: number, points: number) => ({
  ...{ team, rank, points },
  goalDifference: 9,
  goals: 20,
});
const expected = [standing("Roma", 1, 6), standing("Lazio", 1, 6), standing("Inter", 3, 3)];

const place = (player: string, position: number, rank: number, points = 6): Place => ({
  ...{ player, position, rank },
  columns: { points, goal_difference: 9, goals: 20 },
});
const places = [place("Lazio", 1, 1), place("Roma", 2, 1), place("Inter", 3, 3, 3)];
const roma = "rank 1, points 6, goal difference 9, goals 20";

test("a table that agrees in everything has no problems; equals come in any order", () => {
  expect([...differences({ places, players: 3 }, expected)]).toEqual([]);
});

test.each<[string, Place[], string]>([
  [
    "a rank",
    places.with(1, place("Roma", 2, 2)),
    `Roma: ${roma.replace("rank 1", "rank 2")}; recounted ${roma}`,
  ],
  ["points", places.with(1, place("Roma", 2, 1, 7)), `Roma: ${roma.replace("6", "7")}; recounted ${roma}`],
  [
    "an uncertain rank",
    places.with(1, { ...place("Roma", 2, 1), exact: false }),
    `Roma: ${roma}, not exact; recounted ${roma}`,
  ],
  ["a position", places.with(1, place("Roma", 3, 1)), "Roma: position 3, listed 2"],
  ["a missing team", places.toSpliced(1, 1), `Roma: missing; recounted ${roma}`],
  [
    "a team that is there twice",
    [...places, place("Roma", 4, 3)],
    `Roma: ${roma} and ${roma.replace("rank 1", "rank 3")}; recounted ${roma}`,
  ],
  ["a team that did not play", [...places, place("Pisa", 4, 4, 0)], "Pisa did not play"],
  ["the order", [place("Inter", 1, 3, 3), ...places.slice(0, 2)], "Lazio is listed behind a worse rank"],
])("%s that is wrong is found", (_, found, problem) => {
  expect([...differences({ places: found, players: 3 }, expected)]).toContain(problem);
});

const inLeague = { rank: 1, players: 2 };
const ofAll = { ...standing("Roma", 1, 6), inLeague, rankBefore: 3 };
const asked = {
  ...place("Roma", 1, 1),
  segments: { league: inLeague },
  moved: { from_rank: 3, places: 2, exact: true },
};
const right = `${roma}, rank 1 of 2 in its league, 2 places up from 3`;

test.each<[string, Partial<Place>, string | undefined]>([
  ["that agree", {}, undefined],
  [
    "of another rank in the league",
    { segments: { league: { rank: 2, players: 2 } } },
    right.replace("rank 1 of", "rank 2 of"),
  ],
  [
    "of a league of another size",
    { segments: { league: { rank: 1, players: 3 } } },
    right.replace("of 2", "of 3"),
  ],
  ["without a league", { segments: { league: null } }, right.replace("1 of 2", "undefined of undefined")],
  [
    "of another week",
    { moved: { from_rank: 4, places: 3, exact: true } },
    right.replace("2 places up from 3", "3 places up from 4"),
  ],
  ["without movement", { moved: null }, right.replace("2 places up from 3", "new")],
])("a league's rank and movement %s", (_, found, text) => {
  const problems = text === undefined ? [] : [`Roma: ${text}; recounted ${right}`];
  expect([...differences({ places: [{ ...asked, ...found }], players: 1 }, [ofAll])]).toEqual(problems);
});

test("a wrong number of players is found", () => {
  expect([...differences({ places, players: 2 }, expected)]).toEqual(["2 players, recounted 3"]);
});
