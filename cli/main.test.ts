import { spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { version } from "../functions/src/model/version.ts";
import { createProgram, run } from "./program.ts";
import { projectOf, writeAll } from "./testing/project.ts";

const commands = createProgram().commands.map((command) => ({
  name: command.name(),
  options: command.options.map(({ long }) => long),
}));

/** Below no .firebaserc. Known before a test says that there is no folder for temporary files. */
const nobodysFolder = tmpdir();

/** No emulators. Those that run on this machine are nobody's here: their hubs would be found in the temporary folder. */
const noEmulators = {
  FIRESTORE_EMULATOR_HOST: undefined,
  FIREBASE_AUTH_EMULATOR_HOST: undefined,
  GCLOUD_PROJECT: undefined,
  TMPDIR: "/nowhere",
  TEMP: "/nowhere",
  TMP: "/nowhere",
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs a call in this process, as a process of its own takes half a second to start. @param cwd the folder that it is in. */
async function runHere(args: readonly string[], cwd = nobodysFolder, environment = {}) {
  vi.spyOn(process, "cwd").mockReturnValue(cwd);
  for (const [name, value] of Object.entries({ ...noEmulators, ...environment })) vi.stubEnv(name, value);
  const said: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(text.toString()) > 0);
  vi.spyOn(console, "error").mockImplementation((text) => void said.push(String(text)));
  return { code: await run(args), stderr: said.join("\n") };
}

/** Starts the command line. */
function firerank(...args: string[]) {
  const env = { ...process.env, ...noEmulators };
  const words = [join(import.meta.dirname, "main.ts"), ...args];
  return spawnSync(process.execPath, words, { env, encoding: "utf8" });
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
  [["init", "--remove", "--database", "games"], "'--remove' cannot be used with option '--database <id>'"],
  [["toString"], "unknown command 'toString'"],
  [["sesons", "chess"], "Did you mean seasons?"],
  [[], "Usage: "],
  [["close", "chess", "cup", "--project", "game"], "Closing a season writes to project game"],
  [["import", "chess", "players.csv", "--skip-bda"], "Did you mean --skip-bad?"],
  [["repair", "chess", "--dry-run", "--yes", "--project", "game"], "unknown option '--dry-run'"],
  [["rank", "chess", "--project", "--yes"], "--yes is another option"],
  [["rank", "chess", "--project", ""], "--project has no value"],
  [["rank", "chess", "--project", "game", "--database", "My Games"], "--database My Games: it takes"],
  [["--project", "game", "rank", "chess"], "Ranking writes to project game"],
  [["repair", "chess", "--season", "cup", "--span", "daily"], "cannot be used with option"],
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
  [
    ["league-fill", "chess", "--project", "game"],
    "it is for emulators only: nothing was written to project game",
  ],
  [["league-fill", "chess", "--players", "0"], "must be a whole number from 1 to 10000"],
  [["revoke", "ann", "--project", "game"], "Revoking a role writes to project game"],
])("the command %j ends with code 2 and says why", async (args, message) => {
  const { code, stderr } = await runHere(args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test("the process ends with the command's code", () => {
  const { status, stderr } = firerank("sesons", "chess");
  expect(stderr).toContain("Did you mean seasons?");
  expect(status).toBe(2);
});

test("output that its file does not take ends in a sentence, with code 1", () => {
  const words = [join(import.meta.dirname, "main.ts"), "--version"];
  // Open to be read only, as a full disk is not at hand everywhere.
  const stdio = ["ignore", openSync(words[0] ?? "", "r"), "pipe"] as const;
  const { status, stderr } = spawnSync(process.execPath, words, { stdio: [...stdio], encoding: "utf8" });
  expect(stderr).toMatch(/^The system refuses this: EBADF: [^\n]*\n$/);
  expect(status).toBe(1);
});

test.each([
  [{ "firestore.rules/a": "", "firebase.json": "{}" }, "firestore.rules"],
  [{ "firebase.json/a": "" }, "firebase.json"],
  [
    {
      ...{ "firebase.json": '{"functions": {"source": "functions"}}', "functions/.env/a": "" },
      "functions/index.js": 'export * from "firerank";',
      "functions/package.json": '{"dependencies": {"firerank": "file:../firerank.tgz"}}',
    },
    "functions/.env",
  ],
])("a folder in place of a file of the project, as in %j, ends init in a sentence", async (files, named) => {
  const project = projectOf(files);
  const { code, stderr } = await runHere(["init", "--yes", "--names-checked"], project);
  expect(stderr).toContain(`"${join(project, named)}" is a folder, and should be a file.`);
  expect(code).toBe(1);
});

test("a project is named by its alias in .firebaserc, and by default it is the one that firebase uses", async () => {
  const project = projectOf({ "firebase.json": "{}", "web/a.js": "" });
  const rank = async (...more: string[]) =>
    (await runHere(["rank", "chess", ...more], join(project, "web"))).stderr;
  expect(await rank()).toContain("No database is named.");
  const name = (projects: object) => writeAll(project, { ".firebaserc": JSON.stringify({ projects }) });
  name({ default: "my-game", staging: "my-game-staging" });
  expect(await rank()).toContain("Ranking writes to project my-game;");
  expect(await rank("--project", "staging")).toContain("Ranking writes to project my-game-staging;");
  // Emulators that are gone must not become a project that nobody named.
  expect(await rank("--yes")).toContain("With --yes, name it: --project my-game.");
  expect(await rank("--project", "other")).toContain("Ranking writes to project other;");
  expect(await rank("--project", "toString")).toContain("Ranking writes to project toString;");
  name({ default: 7 });
  expect(await rank()).toContain(".firebaserc: projects.default");
});

test("a demo project by default is named where its emulators are off, and taken where only their host is known", async () => {
  const project = projectOf({ "firebase.json": "{}", ".firebaserc": '{"projects":{"default":"demo-farm"}}' });
  const without = projectOf({});
  const off = await runHere(["repair", "arena"], project);
  expect(off.stderr).toContain('"demo-farm" exists only on emulators, and none of them is running');
  // Nothing listens there, so the command ends at its first read.
  const on = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" };
  const found = await runHere(["grant", "ann", "admin"], project, on);
  expect(found.stderr).toContain(
    "Found the emulators of project demo-farm by FIRESTORE_EMULATOR_HOST and .firebaserc.",
  );
  const nobodys = await runHere(["seasons", "arena"], without, on);
  expect(nobodys.stderr).toContain("no project is named: no hub knows the emulator at 127.0.0.1:1");
  expect(nobodys.code).toBe(2);
});

test.each([
  ["my-game", [], {}, true],
  // As `emulators:exec` sets it.
  [undefined, [], { GCLOUD_PROJECT: "my-game" }, true],
  ["my-game", ["--emulators"], {}, false],
  ["demo-farm", [], {}, false],
])(
  "whoever names project %s, with %j and %j, and has an emulator's host in the environment is told of it: %s",
  async (project, more, environment, isTold) => {
    const named = project === undefined ? [] : ["--project", project];
    // It would write, but its file is missing, so it ends before it asks the emulator.
    const args = ["save", "chess", "missing.json", ...named, ...more];
    const host = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1", ...environment };
    const { stderr } = await runHere(args, projectOf({}), host);
    const said =
      "This is the emulator at 127.0.0.1:1, not the real project my-game: FIRESTORE_EMULATOR_HOST is set. Unset it for the " +
      "real one; --emulators says that the emulator is meant.";
    expect(stderr.split("\n").includes(said)).toBe(isTold);
    expect(stderr).toContain("missing.json");
  },
);

test.each([
  ["Firestore", ["doctor"]],
  ["Firestore", ["dashboard"]],
  ["Auth", ["grant", "ann@example.com", "admin"]],
  ["Auth", ["revoke", "ann"]],
])("an emulator of %s that is gone is named at once by %j", async (name, args) => {
  const hosts = { Firestore: "127.0.0.1:1", Auth: "127.0.0.1:2" };
  const environment = {
    FIRESTORE_EMULATOR_HOST: hosts.Firestore,
    FIREBASE_AUTH_EMULATOR_HOST: hosts.Auth,
  };
  const { code, stderr } = await runHere([...args, "--project", "demo-farm"], nobodysFolder, environment);
  const said = `No ${name} emulator answers at ${hosts[name as keyof typeof hosts]}.`;
  expect(stderr.split("\n").filter((line) => line.includes("answers"))).toEqual([said]);
  expect(code).toBe(1);
});

test.each([
  ["FIRESTORE_EMULATOR_HOST", "http://127.0.0.1:8080/", "Write it without http://: 127.0.0.1:8080."],
  ["FIREBASE_AUTH_EMULATOR_HOST", "https://localhost:9099", "Write it without https://: localhost:9099."],
  ["FIREBASE_EMULATOR_HUB", "localhost", 'not "localhost"'],
  ["FIRESTORE_EMULATOR_HOST", "[::1", 'not "[::1"'],
])("an emulator's address %s=%s is refused in a sentence", async (name, value, says) => {
  const both = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1", FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" };
  const args = ["seasons", "arena", "--project", "demo-farm"];
  const { code, stderr } = await runHere(args, nobodysFolder, { ...both, [name]: value });
  expect(stderr).toContain(`${name} takes a host and a port, such as 127.0.0.1:8080`);
  expect(stderr).toContain(says);
  expect(code).toBe(2);
});

test("each command on a season that runs takes it by its span too", () => {
  const having = (option: string) =>
    commands.filter(({ options }) => options.includes(option)).map(({ name }) => name);
  expect(having("--season").join(" ")).toBe("import export rank audit repair");
  expect(having("--span")).toEqual(expect.arrayContaining(having("--season")));
});

test("no command that only reads can be told to write", () => {
  const asking = commands.filter(({ options }) => options.includes("--yes")).map(({ name }) => name);
  expect(asking.join(" ")).toBe(
    "init indexes grant revoke save import ban hide unban remove merge open close delete rank repair",
  );
});
