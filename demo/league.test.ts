import { expect, test } from "vitest";
import { byLastWeek, footballFile, readMatches, resultsOf } from "./football.ts";
import { type LeagueGroup, leagueProblems, linesOf } from "./league.ts";
import { recountWeek, type Standing } from "./recount.ts";

type Entry = LeagueGroup["entries"][number];

const table: Standing[] = ["Roma", "Lazio", "Inter", "Genoa", "Milan"].map((team, i) => {
  return { team, rank: i + 1, points: 15 - i, goalDifference: 3, goals: 4 };
});
const columnsOf = ({ points, goalDifference, goals }: Standing) => {
  return { points, goal_difference: goalDifference, goals };
};
/** A group of these teams, best first. */
function groupOf(tier: string, teams: readonly string[], more: Partial<Entry> = {}): LeagueGroup {
  const entries = teams.map((player, i): Entry => {
    const found = table.find(({ team }) => team === player);
    return { player, place: i + 1, ...(found && { columns: columnsOf(found) }), ...more };
  });
  return { group: `${tier}-1`, tier, entries } as LeagueGroup;
}
const weekWith = (...groups: LeagueGroup[]) => groups;

const all = table.map(({ team }) => team);
const first = weekWith(groupOf("bronze", all));
const second = weekWith(groupOf("bronze", ["Lazio", "Milan"]), groupOf("silver", ["Roma"]));
const ofSecond = table.filter(({ team }) => ["Lazio", "Milan", "Roma"].includes(team));
const problems = (weeks: Parameters<typeof leagueProblems>[0]) => [
  ...leagueProblems(weeks, [table, ofSecond]),
];

test("two weeks that agree with the recount have no problems", () => {
  expect(problems([first, second])).toEqual([]);
});

test.each<[string, LeagueGroup[], LeagueGroup[], string[]]>([
  [
    "a team in the wrong tier",
    first,
    weekWith(groupOf("bronze", ["Roma", "Lazio", "Milan"])),
    ["Roma plays in bronze; recounted silver"],
  ],
  [
    "a team that is missing",
    weekWith(groupOf("bronze", all.slice(0, 4))),
    second,
    [
      "4 members, recounted 5",
      "Milan in the league: missing; recounted points 11, goal difference 3, goals 4",
      // Four are too few for somebody to go up.
      "Roma plays in silver; recounted bronze",
    ],
  ],
  [
    "a wrong order",
    weekWith(groupOf("bronze", ["Roma", ...all.slice(1).toReversed()])),
    second,
    ["bronze-1 is not in order"],
  ],
])("%s is a problem", (_, one, other, said) => {
  expect(problems([one, other])).toEqual(said);
});

test("the matches of both weeks are those that the recount has", () => {
  const [before, lastWeek] = byLastWeek(resultsOf(readMatches()));
  const teamsOf = (results: typeof before) =>
    [...new Set(results.flatMap(({ submissions }) => submissions.map(({ player }) => player)))].toSorted();
  const recounted = [1, 0].map((weeks) =>
    recountWeek(footballFile, weeks)
      .map(({ team }) => team)
      .toSorted(),
  );
  expect([byLastWeek(before)[1], lastWeek].map(teamsOf)).toEqual(recounted);
  expect(recounted.map(({ length }) => length)).toEqual([88, 30]);
});

test("a group is shown with the ways up and down", () => {
  const [up, stays] = [groupOf("bronze", ["Roma"], { zone: "up" }), groupOf("silver", ["Roma"])];
  expect([up, stays].flatMap(linesOf)).toEqual(["bronze   1  15  Roma  ▲ silver", "silver   1  15  Roma"]);
});
