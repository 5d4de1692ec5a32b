/**
 * Checks docs/clients.md against the functions: they accept what its snippets send, and send what its snippets read.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { toFirerankError } from "../../../client/src/firerank-error.ts";
import { isPassing } from "../../../client/src/retries.ts";
import { topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import {
  entrySchema,
  rankSchema,
  seasonAnswerSchema,
  submissionSchema,
  topSchema,
} from "../../../functions/src/model/answers.ts";
import { toHttpsError } from "../../../functions/src/transports/callable.ts";
import { root } from "../../../scripts/project.ts";
import { admin, createBoard, createWorld, user, type World } from "../../support/world.ts";
import { codeBlocks } from "../../support/markdown.ts";

const page = readFileSync(join(root, "docs", "clients.md"), "utf8");
const snippets = codeBlocks("docs/clients.md")
  .filter(({ language }) => ["swift", "kotlin", "dart", "csharp"].includes(language))
  // Those are compared with the dashboard's, in web/src/season/first-score.test.ts.
  .filter(({ heading }) => heading !== "A first score")
  // Comments and imports name no field, and their apostrophes are no quotes.
  .map(({ language, code }) => ({
    language,
    code: code.replace(/^\s*\/\/.*$|^\s*\/\*\*.*\*\/$|^import .*$/gm, ""),
  }));
/** What the messages of `player_not_ranked` say: all that the SDK for Unity passes on. */
const saidOfNoRank = ["no ranked score", "Nothing is ranked"];
const samples = { leaderboard: "board", score: 12.5, display_name: "Ann", submission_id: "once" };

/** For each thing that the snippets read: its schema, and a real example. */
type Things = Record<string, { schema: z.ZodObject; sent: Record<string, unknown> }>;

let world: World;
let things: Things;
beforeAll(async () => {
  world = createWorld();
  const key = await createBoard(world, "board");
  const unranked = await world
    .call("getRank", { leaderboard: "board" }, user("ann"))
    .catch((error: unknown) => toHttpsError("getRank", error));
  await world.call("submitScore", samples, user("ann"));
  await world.deliver(key, "ann");
  await world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
  const submission = await world.call("submitScore", { ...samples, submission_id: "twice" }, user("ann"));
  const rank = await world.call("getRank", { leaderboard: "board" }, user("ann"));
  const top = readTop((await world.db.doc(topPath(key)).get()).data());
  const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  things = {
    submission: { schema: submissionSchema, sent: json(submission) },
    season: { schema: seasonAnswerSchema, sent: json(submission.seasons[0]) },
    rank: { schema: rankSchema, sent: json(rank) },
    top: { schema: topSchema, sent: json(top) },
    entry: { schema: entrySchema, sent: json(top.entries[0]) },
    details: {
      schema: z.object({ code: z.literal("player_not_ranked") }),
      sent: json("details" in unranked ? unranked.details : {}),
    },
  };
});

test("there is a snippet for each platform", () => {
  expect(snippets.map(({ language }) => language)).toEqual(["swift", "kotlin", "dart", "csharp"]);
});

test("what is to be sent again is what firerank-client sends again", () => {
  const codes =
    "ok cancelled unknown invalid-argument deadline-exceeded not-found already-exists permission-denied resource-exhausted failed-precondition aborted out-of-range unimplemented internal unavailable data-loss unauthenticated";
  const advice = page.split("\n").find((line) => line.startsWith("- **Send again")) ?? "";
  // What the SDK says where it got no answer that it understands is the code alone.
  const saidOf = (code: string) => (["internal", "unknown"].includes(code) ? code : "A refusal.");
  const isSentAgain = (code: string) =>
    isPassing(toFirerankError("submitScore", { code: `functions/${code}`, message: saidOf(code) }));
  const all = codes.split(" ");
  expect(all.filter((code) => advice.includes(`\`${code}\``))).toEqual(all.filter(isSentAgain));
});

