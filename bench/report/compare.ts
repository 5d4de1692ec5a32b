/** How two runs of the benchmark differ. */
import { count, dollars, percent, table } from "./markdown.ts";
import type { Results } from "./results.ts";
import { billText } from "./ways-table.ts";

/** A number of a system, as a text, by the name of what it measures. */
type Numbers = Map<string, string>;

/** A table of the numbers that differ, and of systems that only one of the runs has; a sentence if there are none. */
export function comparison(a: Results, b: Results): string {
  const ids = [...new Set([...a.counted, ...b.counted].map(({ id }) => id))];
  const rows = ids.flatMap((id) => {
    const has = [a, b].map(({ counted }) => counted.some((one) => one.id === id));
    if (has.includes(false)) return [[id, "all", ...has.map((there) => (there ? "there" : "not there"))]];
    const [before, after] = [numbersOf(a, id), numbersOf(b, id)];
    const names = [...new Set([...before.keys(), ...after.keys()])];
    return names.flatMap((name) => {
      const [old, fresh] = [before, after].map((numbers) => numbers.get(name) ?? "–");
      return old === fresh ? [] : [[id, name, old ?? "", fresh ?? ""]];
    });
  });
  const problems = [a, b].map(({ counted }) => counted.flatMap((one) => one.problems).length);
  const differs =
    rows.length === 0 ? "Every number is the same." : table([["system", "what", "first", "second"], ...rows]);
  return `${differs}\n\nProblems: ${problems.join(" and ")}.`;
}

/** All numbers of a system that the report shows. It is one function, as it is one list. */
function numbersOf({ counted, scaled, waits, errors, drift, faults }: Results, id: string): Numbers {
  const numbers: Numbers = new Map();
  for (const [operation, { mean, bytes }] of Object.entries(
    counted.find((one) => one.id === id)?.billed ?? {},
  )) {
    numbers.set(operation, billText(mean));
    numbers.set(`${operation}, bytes`, count(Math.round(bytes)));
  }
  for (const { players, billed } of scaled.growth.find((one) => one.id === id)?.sizes ?? []) {
    for (const [operation, bill] of Object.entries(billed)) {
      numbers.set(`${operation}, ${count(players)} players`, billText(bill));
    }
  }
  for (const { players, load, region, dollars: days } of scaled.days) {
    const price = days[id];
    if (price == null) continue;
    const { updatesPerSecond, ranksPerSecond } = load;
    numbers.set(
      `a day, ${count(players)} players, ${updatesPerSecond} updates/s, ${ranksPerSecond} ranks/s, ${region}`,
      dollars(price),
    );
  }
  for (const { serviceSeconds, ratePerSecondMax } of waits.filter((one) => one.id === id)) {
    const rate = ratePerSecondMax === null ? "no limit" : `${count(ratePerSecondMax)}/s`;
    numbers.set(`updates at most, ${serviceSeconds} s a commit`, rate);
  }
  for (const { shape, mean, worst, head } of errors.filter((one) => one.id === id)) {
    numbers.set(`error, ${shape}`, [mean, worst, head].map(percent).join(" / "));
  }
  for (const { rebuilt, fed } of drift.filter((one) => one.id === id)) {
    numbers.set("error, fed each score", [rebuilt, fed].map(percent).join(" / "));
  }
  for (const { atEnd } of faults.filter((one) => one.id === id)) {
    numbers.set("wrong ranks after faults", `${atEnd.ranks} of ${atEnd.players}`);
  }
  return numbers;
}
