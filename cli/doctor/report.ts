/** A report as text for people. Pure. */
import { count } from "../progress.ts";
import { gravities } from "./finding.ts";
import type { Report } from "./examine.ts";

export function reportText({ findings, unchecked, seen, isWell }: Report): string {
  const toDo = unchecked.filter(({ isAbsent }) => !isAbsent);
  const absent = unchecked.filter(({ isAbsent }) => isAbsent);
  const width = Math.max(0, ...[...seen, ...unchecked].map(({ check }) => check.length));
  const row = (check: string, text: string) => `  ${check.padEnd(width)}  ${indented(text, width + 4)}`;
  const blocks = [
    ...findings.map(({ gravity, id, what, known, todo }) =>
      [
        `${gravity.toUpperCase()}  ${id}`,
        `  what   ${indented(what, 9)}`,
        `  known  ${indented(known, 9)}`,
        `  do     ${indented(todo, 9)}`,
      ].join("\n"),
    ),
    section(
      "Not checked:",
      toDo.map(({ check, why, byHand }) => `${row(check, why)}\n${row("", `By hand: ${byHand}`)}`),
    ),
    section(
      "Nothing to check:",
      absent.map(({ check, why }) => row(check, why)),
    ),
    section(
      "Seen:",
      seen.map(({ check, seen: text }) => row(check, text)),
    ),
    summary(findings, toDo.length, isWell),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? "" : [title, ...rows].join("\n");
}

function summary(findings: Report["findings"], uncheckedCount: number, isWell: boolean): string {
  const counts = gravities.flatMap((gravity) => {
    const found = findings.filter((one) => one.gravity === gravity).length;
    return found === 0 ? [] : [count(found, gravity)];
  });
  const unchecked = uncheckedCount === 0 ? [] : [`${count(uncheckedCount, "check")} to be made by hand`];
  const found = [...counts, ...unchecked].join(", ");
  if (isWell) return found === "" ? "All is well." : `All is well; ${found}.`;
  return `${found}.`;
}

const indented = (text: string, by: number) => text.replaceAll("\n", `\n${" ".repeat(by)}`);
