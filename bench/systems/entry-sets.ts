/**
 * Massive distributed sorted sets, which Riak's users made of maps and sets: all players, best first, in sets of up to a
 * thousand, with a manifest that names them; for more than a million players, a manifest of manifests.
 * entry-set-steps.ts has the algorithm.
 *
 * Every update that moves a player from one set to another changes the manifest, which is one document for all.
 */
import { bill } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { change, type SetWrites } from "./entry-set-changes.ts";
import { createMemorySets } from "./entry-set-memory.ts";
import {
  aroundOf,
  pageOf,
  playersAbove,
  type SetNode,
  type SetShape,
  type Steps,
} from "./entry-set-steps.ts";
import { isChange } from "./player-bills.ts";
import { playersOf, storeScore } from "./players.ts";
import { type Bills, type Opened, type Place, scoreMax, type System } from "./system.ts";

const kerrigan =
  "D. Kerrigan, “Massive Distributed Sorted Sets” (https://drew.kerrigan.io/portfolio/2014-11-05-massive-distributed-sorted-sets.html)";

/**
 * An update costs a read and a write of the player, a read of each manifest and set on the way to the old and the new
 * score, and a write of those that change. A rank is a read of the player, of each level and of a set; a list is a read
 * of each level, and of each set that holds some of it.
 */
export function entrySetSystem(id: string, shape: SetShape): System {
  const { size, levels } = shape;
  const playersMax = size ** (levels + 1);
  return {
    id,
    name:
      levels === 1
        ? `Sorted sets of ${size} with a manifest`
        : `Sorted sets of ${size} with a manifest of manifests`,
    layout:
      `Players; sets of up to ${size} of them, best first; a manifest of the sets with their lengths and lowest scores` +
      (levels === 1 ? "." : "; a manifest of the manifests."),
    source: `${kerrigan}, after the repository https://github.com/clr/massive_distributed_sorted_set, which only adds scores`,
    rank: "exact",
    keeps: "latest",
    cannot: { run: "nothing is left to do" },
    load: {
      kind: "documents",
      // Within a set, the manifest changes only with the lowest player.
      commits: ({ before, after }) =>
        before !== null && setOf(before) === setOf(after)
          ? [[setOf(after)]]
          : [["manifest", ...(before === null ? [] : [setOf(before)]), setOf(after)]],
    },
    limit: `A manifest has the refs of about ${size.toLocaleString("en")} sets, so that a board has at most ${playersMax.toLocaleString("en")} players. Sets that lose players are not joined, as the repository does below 500.`,
    holds: ({ players }) => players <= playersMax,
    open: (place) => Promise.resolve(open(place, shape)),
    bills: (start) => bills(start, shape),
  };
}

export const entrySets = entrySetSystem("entry-sets", { size: 1_000, levels: 1 });
export const deepEntrySets = entrySetSystem("entry-sets-deep", { size: 1_000, levels: 2 });
/** With sets so small that the cases split and delete them. */
export const smallEntrySets = [
  entrySetSystem("entry-sets-of-10", { size: 10, levels: 1 }),
  entrySetSystem("entry-sets-of-4-deep", { size: 4, levels: 2 }),
];

/** For the model of waits: as many sets as a hundred thousand players have. */
function setOf(score: number): string {
  return `set ${Math.floor((score * 100) / (scoreMax + 1))}`;
}

function open({ db }: Place, shape: SetShape): Opened {
  const newPath = (collection: string) => db.collection(collection).doc().path;
  /** Reads of one moment. */
  const ask = <Result>(work: (read: Read, player?: string) => Promise<Result>) =>
    db.runTransaction((transaction) => work(async (path) => (await transaction.get(db.doc(path))).data()), {
      readOnly: true,
    });
  const scoreIn = async (read: Read, player: string) =>
    (await read(playersOf(db).doc(player).path))?.["score"] as number | undefined;
  const page = (from: number, size: number) => ask((read) => take(pageOf(from, size), read));
  return {
    async submit(submission) {
      await storeScore(db, submission, "latest", async (transaction, { player, before, after }) => {
        const old = before === null ? undefined : { player, score: before };
        const steps = change(old, { player, score: after }, shape, newPath);
        const writes = await take(steps, async (path) => (await transaction.get(db.doc(path))).data());
        for (const [path, node] of writes) {
          if (node === undefined) transaction.delete(db.doc(path));
          else transaction.set(db.doc(path), node);
        }
      });
      return undefined;
    },
    rank: (player) =>
      ask(async (read) => {
        const score = await scoreIn(read, player);
        return score === undefined ? null : 1 + (await take(playersAbove(score), read));
      }),
    top: (count) => page(0, count),
    around: (player, before, after) =>
      ask(async (read) => {
        const score = await scoreIn(read, player);
        return score === undefined ? [] : take(aroundOf({ player, score }, before, after), read);
      }),
    page,
  };
}

type Read = (path: string) => Promise<Record<string, unknown> | undefined>;

/** Takes steps. Each document is read once. */
async function take<Result>(steps: Steps<Result>, read: Read): Promise<Result> {
  const known = new Map<string, SetNode | undefined>();
  let step = steps.next();
  while (!step.done) {
    const path = step.value;
    if (!known.has(path)) known.set(path, await read(path));
    step = steps.next(known.get(path));
  }
  return step.value;
}

/** The same steps on sets in memory. */
function bills(start: Truth, shape: SetShape): Bills {
  const sets = createMemorySets(start, shape);
  /** Scores of players with their own names. Of those that the board began with, any with the score will do. */
  const named = new Map<string, number>();
  const entryOf = (player: string, score: number) =>
    named.get(player) === score
      ? { player, score }
      : sets.take(pageOf(sets.take(playersAbove(score)).result, 1)).result[0];
  const page = (_: Truth, from: number, size: number) => bill({ reads: sets.take(pageOf(from, size)).reads });
  return {
    update(_, update) {
      if (!isChange(update)) return bill({ reads: 1 });
      const { player, before, after } = update;
      const old = before === null ? undefined : entryOf(player, before);
      named.set(player, after);
      const steps = change(old, { player, score: after }, shape, sets.newPath);
      const { result, reads }: { result: SetWrites; reads: number } = sets.take(steps);
      const { writes, deletes } = sets.write(result);
      return bill({ reads: 1 + reads, writes: 1 + writes, deletes });
    },
    rank: (_, score) => bill({ reads: 1 + sets.take(playersAbove(score)).reads }),
    top: (truth, count) => page(truth, 0, count),
    page,
    around(truth, index, before, after, player) {
      const entry =
        player === undefined
          ? sets.take(pageOf(index, 1)).result[0]
          : { player, score: truth.scoreAt(index) };
      if (entry === undefined) return bill({ reads: 1 });
      return bill({ reads: 1 + sets.take(aroundOf(entry, before, after)).reads });
    },
  };
}
