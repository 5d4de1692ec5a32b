/** Tests in a browser, on a machine without one. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root, workFolder } from "../../scripts/project.ts";

interface Report {
  success: boolean;
  numTotalTests: number;
  numPendingTests: number;
}

test("without a browser, a file of tests in one fails nothing, and its tests are counted as skipped", async () => {
  const reportPath = join(workFolder(), "browser-tests.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--project", "emulator", "test/all/emulator/browser/web-attack.test.ts"];
  const reporter = ["--reporter=json", `--outputFile.json=${reportPath}`];
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], FIRERANK_CHROMIUM: "none" };
  await promisify(execFile)(process.execPath, [...args, ...reporter], { cwd: root, env });
  const report = JSON.parse(await readFile(reportPath, "utf8")) as Report;
  expect(report.numTotalTests).toBeGreaterThan(0);
  expect(report).toMatchObject({ success: true, numPendingTests: report.numTotalTests });
}, 60_000);
