/**
 * The formulas against played boards, with as many scores and questions. Whoever changes what a small board costs changes
 * course.ts or costs.ts until these agree again.
 */
import { expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { billOf, type Rates } from "./bill.ts";
import { drawCalls, type Full, startFull, startMs } from "./boards.ts";
import { costsOf } from "./costs.ts";
import type { Part, Spendings } from "./ledger.ts";
import { addTo, billLevels } from "./levels.ts";
import { startPlay } from "./play.ts";
import { calledFor, dollarsOf, inAll, type Spent, sumOf, times } from "./spent.ts";

const hourMs = 3_600_000;

interface Case {
  full: Full;
  rates: Rates;
  /** Which are counted, from midnight on. Before them are two in which boards come to their usual state. */
  hours: number;
}

async function playedAndBilled({ full, rates, hours }: Case) {
  const random = randomOf(1);
  const play = await startFull(full, random, 2);
  drawCalls(play, full, rates, 3_600 * (hours + 2), random);
  await play.pass(startMs);
  play.take();
  await play.pass(startMs + hours * hourMs);
  const played = play.take();
  const seconds = 3_600 * hours;
  const perSecond = (part: Part) => (played[part]?.times ?? 0) / full.boards / seconds;
  const found = { scoresPerSecond: perSecond("scores"), ranksPerSecond: perSecond("ranks") };
  return { played, billed: billOf([{ ...full, ...found }], seconds, true) };
}

const none: Partial<Spent> = {};
const dollarsIn = (...spent: (Partial<Spent> | undefined)[]) =>
  inAll(dollarsOf(sumOf(...spent.map((one) => one ?? none))));

/** What happens once a day, and so not in some of these hours. */
const daily: Part[] = ["daily look", "audits"];
const hourly = (spendings: Spendings) =>
  Object.entries(spendings).filter(([part]) => !daily.includes(part as Part)) as [Part, Spent][];

test.for<Case & { title: string }>([
  {
    title: "a score in three hours",
    full: { boards: 20, players: 300, topSize: 100 },
    rates: { scoresPerSecond: 1 / 10_800, ranksPerSecond: 0 },
    hours: 12,
  },
  {
    title: "a score in an hour and a rank in a minute, with room in the top",
    full: { boards: 20, players: 60, topSize: 100 },
    rates: { scoresPerSecond: 1 / 3_600, ranksPerSecond: 1 / 60 },
    hours: 4,
  },
  {
    title: "a score and a rank in ten minutes",
    full: { boards: 10, players: 300, topSize: 10 },
    rates: { scoresPerSecond: 1 / 600, ranksPerSecond: 1 / 600 },
    hours: 4,
  },
  {
    title: "a score in 100 s and a rank in 10 s",
    full: { boards: 2, players: 1_000, topSize: 40 },
    rates: { scoresPerSecond: 1 / 100, ranksPerSecond: 1 / 10 },
    hours: 4,
  },
  {
    title: "a score in 10 s, on the only board",
    full: { boards: 1, players: 1_000, topSize: 100 },
    rates: { scoresPerSecond: 1 / 10, ranksPerSecond: 1 / 10 },
    hours: 2,
  },
])("what boards are billed is what the formulas say to a twentieth: $title", async (one) => {
  const { played, billed } = await playedAndBilled(one);
  // Few changes show in a top, in some hours more and in others less.
  const formulas = { ...billed };
  for (const part of ["scores: top", "refreshes"] as const) {
    const found = sumOf(billed[part] ?? none);
    const refreshed = played[part]?.times ?? 0;
    expect(Math.abs(refreshed - found.times), part).toBeLessThan(4 * Math.sqrt(found.times) + 1);
    formulas[part] = times(refreshed / Math.max(1, found.times), found);
  }

  const all = dollarsIn(...hourly(played).map(([, spent]) => spent));
  const within = 0.05 * all;
  for (const part of new Set([...hourly(played), ...hourly(formulas)].map(([name]) => name)))
    expect
      .soft(Math.abs(dollarsIn(formulas[part]) - dollarsIn(played[part])), part)
      .toBeLessThan(0.6 * within);
  const sum = dollarsIn(...hourly(formulas).map(([, spent]) => spent));
  expect(Math.abs(sum - all)).toBeLessThan(within);
});

/** What scores are billed on a board: of the first player, who opens the board, of another, and of this one again. */
async function countedScores(leaderboard: string, template?: object) {
  const play = startPlay(startMs - hourMs);
  if (template === undefined) await play.createBoard(leaderboard);
  else await play.createBoard("level", { submit: "client", template });
  const named = (name: string) => ({ path: `levels/${name}`, guard: {}, apply: () => ({ name }) });
  play.store.commit(["0", "1"].map(named));
  const spent: Spent[] = [];
  const score = async (board: string, player: string, points: number) => {
    play.score(play.now() + 1, board, player, points);
    await play.pass(play.now() + 2);
    spent.push(sumOf(play.take().scores ?? none));
  };
  // The first board of a template, which freezes it.
  if (template !== undefined) await score("level:0", "zoe", 1);
  for (const [player, points] of [
    ["ann", 1],
    ["bob", 1],
    ["bob", 2],
  ] as const)
    await score(leaderboard, player, points);
  const counted = spent.map(({ reads, writes }) => ({ reads, writes }));
  return template === undefined ? { counted } : { frozen: counted.shift(), counted };
}

test.for<{ title: string; template?: object }>([
  { title: "its own definition" },
  { title: "any name, with a limit", template: { ids: "any" } },
  { title: "the names of a collection", template: { ids: { collection: "levels" } } },
  {
    title: "the names of a collection, with a limit",
    template: { ids: { collection: "levels" }, new_boards_per_day: 10 },
  },
])("a first score costs what the formulas say on a board of $title", async ({ template }) => {
  const { counted, frozen } = await countedScores(template === undefined ? "arena" : "level:1", template);
  const costs = costsOf({ players: 1, topSize: 100 });
  const { score, commit, opening, openingOfTemplate, ofCollection, ofLimit, newPlayer, newPlayerOfTemplate } =
    costs;
  const isNamed = template !== undefined && JSON.stringify(template).includes("collection");
  const isLimited = template !== undefined && (!isNamed || "new_boards_per_day" in template);
  const again = sumOf(score, commit);
  const first = sumOf(again, newPlayer, template === undefined ? none : newPlayerOfTemplate);
  const opened = sumOf(
    first,
    opening,
    template === undefined ? none : openingOfTemplate,
    isNamed ? ofCollection : none,
    isLimited ? ofLimit : none,
  );
  const said = [opened, first, again].map(({ reads, writes }) => ({ reads, writes }));
  expect(counted).toEqual(said);
  if (template !== undefined) expect(frozen).toEqual({ reads: opened.reads, writes: opened.writes + 1 });
});

test("what new levels are billed is what the formulas say to a tenth", async () => {
  const levels = { boards: 6, players: 20, topSize: 100 };
  const play = startPlay(startMs - hourMs);
  await play.createBoard("level", { template: { ids: { collection: "levels" } } });
  const random = randomOf(1);
  for (let board = 0; board < levels.boards; board++) {
    play.store.commit([{ path: `levels/${board}`, guard: {}, apply: () => ({ name: board }) }]);
    for (let player = 0; player < levels.players; player++) {
      const atMs = startMs + Math.floor(random() * hourMs);
      play.score(atMs, `level:${board}`, `player-${player}`, Math.floor(1e6 * random()));
      // When the score is ranked.
      play.rank(atMs + hourMs / 10, `level:${board}`, `player-${player}`);
    }
  }
  await play.pass(startMs);
  play.take();
  await play.pass(startMs + 2 * hourMs);
  // The schedule starts also in the hour in which boards fall asleep.
  const { tick } = costsOf(levels);
  const schedule = times(60, sumOf(tick, calledFor(0)));
  const [played, billed] = [play.take(), addTo(billLevels(levels, true), { schedule })];
  // Runs are judged above.
  const dollarsOfAll = (spendings: Spendings) =>
    dollarsIn(...hourly(spendings).map(([part, spent]) => (part === "runs" ? none : spent)));
  expect(Math.abs(dollarsOfAll(billed) / dollarsOfAll(played) - 1)).toBeLessThan(0.1);
  const [scores, said] = [sumOf(played.scores ?? none), sumOf(billed.scores ?? none)];
  expect(scores.times).toBe(levels.boards * levels.players);
  expect(Math.abs(scores.reads - said.reads)).toBeLessThan(0.02 * scores.reads);
  // The template's first board writes that there is one.
  expect(Math.abs(scores.writes - 1 - said.writes)).toBeLessThan(0.02 * scores.writes);
});

test("what a day's look and audits cost is what the formulas say", async () => {
  const full = { boards: 10, players: 300, topSize: 100 };
  const rates = { scoresPerSecond: 1 / 20_000, ranksPerSecond: 0 };
  const { played, billed } = await playedAndBilled({ full, rates, hours: 24 });
  const changed = played.audits?.times ?? NaN;
  expect(changed).toBeGreaterThan(8);
  for (const part of ["daily look", "audits"] as const) {
    const [found, said] = [sumOf(played[part] ?? none), sumOf(billed[part] ?? none)];
    // A board more or less may be awake.
    expect(Math.abs(said.reads - found.reads), part).toBeLessThan(0.05 * found.reads + 2);
    for (const name of ["writes", "deletes", "times"] as const)
      expect(Math.abs(said[name] - found[name]), `${part}: ${name}`).toBeLessThan(1.5);
  }
});
