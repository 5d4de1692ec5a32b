import { expect, test } from "vitest";
import { createProgress, type Progress } from "./progress.ts";

/** What is written without a terminal. */
function written(total: number, work: (progress: Progress) => void): string[] {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text) > 0;
  work(createProgress({ isTTY: false, write }, "importing", total, "records"));
  return lines;
}

test("without a terminal there is a line for each 5 %", () => {
  const lines = written(2_000, (progress) => {
    for (let done = 1; done <= 2_000; done++) progress.update(done);
    progress.stop();
  });
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe("importing   5 %  100 of 2,000 records\n");
  expect(lines.at(-1)).toBe("importing 100 %  2,000 of 2,000 records\n");
});

test("a long step skips lines, log lines come in between, and nothing to do is done", () => {
  const lines = written(100, (progress) => {
    progress.update(4);
    progress.log("line 17: is bad");
    for (const done of [57, 59, 60]) progress.update(done);
  });
  expect(lines).toEqual([
    "line 17: is bad\n",
    "importing  57 %  57 of 100 records\n",
    "importing  60 %  60 of 100 records\n",
  ]);
  expect(written(0, (progress) => progress.update(0))).toEqual(["importing 100 %  0 of 0 records\n"]);
});
