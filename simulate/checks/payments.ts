/**
 * What the payer of examples/events/rewards.ts has paid: each winner of a season once, the right sum, and nobody else; however
 * often, late and out of order it gets the season's events, and wherever it dies.
 */
import { prizeOf } from "../../examples/events/rewards.ts";
import { insist } from "./violation.ts";
import { type Change, parentOf } from "../memory/store.ts";
import { leaderboard } from "../board.ts";
import type { Life } from "./life.ts";
import type { Rankings } from "./rankings.ts";
import { WorldCheck } from "./setting.ts";
import type { Work } from "./work.ts";

interface Payment {
  season: string;
  player: string;
  position: number;
  coins: number;
}

export class Payments extends WorldCheck<{ life: Life; rankings: Rankings }> {
  /** What was paid for each season, by player. */
  private readonly paid = new Map<string, Map<string, Payment>>();

  private pays(path: string, payment: Payment): void {
    const { season, player, position, coins } = payment;
    const ofSeason = this.paid.get(season) ?? new Map<string, Payment>();
    this.paid.set(season, ofSeason);
    insist(!ofSeason.has(player), () => `paid: ${path}, and ${player} has got a prize of ${season} before`);
    ofSeason.set(player, payment);
    const versions = this.world.rankings.of(season)?.versions ?? [];
    insist(
      versions.some(({ table }) => table.some((line) => line.player === player)),
      () => `paid: ${player} got ${coins} for ${position} in ${season}, and is not in its table`,
    );
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work) {
    const added = new Map<string, number>();
    for (const { path, before, after } of changes) {
      if (parentOf(path) !== "payments") continue;
      insist(work.kind === "pay", () => `paid: ${path} was written by ${work.kind}`);
      insist(before === undefined, () => `paid: ${path} a second time`);
      const payment = after as unknown as Payment;
      this.pays(path, payment);
      added.set(`wallets/${payment.player}`, payment.coins);
    }
    for (const { path, before, after } of changes) {
      if (parentOf(path) !== "wallets") continue;
      const coins = coinsIn(after) - coinsIn(before);
      insist(coins === added.get(path), () => `paid: ${path} gets ${coins}, and ${added.get(path)} are due`);
      added.delete(path);
    }
    insist(added.size === 0, () => `paid: ${[...added.keys()].join()} got nothing`);
  }

  /** The winners of every closed season that has an event have their prizes. @throws a violation */
  checkAtRest() {
    for (const { id, season } of this.world.life.all()) {
      const { versions = [], drafts = [] } = this.world.rankings.of(id) ?? {};
      const [first, revised] = versions.slice(drafts.length);
      // A season that is revised is paid by what the payer finds, some of it before and some after.
      if (season.status !== "closed" || first === undefined || revised !== undefined) continue;
      const right = first.table.flatMap(({ player }, i) => {
        const coins = prizeOf(i + 1, first.table.length);
        return coins > 0 ? [`${player} ${i + 1} ${coins}`] : [];
      });
      const got = [...(this.paid.get(id)?.values() ?? [])]
        .sort((a, b) => a.position - b.position)
        .map(({ player, position, coins }) => `${player} ${position} ${coins}`);
      insist(
        got.join() === right.join(),
        () => `paid: for ${id} were paid ${got.join() || "nobody"}, and due ${right.join() || "nobody"}`,
      );
      const done = this.world.database.store.get(`reward_runs/${leaderboard}.${id}`)?.data["done"];
      insist(done === true, () => `paid: ${id} is not done`);
    }
  }
}

const coinsIn = (wallet: Change["after"]) => (wallet?.["coins"] ?? 0) as number;
