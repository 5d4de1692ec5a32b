/** Holds docs/deploy.md against firebase-tools, the functions' own log, their manifest and the model of costs. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  changesPerTopChange,
  enterpriseDollarsOf,
  functionsOf,
  games,
  habits,
  monthOf,
} from "../bench/load/month.ts";
import { pageOf, player, shardOf, topOf } from "../bench/load/stored.ts";
import { alertCodes } from "../functions/src/jobs/alerts.ts";
import { rowsMax } from "../functions/src/model/limits.ts";
import {
  cost,
  enterpriseUpdate,
  type FunctionTime,
  type PricedRegion,
  prices,
  readUnits,
  writeUnits,
} from "../cli/prices.ts";
import { codeBlocks, tableNamed } from "../test/support/markdown.ts";
import { root } from "./project.ts";

const page = "docs/deploy.md";
const text = readFileSync(join(root, page), "utf8");
const manifest = readFileSync(join(root, "test/repository/manifest.txt"), "utf8");

test("what a month costs is what the model says", () => {
  const millions = (count: number) => `${(count / 1e6).toFixed(count < 1e6 ? 2 : count < 1e8 ? 1 : 0)} M`;
  const dollars = (amount: number) => `$${amount.toFixed(amount < 100 ? 2 : 0)}`;
  const rows = games.map((game) => {
    const month = monthOf(game);
    const { without, trigger } = functionsOf(game);
    const firestore = (region: PricedRegion) => dollars(cost(month, region));
    const billed = (time: FunctionTime) =>
      dollars(cost({ reads: 0, writes: 0, deletes: 0, ...time }, "us-central1"));
    return [
      game.name,
      game.players.toLocaleString("en"),
      game.playersADay.toLocaleString("en"),
      ...[month.reads, month.writes, month.deletes].map(millions),
      firestore("us-central1"),
      firestore("nam5"),
      dollars(enterpriseDollarsOf(game)),
      `${millions(without.invocations)}, ${billed(without)}`,
      `${millions(trigger.invocations)}, ${billed(trigger)}`,
    ];
  });
  expect(tableNamed(page, "game").rows).toEqual(rows);
  const { scores, changedScores, ranks, tops } = habits;
  expect(text).toContain(
    `submits ${scores} scores, of which ${changedScores} change theirs, asks for a rank ${ranks} times and opens the top ${tops} times. ` +
      `One change in ${changesPerTopChange} shows in the top.`,
  );
  const [small] = games.map(monthOf);
  const share = (free: number, used = 0) => Math.round((100 * 30 * free) / used);
  expect(text).toContain(
    `covers ${share(50_000, small?.reads)} % of the small game's reads and ${share(20_000, small?.writes)} % of its writes`,
  );
  expect(text).toContain(`at most ${rowsMax.toLocaleString("en")} different scores`);
});

test("what Enterprise edition bills for usual documents is what the month is computed with", () => {
  const costs = "docs/costs.md";
  const documents = [
    player,
    shardOf(10),
    shardOf(100),
    pageOf(256),
    pageOf(1_000),
    topOf(10),
    topOf(100),
    topOf(1_000),
  ];
  expect(tableNamed(costs, "document").rows.map(([, ...cells]) => cells)).toEqual(
    documents.map(({ bytes, entries }) => [
      bytes.toLocaleString("en"),
      String(readUnits(bytes)),
      String(writeUnits(bytes, entries)),
    ]),
  );
  const { reads, writes } = prices["us-central1, Enterprise"];
  const million = (price: number) => `$${(1e6 * price).toFixed(2)} for`;
  const said = tableNamed(costs, "what", "Enterprise edition").rows.map(
    ([, , enterprise = ""]) => enterprise,
  );
  for (const [row, price] of [reads, writes].entries()) expect(said[row]).toContain(million(price));
  expect(said[3]).toBe(`${million(enterpriseUpdate)} a million updates more`);
});

test("roles, queues, schedules and expiring fields are those that are deployed", () => {
  const [, kitRoles = ""] = manifest.split("Roles of a function kit\n");
  expect(tableNamed(page, "role").rows.map(([role]) => role)).toEqual(kitRoles.trim().split(/\s+/));
  const triggered = (kind: string) =>
    Array.from(manifest.matchAll(new RegExp(`^  (\\w+): ${kind}Trigger`, "gm")), ([, name = ""]) => name);
  const list = (names: string) => Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
  const [, jobs = ""] = /^- a job, whose name begins with `firebase-schedule-`: (.*)$/m.exec(text) ?? [];
  const [, queues = ""] = /^- three queues: (.*)$/m.exec(text) ?? [];
  expect(list(jobs).toSorted()).toEqual(triggered("schedule"));
  expect(list(queues).toSorted()).toEqual(triggered("taskQueue"));
  const deleted = Array.from(text.matchAll(/gcloud tasks queues delete (\w+)/g), ([, name = ""]) => name);
  expect(deleted).toEqual(list(queues));

  const indexes = z.object({
    fieldOverrides: z.array(
      z.object({ collectionGroup: z.string(), fieldPath: z.string(), ttl: z.boolean().optional() }),
    ),
  });
  const { fieldOverrides } = indexes.parse(
    JSON.parse(readFileSync(join(root, "firestore.indexes.json"), "utf8")),
  );
  const ended = text.matchAll(/fields ttls update (\w+) --collection-group=(\w+) /g);
  expect(Array.from(ended, ([, field, collection]) => `${collection}.${field}`).toSorted()).toEqual(
    fieldOverrides
      .filter(({ ttl }) => ttl === true)
      .map(({ collectionGroup, fieldPath }) => `${collectionGroup}.${fieldPath}`)
      .toSorted(),
  );
});

test("firebase-tools has each command, with its options", () => {
  const commands = Array.from(text.matchAll(/npx firebase ([^\n`]+)/g), ([, line = ""]) => line.split(" "));
  expect(commands.length).toBeGreaterThan(8);
  const library = join(root, "node_modules", "firebase-tools", "lib");
  const read = (...names: string[]) => readFileSync(join(library, ...names), "utf8");
  const everywhere = read("command.js") + read("index.js");
  for (const [command = "", ...rest] of commands) {
    const file = join(library, "commands", `${command.replaceAll(":", "-")}.js`);
    const source = [file, file.replace(/\.js$/, "-list.js")].find((path) => existsSync(path));
    if (source === undefined) expect.fail(`firebase-tools has no ${command}`);
    const code = readFileSync(source, "utf8") + everywhere;
    expect(code).toMatch(new RegExp(`Command\\("${command}["\\s]`));
    for (const option of rest.filter((word) => word.startsWith("--")))
      expect(code, `${command} ${option}`).toMatch(new RegExp(`${option}[ ,"<]`));
  }
});

const policy = z.object({
  conditions: z.array(z.object({ conditionMatchedLog: z.object({ filter: z.string() }) })),
});

/** Whether an entry of Cloud Logging passes a filter, in the part of their language that the page uses. */
function passes(filter: string, entry: Record<string, string>): boolean {
  return filter.split(" AND ").every((term) => {
    const [, either, or] = /^\((\S+:\*) OR (.*)\)$/s.exec(term) ?? [];
    if (either !== undefined && or !== undefined) return passes(either, entry) || passes(or, entry);
    const [, field = "", operator = "", value = ""] = /^([\w.]+)(>=|=~|=|:)(.*)$/s.exec(term) ?? [];
    const said = entry[field] ?? "";
    const quoted = Array.from(value.matchAll(/"([^"]*)"/g), ([, one = ""]) => one);
    if (operator === ">=" && value === "ERROR") return said === "ERROR";
    if (operator === ":" && value === "*") return said !== "";
    if (operator === ":") return quoted.some((part) => said.toLowerCase().includes(part.toLowerCase()));
    if (operator === "=") return said === quoted[0];
    if (operator === "=~") return new RegExp(quoted[0] ?? "").test(said);
    throw new Error(`the test does not know ${term}`);
  });
}

