/** What operations are billed as players become more, by the systems' formulas; nothing runs on an emulator here. */
import { randomOf } from "../generators/random.ts";
import { drawScores, type Shape } from "../generators/shapes.ts";
import { type Operation, runSecondsDefault, type System } from "../systems/system.ts";
import { type Bill, free, mapBill, sumOf } from "./bill.ts";
import { type Truth, truthOf } from "./truth.ts";
import { idOf, inRange } from "./work.ts";

/** The mean bill of each operation that a system offers, on a board of so many players. */
export interface Grown {
  players: number;
  /** Different scores. */
  scores: number;
  billed: Record<"update" | "rank", Bill> & Partial<Record<Operation, Bill>>;
}

/** A board of one size, which all systems are asked about. */
export interface GrownBoard {
  truth: Truth;
  seed: number;
}

/** What a bill needs of a system. */
export type Billable = Pick<System, "id" | "bills" | "runSeconds" | "clock" | "tasks">;

/** Players drawn for a mean. */
const drawn = 500;
const pageSize = 25;

/** Draws a board of a shape, with scores as in the contest. Memory: 16 bytes a player. */
export function growBoard(shape: Shape, players: number, seed: number): GrownBoard {
  return { truth: truthOf(drawScores(shape, players, seed).map(inRange)), seed };
}

/**
 * The mean bills of a system.
 * @param updates between two runs of its job; one a second if left out.
 */
export function growthOf(
  system: Billable,
  { truth, seed }: GrownBoard,
  updates = system.runSeconds ?? runSecondsDefault,
): Grown {
  const random = randomOf(seed);
  const bills = system.bills(truth, updates / (system.runSeconds ?? runSecondsDefault));
  const index = () => Math.floor(random() * truth.players);
  const score = () => truth.scoreAt(index());
  const mean = (count: number, one: () => Bill) => {
    let sum = free;
    for (let i = 0; i < count; i++) sum = sumOf(sum, one());
    return mapBill(sum, (amount) => amount / count);
  };
  const update = mean(updates, () =>
    bills.update(truth, { player: idOf(index()), before: score(), after: score() }),
  );
  const run = bills.run?.(truth);
  const rank = mean(drawn, () => bills.rank(truth, score()));
  const top = bills.top(truth, 10);
  const around = mean(drawn, () => bills.around(truth, index(), 4, 4));
  const page = bills.page(truth, Math.floor(truth.players / 2), pageSize);
  const billed = { update, rank, top, around, ...(page && { page }), ...(run && { run }) };
  return { players: truth.players, scores: truth.distinct, billed };
}
