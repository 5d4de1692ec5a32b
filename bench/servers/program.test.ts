import { expect, test } from "vitest";
import { findProgram, startProgram } from "./program.ts";

test("a program that is not there is named with the Debian package that has it", () => {
  expect(() => findProgram("redis-server", "redis-server", { path: "/nonexistent" })).toThrow(
    /redis-server is not on this machine.*apt-get install redis-server/,
  );
});

test("a program is found on the path, and in the last of several places", () => {
  expect(findProgram("node", "nodejs")).toMatch(/node$/);
  const places = [import.meta.dirname.replace(/servers$/, "*"), "/bin"];
  expect(findProgram("sh", "dash", { path: "", places })).toBe("/bin/sh");
});

test("a program that ends before it is ready is an error with its last words", async () => {
  const log = `${import.meta.dirname}/../../.firerank/servers-test.log`;
  const command = [process.execPath, "-e", "console.error('no such luck'); process.exit(3)"] as const;
  await expect(startProgram({ command: [...command], log, ready: async () => false })).rejects.toThrow(
    /ended with code 3[\s\S]*no such luck/,
  );
});
