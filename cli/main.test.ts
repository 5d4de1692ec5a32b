import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../functions/src/model/version.ts";
import { createProgram } from "./program.ts";
import { projectOf, writeAll } from "./testing/project.ts";

const commands = createProgram().commands.map((command) => ({
  name: command.name(),
  options: command.options.map(({ long }) => long),
}));

/** Runs the command line without emulators. */
const firerank = (...args: string[]) => firerankIn(undefined, ...args);

function firerankIn(cwd: string | undefined, ...args: string[]) {
  const { FIRESTORE_EMULATOR_HOST: _, FIREBASE_AUTH_EMULATOR_HOST: __, ...others } = process.env;
  // Emulators that run on this machine are nobody's here: their hubs would be found there.
  const env = { ...others, TMPDIR: "/nowhere", TEMP: "/nowhere", TMP: "/nowhere" };
  const words = [join(import.meta.dirname, "main.ts"), ...args];
  return spawnSync(process.execPath, words, { cwd, env, encoding: "utf8" });
}

test("--help lists all commands, and that of a command its options", () => {
  const { status, stdout } = firerank("--help");
  expect(status).toBe(0);
  for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  expect(firerank("import", "--help").stdout).toContain("--skip-bad");
});

test("--version is the package's", () => {
  const { status, stdout } = firerank("--version");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
});

test.each([
  [["import", "chess"], "Usage: "],
  [["export-player", "ann"], "No database is named."],
  [["export-player", "ann", "--board", "a/b", "--project", "game"], 'The board "a/b" must be'],
  [["repair", "chess", "--project", "game"], "The repair writes to project game"],
  [["rank", "chess", "--project", "game"], "Ranking writes to project game"],
  [["toString"], "unknown command 'toString'"],
  [["sesons", "chess"], "Did you mean seasons?"],
  [[], "Usage: "],
  [["close", "chess", "cup", "--project", "game"], "Closing a season writes to project game"],
  [["import", "chess", "players.csv", "--skip-bda"], "Did you mean --skip-bad?"],
  [["repair", "chess", "--dry-run", "--yes", "--project", "game"], "unknown option '--dry-run'"],
  [["rank", "chess", "--project", "--yes"], "--yes is another option"],
  [["--project", "game", "rank", "chess"], "Ranking writes to project game"],
  [["grant", "ann@example.com"], "missing required argument 'role'"],
  [["grant", "ann@example.com", "owner"], "Allowed choices are submitter, moderator, admin."],
  [["revoke", "ann@example.com", "admin"], "too many arguments"],
  [["import", "chess", "players.csv"], "No database is named."],
  [["import", "chess", "players.csv", "--project", "game"], "The import writes to project game; confirm"],
  [["ban", "chess", "ann", "--project", "game"], 'Banning "ann" on "chess" writes to project game; confirm'],
  [["unban", "chess", "ann", "--project", "game"], 'Readmitting "ann" on "chess" writes to project game'],
  [["hide", "chess", "--project", "game"], "missing required argument 'player'"],
  [["remove", "ann", "--project", "game"], 'Erasing "ann" from all boards writes to project game'],
  [["merge", "a", "b", "--board", "chess", "--project", "game"], 'Merging "a" into "b" on "chess" writes to'],
  [["doctor", "chess", "--project", "game"], "Usage: "],
  [["grant", "ann@example.com", "admin", "--project", "game"], "Granting a role writes to project game"],
  [["revoke", "ann", "--project", "game"], "Revoking a role writes to project game"],
])("the command %j ends with code 2 and says why", (args, message) => {
  const { status, stderr } = firerank(...args);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

test("a project is named by its alias in .firebaserc, and by default it is the one that firebase uses", () => {
  const project = projectOf({ "firebase.json": "{}", "web/a.js": "" });
  const rank = (...more: string[]) => firerankIn(join(project, "web"), "rank", "chess", ...more).stderr;
  expect(rank()).toContain("No database is named.");
  const name = (projects: object) => writeAll(project, { ".firebaserc": JSON.stringify({ projects }) });
  name({ default: "my-game", staging: "my-game-staging" });
  expect(rank()).toContain("Ranking writes to project my-game;");
  expect(rank("--project", "staging")).toContain("Ranking writes to project my-game-staging;");
  // Emulators that are gone must not become a project that nobody named.
  expect(rank("--yes")).toContain("With --yes, name it: --project my-game.");
  expect(rank("--project", "other")).toContain("Ranking writes to project other;");
  expect(rank("--project", "toString")).toContain("Ranking writes to project toString;");
  name({ default: 7 });
  expect(rank()).toContain(".firebaserc: projects.default");
});

test("no command that only reads can be told to write", () => {
  const asking = commands.filter(({ options }) => options.includes("--yes")).map(({ name }) => name);
  expect(asking.join(" ")).toBe(
    "init indexes grant revoke import ban hide unban remove merge open close delete rank repair",
  );
});
