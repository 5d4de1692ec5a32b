/** What `init` says before it asks: a line for each file, and with `--diff` each line. */
import { expect, test } from "vitest";
import { plan, projectOf } from "../testing/project.ts";
import { isWritten } from "./init.ts";

const theirs = { "firebase.json": '{"hosting": {"public": "."}}\n', "firestore.rules": "" };

/** All that is said before the question, which nobody answers. */
async function saidBefore(diff: boolean): Promise<string> {
  const project = projectOf(theirs);
  const said: string[] = [];
  const shown = plan(project, { namesChecked: true, yes: false });
  const how = {
    project,
    yes: false,
    diff,
    input: process.stdin,
    say: (line: string) => void said.push(line),
  };
  await expect(isWritten(how, shown, "")).rejects.toThrow("Nothing was written");
  return said.join("\n");
}

test("before the question stands a line for each file, and not every line that changes", async () => {
  const said = await saidBefore(false);
  expect(said).toMatch(/^ {2}firebase\.json +1 line more, 1 less$/m);
  expect(said).toMatch(/^ {2}firestore\.indexes\.json +new, \d{2,} lines more$/m);
  expect(said).toContain("--diff shows every line.");
  expect(said).not.toMatch(/^\+/m);
  expect(said.split("\n").length).toBeLessThan(60);
});

test("--diff shows every line", async () => {
  const said = await saidBefore(true);
  expect(said).toMatch(/^\+.*"leaderboard/m);
  expect(said).toContain("+++ firestore.rules");
  expect(said).not.toContain("--diff shows");
});
