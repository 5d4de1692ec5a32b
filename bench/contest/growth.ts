/** What operations are billed as players become more, by the systems' formulas; nothing runs on an emulator here. */
import { randomOf } from "../generators/random.ts";
import { drawScores, type Shape } from "../generators/shapes.ts";
import {
  type FormulaSystem,
  type Operation,
  runSecondsDefault,
  scoreMax,
  type System,
} from "../systems/system.ts";
import { type Bill, free, meanOf, sumOf } from "./bill.ts";
import { type Truth, truthOf } from "./truth.ts";
import { idOf } from "./work.ts";

/** The mean bill of each operation that a system offers, on a board of so many players. */
export interface Grown {
  players: number;
  /** Different scores. */
  scores: number;
  billed: Partial<Record<Operation, Bill>>;
}

/** A board of one size, which all systems are asked about. */
export interface GrownBoard {
  truth: Truth;
  seed: number;
}

/** What a bill needs of a system; one that cannot be run yet has it too. */
export type Billable = Pick<System, "id" | "bills" | "runSeconds" | "clock" | "holds"> &
  Partial<Pick<FormulaSystem, "edition">>;

/** Players drawn for a mean. */
const drawn = 500;
const pageSize = 25;

/** Draws a board of a shape, with scores as in the contest. Memory: 16 bytes a player. */
export function growBoard(shape: Shape, players: number, seed: number): GrownBoard {
  const scores = drawScores(shape, players, seed);
  return { truth: truthOf(scores.map((score) => Math.max(0, Math.min(scoreMax, Math.round(score))))), seed };
}

/**
 * The mean bills of a system; none for a board that it cannot hold.
 * @param updates between two runs of its job; one a second if left out.
 */
export function growthOf(
  system: Billable,
  { truth, seed }: GrownBoard,
  updates = system.runSeconds ?? runSecondsDefault,
): Grown {
  if (system.holds?.(truth) === false) return { players: truth.players, scores: truth.distinct, billed: {} };
  const random = randomOf(seed);
  const bills = system.bills(truth, updates / (system.runSeconds ?? runSecondsDefault));
  const billed: Grown["billed"] = {};
  const index = () => Math.floor(random() * truth.players);
  const score = () => truth.scoreAt(index());
  const mean = (times: number, one: () => Bill) => {
    let sum = free;
    for (let i = 0; i < times; i++) sum = sumOf(sum, one());
    return meanOf(sum, times);
  };
  billed.update = mean(updates, () =>
    bills.update(truth, { player: idOf(index()), before: score(), after: score() }),
  );
  const { rank, top, around, page, run } = bills;
  if (run !== undefined) billed.run = run(truth);
  if (rank !== undefined) billed.rank = mean(drawn, () => rank(truth, score()));
  if (top !== undefined) billed.top = top(truth, 10);
  if (around !== undefined) billed.around = mean(drawn, () => around(truth, index(), 4, 4));
  const middle = page?.(truth, Math.floor(truth.players / 2), pageSize);
  if (middle !== undefined) billed.page = middle;
  return { players: truth.players, scores: truth.distinct, billed };
}
