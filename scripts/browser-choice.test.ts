import { expect, test } from "vitest";
import { commandFor, noBrowser, ownOfPlaywright, skippedReport, variableFor } from "./browser-choice.ts";

test("the tests are told the program, playwright-core's own, or none", () => {
  expect(variableFor({ program: "/usr/bin/chromium", name: "" })).toBe("/usr/bin/chromium");
  expect(variableFor({ program: undefined, name: "" })).toBe(ownOfPlaywright);
  expect(variableFor(undefined)).toBe(noBrowser);
});

test.for([
  ['NAME="Debian GNU/Linux"\nID=debian\n', "sudo apt-get install chromium-headless-shell"],
  [
    "NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\n",
    "npx playwright-core install --with-deps --only-shell chromium",
  ],
  ["", "npx playwright-core install --with-deps --only-shell chromium"],
] as const)("on %j, %s brings one", ([osRelease, command]) => {
  expect(commandFor(osRelease)).toBe(command);
});

test("the last lines name each skipped test, what was tried, and the command that installs a browser", () => {
  const skipped = new Map([
    ["test/all/turns/browser/web.test.ts", ["the list > is a list", "a question"]],
    ["test/emulator/browser/web-game.test.ts", []],
  ]);
  expect(skippedReport(skipped, ["chromium: not installed"], "apt-get install chromium")).toBe(
    [
      "Skipped, as there is no browser:",
      "  test/all/turns/browser/web.test.ts",
      "    - the list > is a list",
      "    - a question",
      "What was tried to have one:",
      "  - chromium: not installed",
      "2 tests skipped for want of a browser. To run them: apt-get install chromium, or set FIRERANK_CHROMIUM to a " +
        "Chromium's program; then npm test again.",
    ].join("\n"),
  );
});

test("nothing is printed if nothing was skipped", () => {
  expect(skippedReport(new Map([["test/all/turns/browser/web.test.ts", []]]), [], "")).toBe("");
});
