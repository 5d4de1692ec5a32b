import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function written(work: (stream: { isTTY: false; write: (text: string) => boolean }) => void): string[] {
  const lines: string[] = [];
  work({
    isTTY: false,
    write(text) {
      lines.push(text);
      return true;
    },
  });
  return lines;
}

test("without a terminal there is a line for each 5 %", () => {
  const lines = written((stream) => {
    const progress = createProgress(stream, "importing", 2_000, "records");
    for (let done = 1; done <= 2_000; done++) progress.update(done);
    progress.stop();
  });
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe("importing   5 %  100 of 2,000 records\n");
  expect(lines.at(-1)).toBe("importing 100 %  2,000 of 2,000 records\n");
});

test("a long step skips lines, and log lines come in between", () => {
  const lines = written((stream) => {
    const progress = createProgress(stream, "checking", 100, "bytes");
    progress.update(4);
    progress.log("line 17: is bad");
    progress.update(57);
    progress.update(59);
    progress.update(60);
  });
  expect(lines).toEqual([
    "line 17: is bad\n",
    "checking  57 %  57 of 100 bytes\n",
    "checking  60 %  60 of 100 bytes\n",
  ]);
});

test("nothing to do is done", () => {
  const lines = written((stream) => createProgress(stream, "importing", 0, "records").update(0));
  expect(lines).toEqual(["importing 100 %  0 of 0 records\n"]);
});
