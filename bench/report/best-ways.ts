/** Which way is cheapest for which game, among those that carry its updates. */
import type { Day } from "../contest/scaled.ts";
import type { SystemWaits } from "../contest/system-waits.ts";
import { type Group, groupOf } from "./groups.ts";
import { count, dollars, percent, table } from "./markdown.ts";
import type { Results, SystemFacts } from "./results.ts";

const columns: { title: string; group: Group }[] = [
  { title: "cheapest live and exact", group: "live" },
  { title: "cheapest as of the last run", group: "run" },
  { title: "cheapest estimate", group: "estimate" },
];

/** The cheapest way of each kind for some loads, with its dollars a day in us-central1, beside Firerank's. */
export function bestWaysTable(results: Results): string {
  const rows = results.scaled.days
    .filter(({ region }) => region === "us-central1")
    .map((day) => {
      const { updatesPerSecond, ranksPerSecond } = day.load;
      const game = [day.players, updatesPerSecond, ranksPerSecond].map(count);
      const price = (id: string) => (day.dollars[id] == null ? "–" : dollars(day.dollars[id]));
      const best = columns.map(({ group }) => {
        const [cheapest] = ableTo(results, day, group);
        if (cheapest === undefined) return "–";
        const { id, name, rank, staleness } = cheapest;
        const error = results.errors.find((one) => one.id === id)?.mean;
        const facts = [staleness.rank];
        if (rank === "estimate" && error !== undefined) facts.push(`off by ${percent(error)}`);
        return `${name} (${facts.join(", ")}): ${price(id)}`;
      });
      return [...game, ...best, price("firerank")];
    });
  const head = ["players", "updates/s", "ranks/s", ...columns.map(({ title }) => title)];
  return table([[...head, "Firerank"], ...rows]);
}

/** The systems of a group that carry the updates, know everybody's rank and count the latest score; the cheapest first. */
export function ableTo(
  { systems, waits }: Results,
  { dollars: prices, load }: Day,
  group: Group,
): SystemFacts[] {
  return systems
    .filter((system) => groupOf(system) === group && system.keeps === "latest" && prices[system.id] != null)
    .filter(({ id }) => carries(waits, id, load.updatesPerSecond))
    .sort((a, b) => (prices[a.id] ?? 0) - (prices[b.id] ?? 0));
}

/** Whether no work piles up, by the model with 1 s a commit. */
function carries(waits: readonly SystemWaits[], id: string, updatesPerSecond: number): boolean {
  const found = slowWaits(waits, id);
  return found !== undefined && updatesPerSecond < (found.ratePerSecondMax ?? Infinity);
}

/** For example "161 updates/s": the most that a way takes, by the model with 1 s a commit; "any" if nothing limits it. */
export function rateText({ waits }: Pick<Results, "waits">, id: string): string {
  const found = slowWaits(waits, id);
  if (found === undefined) return "–";
  return found.ratePerSecondMax === null ? "any" : `${count(found.ratePerSecondMax)}/s`;
}

function slowWaits(waits: readonly SystemWaits[], id: string): SystemWaits | undefined {
  return waits.find((one) => one.id === id && one.serviceSeconds === 1);
}
