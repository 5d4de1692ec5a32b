/** The programs of examples/, started as readers start them. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { root } from "../../scripts/project.ts";
import { eventually, type Live } from "./live.ts";

export interface Example {
  url: string;
  leaderboard: string;
  /** Publishes the ranking of the board, or another one, as the schedule does, of everything indexed by now. */
  rank(board?: string): Promise<void>;
}

/** Starts an example on a free port, with its own leaderboard, and waits until it prints its address. */
export async function startExample(live: Live, name: string): Promise<Example> {
  const leaderboard = `${name}-${randomUUID().slice(0, 8)}`;
  const child = spawn(process.execPath, [join(root, "examples", name, "main.ts")], {
    env: { ...process.env, PORT: "0", LEADERBOARD: leaderboard },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await ended;
    const { docs } = await live.db.collectionGroup("seasons").get();
    const own = docs.filter(({ ref }) => ref.parent.parent?.id.startsWith(leaderboard));
    await Promise.all(own.map(({ ref }) => ref.update({ next_run_at: null })));
  });
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}:\n${said}`);
    return / on (http:\S+)/.exec(said)?.[1] ?? expect.fail(`${name} says only "${said}"`);
  });
  return {
    url,
    leaderboard,
    async rank(board = leaderboard) {
      await live.admin.call("runRanking", { leaderboard: board, include_open_slot: true });
    },
  };
}
