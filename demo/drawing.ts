/** How the demo's tables look. Pure: rows in, lines of text out. */
import type { TopAnswer } from "../functions/src/model/answers.ts";

/** A line of a league table. */
export interface Row {
  team: string;
  rank: number;
  points: number;
  goalDifference: number;
  goals: number;
}

/** Colours a text, or leaves it as it is where there are no colours. */
export type Paint = (style: "green" | "red" | "yellow" | "cyan" | "dim" | "bold", text: string) => string;

/** Widest team name in the file. */
const nameWidth = 22;
const barWidth = 20;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** The rows of an answer of `getTop`. */
export function rowsOf({ entries }: TopAnswer): Row[] {
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

/** A bar of up to 20 characters, drawn to an eighth of one; `most` fills it. */
export function bar(value: number, most: number): string {
  const parts = Math.round((Math.max(0, value) / most) * barWidth * 8);
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

function pad(value: string | number, width: number): string {
  return String(value).padStart(width);
}
