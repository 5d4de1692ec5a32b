import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../functions/src/model/version.ts";

/** Runs the command line without emulators. */
function firerank(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { FIRESTORE_EMULATOR_HOST: _, FIREBASE_AUTH_EMULATOR_HOST: __, ...others } = process.env;
  // Emulators that run on this machine are nobody's here: their hubs would be found there.
  const env = { ...others, TMPDIR: "/nowhere", TEMP: "/nowhere", TMP: "/nowhere" };
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    env,
    encoding: "utf8",
  });
}

test("--help lists all commands", () => {
  const { status, stdout } = firerank("--help");
  expect(status).toBe(0);
  for (const command of [
    "import",
    "export",
    "export-player",
    "seasons",
    "open",
    "close",
    "rank",
    "audit",
    "repair",
    "grant-admin",
    "doctor",
  ])
    expect(stdout).toContain(`\n  ${command} `);
});

test("--version is the package's", () => {
  const { status, stdout } = firerank("--version");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
});

test.each([
  [["import", "chess"], "Usage: "],
  [["seasons"], "Usage: "],
  [["close", "chess"], "Usage: "],
  [["rank"], "Usage: "],
  [["export-player"], "Usage: "],
  [["export-player", "ann"], "No database is named."],
  [["export-player", "ann", "--board", "a/b", "--project", "game"], 'The board "a/b" must be'],
  [["repair", "chess", "--project", "game"], "The repair writes to project game"],
  [["rank", "chess", "--project", "game"], "Ranking writes to project game"],
  [["toString"], "Usage: "],
  [["close", "chess", "cup", "--project", "game"], "Closing a season writes to project game"],
  [["import", "chess", "players.csv", "--skip"], "Unknown option '--skip'"],
  [["import", "chess", "players.csv"], "No database is named."],
  [["import", "a/b", "players.csv", "--project", "game", "--yes"], 'The board "a/b" must be'],
  [
    ["import", "chess", "players.csv", "--project", "game"],
    "The import writes to project game; confirm with --yes.",
  ],
  [["doctor", "chess", "--project", "game"], "Usage: "],
  [["grant-admin", "ann@example.com", "--project", "game"], "Granting rights writes to project game"],
])("the command %j ends with code 2 and says why", (args, message) => {
  const { status, stderr } = firerank(...args);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});
