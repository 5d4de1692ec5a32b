/**
 * `npm run bench -- boards`: what small boards are billed, part by part, by playing them with production's own functions
 * in memory (see play.ts). A day of one board takes half a minute.
 *
 *     npm run bench -- boards [--boards 1] [--players 1000] [--top 100] [--hours 24] [--score-every 100] [--rank-every 10]
 *
 * Scores and questions come at random, on each board one in so many seconds in the mean.
 */
import { randomOf } from "../generators/random.ts";
import { wholeNumbers } from "../options.ts";
import { count, dollars, table } from "../report/markdown.ts";
import { drawCalls, startFull, startMs } from "./boards.ts";
import type { Spendings } from "./ledger.ts";
import { dollarsOf, inAll, nothing, type Spent, sumOf } from "./spent.ts";

const asked = wholeNumbers("boards", {
  boards: 1,
  players: 1_000,
  top: 100,
  hours: 24,
  "score-every": 100,
  "rank-every": 10,
});

const random = randomOf(1);
const full = { boards: asked.boards, players: asked.players, topSize: asked.top };
const rates = { scoresPerSecond: 1 / asked["score-every"], ranksPerSecond: 1 / asked["rank-every"] };
const play = await startFull(full, random);
drawCalls(play, full, rates, 3_600 * asked.hours, random);
await play.pass(startMs + 3_600_000 * asked.hours);
print(play.take());

function print(spendings: Spendings): void {
  const parts = Object.entries(spendings).toSorted(([a], [b]) => a.localeCompare(b));
  const all = sumOf(...parts.map(([, spent]) => spent));
  const rows = parts.map(([part, spent]) => rowOf(part, spent));
  const heads = "what|times|reads|writes|deletes|calls|queue|Firestore|functions, queue";
  console.log(table(heads, [...rows, rowOf("all", { ...all, times: 0 })]));
  const { times: scores } = spendings.scores ?? nothing;
  console.log(
    `\n${dollars(inAll(dollarsOf(all)))}, ${dollars((1e6 * inAll(dollarsOf(all))) / scores)} for a million such scores.`,
  );
}

function rowOf(part: string, spent: Spent): string[] {
  const { times, reads, writes, deletes, invocations, queued } = spent;
  const { firestore, functions, queue } = dollarsOf(spent);
  const counts = [times, reads, writes, deletes, invocations, queued].map((one) =>
    one === 0 ? "" : count(one),
  );
  return [part, ...counts, dollars(firestore), dollars(functions + queue)];
}
