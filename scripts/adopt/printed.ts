/** The commands that `firerank init` prints at its end, from a score to its rank, on the emulators of a project. */
import type { OwnProject } from "./own-project.ts";
import { run } from "./run.ts";

/**
 * @param said what init printed. @param board the id in place of its example's.
 * @returns what starts the emulators; what plays, which gives the token that then asks for the rank, once; and its answer.
 */
export function printedCommands(said: string, { id, folder }: OwnProject, board: string) {
  const text = said.slice(said.indexOf("See it work:"));
  const code = Array.from(text.matchAll(/(?:^ {2}.*\n?)+/gm), ([block]) =>
    block.replaceAll("demo-game", id).replaceAll("arena", board),
  );
  const [start = "", admin = "", define = "", submit = "", ask = "", answer = ""] = code;
  const sh = (...blocks: string[]) => run(folder, "bash", "-euo", "pipefail", "-c", blocks.join(""));
  const addresses = admin.split("\n").slice(0, 2).join("\n");
  return {
    start: start.trim(),
    answer: JSON.parse(answer) as object,
    play: async () =>
      /Bearer (\S+)/.exec(await sh(admin, define, submit, 'echo "Bearer $TOKEN"\n'))?.[1] ?? "",
    ask: async (token: string) => JSON.parse(await sh(`${addresses}\nTOKEN=${token}\n`, ask)) as unknown,
  };
}
