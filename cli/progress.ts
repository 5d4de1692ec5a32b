/** Progress of a long command: a bar on a terminal, elsewhere a line for each 5 %. */
import { MultiBar, Presets } from "cli-progress";

export interface Progress {
  update(done: number): void;
  /** Prints a line without breaking the bar. */
  log(line: string): void;
  stop(): void;
}

const stepPercent = 5;

/** Where progress is shown: `process.stderr`, or a test's. */
export type ProgressStream = Pick<NodeJS.WriteStream, "write" | "isTTY">;

/** Progress towards `total`, such as `importing` of `players`. */
export function createProgress(stream: ProgressStream, what: string, total: number, unit: string): Progress {
  return stream.isTTY
    ? barProgress(stream as NodeJS.WriteStream, what, total, unit)
    : lineProgress(stream, what, total, unit);
}

function barProgress(stream: NodeJS.WriteStream, what: string, total: number, unit: string): Progress {
  const format = `${what.padEnd(10)} {bar} {percentage} %  {value} of {total} ${unit}, {eta_formatted} left`;
  const formatValue = (value: number) => value.toLocaleString("en");
  const bars = new MultiBar(
    { stream, format, formatValue, hideCursor: true, gracefulExit: true, barsize: 30, etaBuffer: 100 },
    Presets.shades_classic,
  );
  const bar = bars.create(total, 0);
  return {
    update(done) {
      bar.update(done);
    },
    log(line) {
      bars.log(`${line}\n`);
      bars.update();
    },
    stop() {
      bars.update();
      bars.stop();
    },
  };
}

function lineProgress(stream: ProgressStream, what: string, total: number, unit: string): Progress {
  let next = stepPercent;
  return {
    update(done) {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      if (percent < next) return;
      next = percent - (percent % stepPercent) + stepPercent;
      const numbers = `${done.toLocaleString("en")} of ${total.toLocaleString("en")} ${unit}`;
      stream.write(`${what} ${String(percent).padStart(3)} %  ${numbers}\n`);
    },
    log(line) {
      stream.write(`${line}\n`);
    },
    stop: () => undefined,
  };
}

export { many as count } from "../functions/src/model/many.ts";
