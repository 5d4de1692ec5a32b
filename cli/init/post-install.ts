/** What the owner of a project reads after an install: POSTINSTALL.md with the project's own addresses. Pure. */
import { z } from "zod";
import { readJsonFile } from "./json-file.ts";

const emulator = z.looseObject({ port: z.int() }).optional().catch(undefined);
const config = z.looseObject({
  emulators: z.looseObject({ auth: emulator, functions: emulator }).optional().catch(undefined),
});

/** The page as a text for a terminal, where its ports, prefix and project, of the defaults, are the project's own. */
export function postInstall(
  page: string,
  {
    firebaseJson,
    prefix,
    project = "demo-game",
  }: { firebaseJson: string; prefix: string | undefined; project?: string | undefined },
): string {
  const { emulators } = config.parse(readJsonFile("firebase.json", firebaseJson));
  const text = page
    .replaceAll("127.0.0.1:9099", `127.0.0.1:${emulators?.auth?.port ?? 9099}`)
    .replaceAll("127.0.0.1:5001", `127.0.0.1:${emulators?.functions?.port ?? 5001}`)
    // On emulators of a project that is no demo, a command of ours has to be told that it means them.
    .replace(
      /^(.* (?:admin|dashboard) --project demo-game)$/gm,
      project.startsWith("demo-") ? "$1" : "$1 --emulators",
    )
    .replaceAll("demo-game", project)
    .replace(/^(FUNCTIONS=.*)$/m, prefix === undefined ? "$1" : `$1${prefix}-`);
  let isCode = false;
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("```")) {
        isCode = !isCode;
        return [];
      }
      return [isCode ? `  ${line}` : line.replace(/^# (.*)$/, "$1:")];
    })
    .join("\n");
}
