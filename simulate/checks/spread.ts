/** What readers are told of scores: which one a rank needs, and how many players have which. */
import type { HistogramAnswer, ThresholdAnswer } from "../../functions/src/model/answers.ts";
import { isBetter, type Order } from "../../functions/src/model/score.ts";
import type { World } from "../world.ts";
import { checkGeneration, type Question, versionsOf } from "./answers.ts";
import { rankIn, sizeOf, type Tally } from "./counts.ts";
import { tallyIn } from "./recount.ts";
import { insist } from "./violation.ts";

/** Players with a score, or a better one. */
const playersUpTo = ({ players }: Tally, order: Order, score: number) =>
  [...players].reduce((sum, [other, count]) => (isBetter(order, score, other) ? sum : sum + count), 0);

/** The score is enough for the rank, and worse ones are not, as far as the answer says. */
export function checkThreshold(world: World, question: Question, answer: ThresholdAnswer): void {
  const { order } = world.plan.definition;
  const { rank, score, exact, score_worst: worst } = answer;
  checkSpread(world, question, answer, (tally) => {
    if (score === null) return sizeOf(tally) - tally.apart < rank;
    if (rankIn(tally, order, score) - tally.apart > rank) return false;
    const least = exact ? score : worst;
    return least == null || playersUpTo(tally, order, least) + tally.apart >= rank;
  });
}

/** Each player is in one bin, or beyond them; where all is certain, in that of the score. */
export function checkHistogram(world: World, question: Question, answer: HistogramAnswer): void {
  const { order } = world.plan.definition;
  const { bins, better, worse, exact } = answer;
  checkSpread(world, question, answer, (tally) => {
    const inBins = bins.reduce((sum, { players }) => sum + players, 0);
    if (better + inBins + worse !== answer.players) return false;
    if (Math.abs(answer.players - sizeOf(tally)) > tally.apart) return false;
    if (!exact) return true;
    return bins.every(({ from, to, players }, i) => {
      const before = rankIn(tally, order, from) - 1;
      const until = i === bins.length - 1 ? playersUpTo(tally, order, to) : rankIn(tally, order, to) - 1;
      return Math.abs(until - before - players) <= tally.apart;
    });
  });
}

/** Checks an answer with the generation that it names, or in a closed season with one version of the table. */
function checkSpread(
  world: World,
  question: Question,
  answer: { generation: number },
  holds: (tally: Tally) => boolean,
): void {
  const { season, segment } = question;
  checkGeneration(world, question, answer.generation);
  const versions = versionsOf(world, question);
  const tallies =
    versions?.map(({ table }) => tallyIn(table, segment)) ??
    [world.rankings.truthOf(season, answer.generation, segment)].filter((tally) => tally !== undefined);
  // An instance that knows that the season has just closed answers from its table.
  const closing = world.rankings.of(season)?.versions.map(({ table }) => tallyIn(table, segment)) ?? [];
  if (tallies.length === 0 || answer.generation === 0) return;
  insist(
    tallies.some(holds) || closing.some(holds),
    () =>
      `scores: ${JSON.stringify(answer)} was answered, counted are ${JSON.stringify(tallies.map(({ players }) => [...players]))}`,
  );
}
