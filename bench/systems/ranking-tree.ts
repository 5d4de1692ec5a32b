/**
 * A tree that counts the players of ranges of scores: each node counts those in each of its hundred children, and the
 * children of the lowest nodes are single scores. The rank of a score is one more than the players in all children to the
 * right of the path to it. Pure.
 *
 * Example: two levels cover 0 to 9,999. The root's children are 0–99, 100–199 and so on. The path to 5,042 takes the
 * root's child 50, and then the child 42 of the node of 5,000 to 5,099.
 *
 * From Google's “Code Jam ranking library” (2009), described in “Fast and Reliable Ranking in Datastore” (2013).
 */
import { scoreMax } from "./system.ts";

/** Children of a node. */
const branching = 100;
/** Nodes on a path. */
export const levels = Math.ceil(Math.log10(scoreMax + 1) / Math.log10(branching));

/** A node on the path to a score, and which of its children the score is in. */
export interface Step {
  node: string;
  child: number;
}

/** From the root to the score. */
export function pathTo(score: number): Step[] {
  return Array.from({ length: levels }, (_, level) => {
    const width = branching ** (levels - level - 1);
    const child = Math.floor(score / width);
    return { node: nodeId(level, Math.floor(child / branching)), child: child % branching };
  });
}

/** The id of a node: its level, the root's being 0, and its place within that. */
function nodeId(level: number, place: number): string {
  return `${level}-${place}`;
}

/** Players in each child of a node; none where left out. */
export type Counts = Readonly<Record<number, number>>;

/** What changed scores change in nodes and their children. What cancels out is left out. */
export function changesInTree(
  changes: readonly { before: number | null; after: number }[],
): Map<string, Map<number, number>> {
  const nodes = new Map<string, Map<number, number>>();
  const add = (score: number, by: number) => {
    for (const { node, child } of pathTo(score)) {
      const children = nodes.get(node) ?? new Map<number, number>();
      children.set(child, (children.get(child) ?? 0) + by);
      if (children.get(child) === 0) children.delete(child);
      nodes.set(node, children);
    }
  };
  for (const { before, after } of changes) {
    if (before !== null) add(before, -1);
    add(after, 1);
  }
  return new Map([...nodes].filter(([, children]) => children.size > 0));
}

/** Players with a better score. */
export function playersAbove(path: readonly Step[], countsOf: (node: string) => Counts): number {
  return path.reduce((sum, { node, child }) => {
    const better = Object.entries(countsOf(node)).filter(([other]) => Number(other) > child);
    return sum + better.reduce((players, [, count]) => players + count, 0);
  }, 0);
}

/**
 * The score of the player at an index, best first, and the index among those who share it.
 * @param countsOf reads a node.
 */
export async function scoreAt(
  index: number,
  countsOf: (node: string) => Promise<Counts>,
): Promise<{ score: number; index: number } | undefined> {
  let [place, left] = [0, index];
  for (let level = 0; level < levels; level++) {
    const counts = await countsOf(nodeId(level, place));
    let child = branching - 1;
    for (; child >= 0 && left >= (counts[child] ?? 0); child--) left -= counts[child] ?? 0;
    if (child < 0) return undefined;
    place = place * branching + child;
  }
  return { score: place, index: left };
}