test("each platform learns of its emulators and its App Check provider, and its listener of an error", () => {
  const section = (title: string) => page.split("\n## ").find((part) => part.startsWith(title)) ?? "";
  for (const name of ["Swift", "Kotlin", "Flutter", "Unity", "10.0.2.2"])
    expect(section("Emulators")).toContain(name);
  for (const name of ["Apple", "Android", "Flutter", "Unity", "web", "React Native"])
    expect(section("App Check")).toMatch(new RegExp(`^\\| ${name} \\| [^|]+ \\| [^|]+ \\|$`, "m"));
  const code = Object.fromEntries(snippets.map(({ language, code: text }) => [language, text]));
  expect(code["swift"]).toMatch(/addSnapshotListener \{ snapshot, error in\s+if let error/);
  expect(code["kotlin"]).toMatch(/addSnapshotListener \{ top, error ->\s+if \(error != null\)/);
  expect(page).toMatch(/Flutter's stream passes it to `onError`; in Unity .* `ListenerTask` fails/);
});

test.each(snippets)(
  "the snippet in $language names only what the functions take, send and write",
  ({ language, code }) => {
    const sent = Object.values(things).flatMap(({ schema, sent: fields }) =>
      Object.keys(schema.shape).filter((name) => name in fields),
    );
    const path = topPath({ leaderboard: "{leaderboard}", season: "all_time" });
    const known = ["submitScore", "getRank", "us-central1", path, ...Object.keys(samples), ...sent];
    const named = Array.from(code.matchAll(/["']([^"'\n]*)["']/g), ([, text = ""]) =>
      text.replace(/\\\(id\)|\$id|\{id\}/, "{leaderboard}"),
    );
    const others = named.filter((text) => !known.includes(text));
    expect(others.filter((text) => text !== "player_not_ranked" && !saidOfNoRank.includes(text))).toEqual([]);
    expect(code.includes("player_not_ranked") || code.includes("FunctionsErrorCode.NotFound")).toBe(true);
    expect(named).toEqual(expect.arrayContaining(["submitScore", "getRank", path]));
    const inSwift = Array.from(code.matchAll(/let (\w+): /g), ([, field = ""]) => field);
    const fields = language === "swift" ? inSwift : named;
    expect(fields).toEqual(expect.arrayContaining([...Object.keys(samples), "rank", "entries"]));
  },
);

test("the structs in Swift have fields that are sent, as what they are", () => {
  const swift = snippets.find(({ language }) => language === "swift")?.code ?? "";
  const structs = [...swift.matchAll(/struct (\w+): Decodable \{\n([\s\S]*?)\n\}/g)];
  expect(structs.length).toBeGreaterThan(3);
  for (const [, name = "", body = ""] of structs) {
    const { schema, sent } = things[name.toLowerCase()] ?? expect.fail(`nothing is called ${name}`);
    for (const [, field = "", type = ""] of body.matchAll(/let (\w+): (.+)/g)) {
      expect(Object.keys(sent), `${name}.${field}`).toContain(field);
      expectSwift(type, sent[field], schema.shape[field] as z.ZodType, `${name}.${field}`);
    }
  }
});

/** Checks a Swift type against a value: a missing or null value needs a `?`. */
function expectSwift(type: string, value: unknown, schema: z.ZodType, where: string): void {
  const mayBeMissing = schema.safeParse(undefined).success || schema.safeParse(null).success;
  expect(type.endsWith("?"), `${where} is optional`).toBe(mayBeMissing);
  const plain = type.replace("?", "");
  if (plain === "Int") expect(value, where).toSatisfy(Number.isSafeInteger);
  else if (plain === "Double") expect(value, where).toBeTypeOf("number");
  else if (plain === "String") expect(value, where).toBeTypeOf("string");
  else if (plain === "Bool") expect(value, where).toBeTypeOf("boolean");
  else if (plain.startsWith("[")) expect(Array.isArray(value), where).toBe(true);
  else expect(value, where).toMatchObject({});
}

test("Unity tells a player without a rank from a wrong region or board by the message, as it gets no more", async () => {
  const refusalOf = (leaderboard: string, uid: string) =>
    world.call("getRank", { leaderboard }, user(uid)).then(
      () => expect.fail("it was not refused"),
      (error: unknown) => (error as Error).message,
    );
  await createBoard(world, "fresh");
  const messages = [await refusalOf("board", "nobody"), await refusalOf("missing", "ann")];
  await world.call("submitScore", { ...samples, leaderboard: "fresh" }, user("ann"));
  messages.push(await refusalOf("fresh", "ann"));
  const isNoRank = messages.map((message) => saidOfNoRank.some((text) => message.includes(text)));
  expect(isNoRank).toEqual([true, false, true]);
});