/** The entries that firebase-functions' own logger writes of messages, as Cloud Run hands them to Cloud Logging. */
function logged(
  level: "error" | "warn" | "info",
  messages: string[],
  fields: object = {},
): Record<string, string>[] {
  const script =
    'const logger = require("firebase-functions/logger");' +
    "for (const message of JSON.parse(process.argv[2])) logger[process.argv[1]](message, JSON.parse(process.argv[3]));";
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["-e", script, level, JSON.stringify(messages), JSON.stringify(fields)],
    {
      cwd: join(root, "functions"),
      encoding: "utf8",
    },
  );
  const entry = z.object({
    severity: z.string(),
    message: z.string(),
    firerank_alert: z.string().default(""),
  });
  return `${stdout}${stderr}`
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => entry.parse(JSON.parse(line)))
    .map(({ severity, message, firerank_alert: alert }) => ({
      "resource.type": "cloud_run_revision",
      severity,
      "jsonPayload.message": message,
      "jsonPayload.firerank_alert": alert,
    }));
}

test("the alert's filters pass the errors that the functions log, and nothing else of theirs", () => {
  const [block] = codeBlocks(page).filter(({ words }) => words[0] === "alert");
  const [errors = "", schedules = ""] = policy
    .parse(JSON.parse(block?.code ?? "null"))
    .conditions.map(({ conditionMatchedLog: { filter } }) => filter);

  const source = globSync("functions/src/**/*.ts", {
    cwd: root,
    exclude: (path) => path.endsWith(".test.ts"),
  })
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  const phrases = Array.from(
    (/message:\((.*)\)/.exec(errors)?.[1] ?? "").matchAll(/"([^"]*)"/g),
    ([, phrase = ""]) => phrase,
  );
  const messages = phrases.map(
    (phrase) =>
      new RegExp(`["\`]([^"\`\\n]*${phrase}[^"\`\\n]*)["\`]`).exec(source)?.[1] ??
      expect.fail(`nothing logs "${phrase}"`),
  );
  const entries = logged("error", messages);
  expect(entries).toHaveLength(phrases.length);
  for (const entry of entries) expect(passes(errors, entry), entry["jsonPayload.message"]).toBe(true);

  const alerts = alertCodes.flatMap((code) => logged("error", ["Repair it."], { firerank_alert: code }));
  expect(alerts).toHaveLength(alertCodes.length);
  for (const entry of alerts) expect(passes(errors, entry)).toBe(true);
  for (const entry of logged("error", ["a ranking run failed"])) expect(passes(errors, entry)).toBe(false);

  const quiet = Array.from(
    source.matchAll(/log\.(?:info|warn)\(\s*["`]([^"`\n]*)["`]/g),
    ([, message = ""]) => message,
  );
  expect(quiet.length).toBeGreaterThan(15);
  for (const level of ["info", "warn"] as const)
    for (const entry of logged(level, quiet)) expect(passes(errors, entry)).toBe(false);

  const job = (id: string) => ({
    "resource.type": "cloud_scheduler_job",
    severity: "ERROR",
    "resource.labels.job_id": id,
  });
  // As firebase-tools names them: firebase-schedule-<function>-<region>.
  const names = ["rankSeasons", "ranks-rankSeasons", "kit-main-rankSeasons"];
  for (const name of names)
    expect(passes(schedules, job(`firebase-schedule-${name}-us-central1`))).toBe(true);
  expect(passes(schedules, job("firebase-schedule-yours-us-central1"))).toBe(false);
});
