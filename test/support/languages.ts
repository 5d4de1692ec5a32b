/**
 * Programs in other languages, made for one test: each in a folder of test/emulator/languages, built in a folder of
 * .firerank with the tools of its language, which take the libraries from its ordinary registry in pinned versions.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { root, workFolder } from "../../scripts/project.ts";

/** Where the programs are, and what they play. */
export const languagesFolder = join(root, "test/emulator/languages");

type Command = [program: string, ...args: string[]];

export interface Language {
  name: string;
  /** What says that the language's tools are here; each a command that ends well if they are. */
  needs: Command[];
  /** What makes the program in its folder, where its sources and the description `openapi.json` are. */
  build(folder: string): Command[];
  run(folder: string): Command;
}

export const languages: readonly Language[] = [
  {
    name: "python",
    needs: [["python3", "-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))"]],
    build(folder) {
      const [wanted, installed] = ["requirements.txt", "venv/installed.txt"].map((name) =>
        join(folder, name),
      );
      const isInstalled = existsSync(`${installed}`) && text(`${installed}`) === text(`${wanted}`);
      const venv: Command[] = [
        ["python3", "-m", "venv", "--clear", "venv"],
        ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt"],
        ["cp", "requirements.txt", `${installed}`],
      ];
      const generate = "generate --path openapi.json --output-path firerank_rest --overwrite --meta none";
      return [
        ...(isInstalled ? [] : venv),
        ["venv/bin/openapi-python-client", ...generate.split(" "), "--config", "generator.yaml"],
      ];
    },
    run: (folder) => [join(folder, "venv/bin/python"), "main.py"],
  },
  {
    name: "go",
    needs: [["go", "version"]],
    build: () => [
      ["go", "tool", "oapi-codegen", "-config", "generator.yaml", "openapi.json"],
      ["go", "build", "-o", "program", "."],
    ],
    run: (folder) => [join(folder, "program")],
  },
  {
    name: "java",
    needs: [
      ["java", "-version"],
      ["mvn", "--version"],
    ],
    build: () => [["mvn", "--batch-mode", "--quiet", "compile"]],
    run: () => [
      "java",
      "-XX:TieredStopAtLevel=1",
      "-cp",
      "target/classes:target/libraries/*",
      "dev.firerank.Main",
    ],
  },
];

const text = (path: string) => readFileSync(path, "utf8");
const run = promisify(execFile);

/** What is missing of the language's tools, as a sentence; undefined if all are here. */
export async function lacking({ name, needs }: Language): Promise<string | undefined> {
  for (const [program, ...args] of needs) {
    const works = await run(program, args).then(
      () => true,
      () => false,
    );
    if (!works) return `${name} is left out: this machine has no ${program} that is new enough.`;
  }
  return undefined;
}

/** Builds a program with a client of this description. @returns its folder */
export async function build(language: Language, description: object): Promise<string> {
  const folder = workFolder("languages", language.name);
  cpSync(join(languagesFolder, language.name), folder, { recursive: true });
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(description));
  for (const [program, ...args] of language.build(folder)) {
    try {
      await run(program, args, { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 });
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(" ")} failed:\n${(stdout + stderr).slice(-4_000)}`, {
        cause: error,
      });
    }
  }
  return folder;
}

export interface Program {
  /** The next line that it prints. @throws with all that it said if it ends instead */
  line(): Promise<string>;
  /** Sends it a line. */
  tell(line: string): void;
  /** Waits until it ends by itself. @throws if it fails */
  end(): Promise<void>;
  kill(): void;
}

/** Starts a program with these settings, which it reads from the file that its argument names. */
export function start(language: Language, folder: string, settings: object): Program {
  const path = join(folder, "settings.json");
  writeFileSync(path, JSON.stringify(settings));
  const [program, ...args] = language.run(folder);
  const child = spawn(program, [...args, path], { cwd: folder });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("exit", (code, signal) => resolve(code === 0 ? "" : `with ${code ?? signal}`));
  });
  const failed = (how: string) =>
    new Error(`${language.name}'s program ended ${how}:\n${said.slice(-4_000)}`);
  return {
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw failed(await ended);
      return value;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      const how = await ended;
      if (how !== "") throw failed(how);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
