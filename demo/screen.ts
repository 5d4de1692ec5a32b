/**
 * What the demo shows while it runs: on a terminal a progress bar with the top 10 below it and the football years below
 * that, redrawn in place; elsewhere (a CI log, a file) a line for each tenth of the way and for each year that closed.
 */
import { styleText } from "node:util";
import { MultiBar, Presets, type Options, type Params } from "cli-progress";
import { count, type Paint, type Row, tableLines, yearLines, type YearState } from "./drawing.ts";
import { yearsFrom } from "./football.ts";

export interface Screen {
  /** How many matches are submitted, and the date that the replay has reached. */
  progress(matches: number, date: string): void;
  /** The current top, of the given generation. */
  top(rows: readonly Row[], generation: number): void;
  /** The states of all football years, always in the same order. */
  years(states: readonly YearState[]): void;
  /** Leaves what is on the screen, and the cursor below it. */
  close(): void;
}

const topSize = 10;
/** Lines of the football years: a heading, and the file's divisions. */
const yearsSize = 6;

/** A screen for `total` matches: live where the stream is a terminal with room for it. */
export function createScreen(stream: NodeJS.WriteStream, total: number): Screen {
  // The bar, two empty lines, the table's heading, and the line below all of it.
  const linesNeeded = topSize + yearsSize + 5;
  const isLive = stream.isTTY && (stream.rows === 0 || stream.rows >= linesNeeded);
  return isLive ? liveScreen(stream, total) : logScreen((line) => stream.write(`${line}\n`), total);
}

/** Colours for a stream, if it shows any and NO_COLOR does not forbid them. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(style, text, { stream });
}

function liveScreen(stream: NodeJS.WriteStream, total: number): Screen {
  const paint = paintFor(stream);
  const bars = new MultiBar(
    { stream, hideCursor: true, gracefulExit: true, barsize: 20 },
    Presets.shades_classic,
  );
  const progressBar = bars.create(total, 0, { note: "" }, { format: formatProgress(paint) });
  // Each line below the bar is a "bar" too: cli-progress then redraws it in place.
  const format = (_: Options, __: Params, { line = "" }: { line?: string }) => line;
  const linesBelow = (length: number) => Array.from({ length }, () => bars.create(1, 0, {}, { format }));
  const lines = linesBelow(topSize + 2);
  const yearsBelow = linesBelow(yearsSize + 1);
  const showIn = (places: typeof lines, texts: readonly string[]) => {
    places.forEach((line, i) => {
      line.update({ line: texts[i] ?? "" });
    });
  };
  const table = topKeeper();
  let note = { date: "", generation: 0 };
  const annotate = (change: Partial<typeof note>) => {
    note = { ...note, ...change };
    progressBar.update({ note: noteOf(note) });
  };

  return {
    progress(matches, date) {
      progressBar.update(matches);
      annotate({ date });
    },
    top(rows, generation) {
      const changed = table.next(rows.slice(0, topSize), generation);
      if (changed === undefined) {
        return;
      }
      annotate({ generation });
      showIn(lines, ["", ...tableLines(changed.rows, paint, changed.previous)]);
    },
    years(states) {
      showIn(yearsBelow, ["", ...yearLines(states, paint)]);
    },
    close() {
      bars.update(); // stop() would truncate what it draws, as it counts colour codes as text
      bars.stop();
    },
  };
}

function formatProgress(paint: Paint) {
  return (
    { barCompleteString = "", barIncompleteString = "", barsize = 0 }: Options,
    params: Params,
    payload: unknown,
  ) => {
    const done = Math.round(params.progress * barsize);
    const drawn =
      paint("green", barCompleteString.slice(0, done)) + barIncompleteString.slice(0, barsize - done);
    return `  ${drawn}  ${count(params.value)} of ${count(params.total)} matches  ${(payload as { note: string }).note}`;
  };
}

function noteOf({ date, generation }: { date: string; generation: number }): string {
  return `${date}  generation ${generation}`;
}

/** Writes a line when another tenth of the matches is in, and when a football year has closed. */
export function logScreen(write: (line: string) => void, total: number): Screen {
  const leaders = { text: "", generation: 0 };
  let tenthsShown = 0;
  const closed = new Set<string>();
  return {
    progress(matches, date) {
      const tenths = Math.floor((10 * matches) / total);
      if (tenths === tenthsShown) {
        return;
      }
      tenthsShown = tenths;
      const share = `${Math.floor((100 * matches) / total)} %`.padStart(5);
      const place = `${count(matches)} of ${count(total)} matches`;
      write(`${share}  ${place}  ${date}  generation ${leaders.generation}  ${leaders.text}`.trimEnd());
    },
    top(rows, generation) {
      leaders.generation = generation;
      leaders.text = rows
        .slice(0, 3)
        .map(({ rank, team, points }) => `${rank}. ${team} ${points}`)
        .join(", ");
    },
    years(states) {
      for (const { year, champion } of states) {
        if (champion !== undefined && !closed.has(year.season)) {
          closed.add(year.season);
          write(
            `       ${year.name} ${yearsFrom(year.firstYear)} is closed: ${champion} leads its final table`,
          );
        }
      }
    },
    close() {
      // Every line has been written.
    },
  };
}

/** Keeps the current top and the previous different one, which the arrows compare with. */
function topKeeper() {
  let shown: { rows: readonly Row[]; generation: number } = { rows: [], generation: -1 };
  return {
    next(rows: readonly Row[], generation: number) {
      if (generation <= shown.generation) {
        return undefined;
      }
      const previous = shown.rows;
      shown = { rows, generation };
      return { rows, previous };
    },
  };
}
