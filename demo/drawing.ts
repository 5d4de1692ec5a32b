/** Draws the demo's tables. Pure: rows in, lines of text out. */
import type { TopAnswer } from "../functions/src/model/answers.ts";
import { type Year, yearsFrom } from "./football.ts";

/** A line of a league table. */
export interface Row {
  team: string;
  rank: number;
  points: number;
  goalDifference: number;
  goals: number;
}

/** The state of a football year. */
export interface YearState {
  year: Year;
  /** Matches submitted so far. */
  played: number;
  /** The phase of its closing; undefined before and after that. */
  phase?: string;
  /** The leader of the final table, once it is closed. */
  champion?: string;
}

/** Colours a text, or leaves it unchanged without colours. */
export type Paint = (style: "green" | "red" | "yellow" | "cyan" | "dim" | "bold", text: string) => string;

/** Widest team name in the file. */
const nameWidth = 22;
const barWidth = 20;
/** Widest name of a division, and of a champion in the picture of the years. */
const divisionWidth = 19;
const cellWidth = 12;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** The rows of an answer of `getTop` or `getPage`. */
export function rowsOf({ entries }: Pick<TopAnswer, "entries">): Row[] {
  return entries.map(({ player, rank, display_name: name, columns = {} }) => ({
    team: name ?? player,
    rank,
    points: columns["points"] ?? 0,
    goalDifference: columns["goal_difference"] ?? 0,
    goals: columns["goals"] ?? 0,
  }));
}

/**
 * A table's lines, its heading first; at most 80 characters wide.
 * @param previous the table before, for the arrows; without it there is no column for them.
 */
export function tableLines(rows: readonly Row[], paint: Paint, previous?: readonly Row[]): string[] {
  const arrows = previous !== undefined;
  const most = Math.max(1, ...rows.map(({ points }) => points));
  const heading = `  rank${arrows ? "     " : ""}  ${"team".padEnd(nameWidth)}  points    +/-  goals`;
  return [
    paint("dim", heading),
    ...rows.map((row) => {
      const { rank, team, points, goalDifference, goals } = row;
      const movement = arrows ? ` ${movementOf(row, previous, paint)}` : "";
      const numbers = `${pad(points, 6)}  ${pad(signed(goalDifference), 5)}  ${pad(goals, 5)}`;
      const name = team.slice(0, nameWidth).padEnd(nameWidth);
      return `  ${pad(rank, 4)}${movement}  ${paint("bold", name)}  ${numbers}  ${paint("cyan", bar(points, most))}`;
    }),
  ];
}

/**
 * The picture of the football years, its heading first: a line for each division, a cell for each of its years, with a
 * bar while it is played, then the phase of its closing, then its champion. At most 80 characters wide.
 */
export function yearLines(states: readonly YearState[], paint: Paint): string[] {
  const years = [...new Set(states.map(({ year }) => year.firstYear))].sort((a, b) => a - b);
  const line = (name: string, cells: string[]) => `  ${[name.padEnd(divisionWidth), ...cells].join("  ")}`;
  const heading = line(
    "final tables",
    years.map((year) => yearsFrom(year).padEnd(cellWidth)),
  );
  const byDivision = Map.groupBy(states, ({ year }) => year.name);
  return [
    paint("dim", heading.trimEnd()),
    ...[...byDivision].map(([name, ofDivision]) => {
      const cells = years.map((first) => cellOf(ofDivision.find(({ year }) => year.firstYear === first)));
      return line(
        name,
        cells.map(([style, text], i) => paint(style, i === cells.length - 1 ? text : text.padEnd(cellWidth))),
      );
    }),
  ];
}

function cellOf(state: YearState | undefined): [style: Parameters<Paint>[0], text: string] {
  if (state === undefined || state.played === 0) {
    return ["dim", "·"];
  }
  if (state.champion !== undefined) {
    return ["green", cut(state.champion, cellWidth)];
  }
  return state.phase === undefined
    ? ["cyan", bar(state.played, state.year.matches, cellWidth)]
    : ["yellow", `${state.phase} …`];
}

/** A line for a year that has closed: its champion, and by how much. */
export function championLine({ firstYear }: Year, table: readonly Row[], paint: Paint): string {
  const [champion, second] = table;
  if (champion === undefined || second === undefined) {
    throw new Error("a football year has two teams at least");
  }
  const ahead = champion.points - second.points;
  const margin = ahead > 0 ? `${ahead} ahead of ${second.team}` : `level with ${second.team}`;
  const team = paint("bold", champion.team.padEnd(nameWidth));
  return `    ${yearsFrom(firstYear)}  ${team}  ${pad(champion.points, 3)} points  ${margin}`;
}

/** ▲2 for a team that went up by two, ▼1, "new" for one that was not in the table; four characters wide. */
function movementOf({ team, rank }: Row, previous: readonly Row[], paint: Paint): string {
  const before = previous.find((row) => row.team === team)?.rank;
  if (before === undefined) {
    return previous.length === 0 ? "    " : paint("yellow", "new ");
  }
  const steps = before - rank;
  if (steps === 0) {
    return "    ";
  }
  return steps > 0 ? paint("green", `▲${steps}`.padEnd(4)) : paint("red", `▼${-steps}`.padEnd(4));
}

/** A bar of up to `width` characters, drawn to an eighth of one; `most` fills it. */
export function bar(value: number, most: number, width = barWidth): string {
  const parts = Math.round((Math.max(0, value) / most) * width * 8);
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
}

/** Columns of text: the first to the left, numbers to the right. */
export function columnsOf(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === "number" ? pad(cell, width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** 6504 as "6,504". */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function pad(value: string | number, width: number): string {
  return String(value).padStart(width);
}
