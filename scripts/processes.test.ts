import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { patienceMs } from "../test/support/patience.ts";
import { commandOf, descendantsOf, groupOf, kill, runCommand } from "./processes.ts";

/** Waits for processes to start or end, longer on a busy machine. */
const soon = <Result>(check: () => Result) => vi.waitFor(check, { timeout: patienceMs() });

/** A process that starts another in its own group, as firebase-tools starts Java, and waits. */
const parentOfDetached = `
  require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true });
  setInterval(() => {}, 1e6);
`;

test("a process in its own group is found by its ancestry, and killed", async () => {
  const parent = spawn(process.execPath, ["-e", parentOfDetached], { stdio: "ignore" });
  const pid = Number(parent.pid);
  const family = await soon(() => {
    const found = descendantsOf(pid);
    expect(found).toHaveLength(1);
    return found;
  });
  kill(family);
  await soon(() => expect(descendantsOf(pid)).toEqual([]));
  parent.kill();
});

test("a process whose parent was killed is still found by its group", async () => {
  const script = `(sleep 1000 & sleep 1000 & wait)`;
  const leader = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
  const pid = Number(leader.pid);
  await soon(() => expect(groupOf(pid).length).toBeGreaterThan(2));
  leader.kill("SIGKILL");
  await once(leader, "exit");
  expect(groupOf(pid).length).toBeGreaterThanOrEqual(2);
  kill(groupOf(pid));
  await soon(() => expect(groupOf(pid)).toEqual([]));
});

test("a process with a reused number is not killed in place of the earlier one", async () => {
  const other = spawn("sleep", ["1000"], { stdio: "ignore" });
  const [found] = descendantsOf(process.pid).filter(({ pid }) => pid === other.pid);
  expect(found).toBeDefined();
  kill(found === undefined ? [] : [{ ...found, started: "long before" }]);
  expect(descendantsOf(process.pid).map(({ pid }) => pid)).toContain(other.pid);
  other.kill();
});

test("a process is identified by its command line and its original environment", async () => {
  const env = { ...process.env, FIRERANK_MARK: "of this test" };
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { env, stdio: "ignore" });
  await once(child, "spawn");
  await soon(() => {
    expect(commandOf({ pid: Number(child.pid) })).toMatch(/setInterval.* FIRERANK_MARK=of this test/);
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(commandOf({ pid: Number(child.pid) })).toBe("");
});

test.for([
  ["exit 7", 7],
  ["kill -TERM $$", 143],
] as const)("the exit code of `%s` is %i", async ([command, code]) => {
  await expect(runCommand(command, process.env)).resolves.toBe(code);
});
