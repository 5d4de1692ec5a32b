/** What readers are told of segments alone: a player's rank in each of the player's own, and the top of one. */
import type { Rank, TopAnswer } from "../../functions/src/model/answers.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { segmentText } from "../../functions/src/model/segments.ts";
import { guilds } from "../actors.ts";
import type { World } from "../world.ts";
import {
  areRanksIn,
  checkGeneration,
  checkRank,
  checkSize,
  isOfClosing,
  isSorted,
  type Question,
  versionsOf,
} from "./answers.ts";
import { checkListed } from "./listed.ts";
import { segmentsIn, tallyIn } from "./recount.ts";
import { insist } from "./violation.ts";

/** Checks a player's ranks in the player's own segments: all of one generation; in a closed season those of its table. */
export function checkOwnSegments(world: World, question: Question, exact: boolean, rank: Rank): void {
  const { season, player, beganTick } = question;
  // Of a season that has closed just now, an instance that knows this answers from the table.
  const versions = versionsOf(world, question) ?? world.rankings.of(season)?.versions ?? [];
  const lines = versions.flatMap(({ table }) =>
    table.filter((line) => line.player === player).map(segmentsIn),
  );
  const wasIn = (holds: (segments: readonly string[]) => boolean) =>
    lines.some(holds) ||
    world.players.mayHaveBeen(season, player, beganTick, (held) => holds(held?.marked ?? []));
  for (const [name, own] of Object.entries(rank.segments ?? {})) {
    const told = () => `segments: ${name} of ${player} was answered with ${JSON.stringify(own)}`;
    const segment = segmentText(name, own?.segment?.[name] ?? "");
    if (own === null) {
      const mayBeLeftOut = ["AT", "CH", "DE", ...guilds].some((value) =>
        world.rankings.leavesOut(season, 0, segmentText(name, value)),
      );
      insist(mayBeLeftOut || wasIn((marked) => !marked.some((one) => one.startsWith(`${name}=`))), told);
      continue;
    }
    insist(
      wasIn((marked) => marked.includes(segment)),
      told,
    );
    insist(own.generation === rank.generation, () => `${told()}, beside generation ${rank.generation}`);
    checkRank(world, { ...question, segment }, exact, own);
  }
}

/** The players as they are at a moment, with their ranks among themselves; in a closed season those of its table. */
export function checkTopOfSegment(world: World, question: Question, answer: TopAnswer): void {
  const { entries, generation } = answer;
  const { order, top_size: size } = world.plan.definition;
  const told = () => `segments: ${JSON.stringify(answer)} was answered for the top of ${question.segment}`;
  checkGeneration(world, question, generation);
  if (generation === 0) return;
  checkSize(world, question, answer);
  const isRanked = entries.every(({ score, rank, position }, i) => {
    const above = entries.filter((other) => isBetter(order, other.score, score)).length;
    return rank === 1 + above && position === i + 1;
  });
  // The document of somebody who is in the table may be gone: then the first one listed is not the first one ranked.
  const isOfTable = () =>
    isOfClosing(world, question, ({ table }) => areRanksIn(world, entries, tallyIn(table, question.segment)));
  insist(isSorted(world, entries) && (isRanked || isOfTable()) && entries.length <= size, told);
  checkListed(world, question, entries, { fromTop: true, toEnd: entries.length < size });
}
