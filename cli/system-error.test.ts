import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliError } from "./cli-error.ts";
import { asCliError } from "./system-error.ts";
import { projectOf } from "./testing/project.ts";

const folder = projectOf({ "a.csv": "", "made/b.csv": "" });
const [file, made, none] = [join(folder, "a.csv"), join(folder, "made"), join(folder, "none")];

/** What is said of what the system refuses. */
function saidOf(work: () => void, named?: string): string {
  try {
    work();
  } catch (error) {
    const shown = asCliError(error, { file: named });
    expect(shown).toBeInstanceOf(CliError);
    expect((shown as CliError).cause).toBe(error);
    return (shown as CliError).message.replaceAll(folder, "…");
  }
  throw new Error("the system refused nothing");
}

test("what the system refuses is said with its file, in a sentence", () => {
  expect(saidOf(() => readFileSync(none))).toBe('There is no file "…/none".');
  expect(saidOf(() => writeFileSync(join(none, "a.csv"), ""))).toBe(
    'There is no folder "…/none"; make it first.',
  );
  expect(saidOf(() => copyFileSync(file, join(none, "a.csv")))).toBe(
    'There is no folder "…/none"; make it first.',
  );
  expect(saidOf(() => writeFileSync(made, ""))).toBe('"…/made" is a folder, and should be a file.');
  expect(saidOf(() => renameSync(file, made))).toBe('"…/made" is a folder, and should be a file.');
  expect(saidOf(() => mkdirSync(join(file, "b"), { recursive: true }))).toBe(
    '"…/a.csv/b" needs a folder where there is a file.',
  );
  expect(saidOf(() => readdirSync(file))).toBe('"…/a.csv" needs a folder where there is a file.');
});

test("a file that is open already is named by whoever opened it", () => {
  expect(saidOf(() => readFileSync(made))).toContain("EISDIR");
  expect(saidOf(() => readFileSync(made), made)).toBe('"…/made" is a folder, and should be a file.');
});

test.each([
  ["EACCES", 'You may not use "a.csv": the system does not permit it.'],
  ["EROFS", '"a.csv" is on a disk that can only be read.'],
  ["ENOSPC", 'The disk has no room for "a.csv".'],
])("%s, which no test can bring about everywhere", (code, says) => {
  const error = Object.assign(new Error(code), { code, syscall: "write" });
  expect(asCliError(error, { file: "a.csv", advice: "Nothing was exported." })).toMatchObject({
    message: `${says} Nothing was exported.`,
    exitCode: 1,
  });
});

test("what has no better words keeps the system's own, and any other error stays as it is", () => {
  const descriptor = openSync(file, "r");
  expect(saidOf(() => writeSync(descriptor, "a"))).toBe(
    "The system refuses this: EBADF: bad file descriptor, write.",
  );
  closeSync(descriptor);
  for (const error of [
    new Error("ours"),
    new CliError("said"),
    Object.assign(new Error(), { code: 14 }),
    "text",
  ])
    expect(asCliError(error)).toBe(error);
});
