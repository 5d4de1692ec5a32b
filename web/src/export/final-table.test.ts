import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../../../functions/src/documents/paths.ts";
import type { Standings } from "../../../functions/src/documents/standings.ts";
import { definitionSchema } from "../../../functions/src/model/definition.ts";
import { type ReadDocuments, TableRevised } from "../../../functions/src/standings/table.ts";
import { finalCsv } from "./final-table.ts";

const key = { leaderboard: "chess", season: "cup" };
const definition = definitionSchema(0).parse({});
const at = Timestamp.fromMillis(Date.parse("2026-11-22T12:00:00Z"));

const documentOf = (players: [player: string, score: number, name?: string][]): Standings => ({
  players: players.map(([player]) => player),
  scores: players.map(([, score]) => score),
  achieved_at: players.map(() => at),
  display_names: players.map(([, , name]) => name ?? ""),
  has_metadata: false,
});

/** Documents of 3 and 2 players, with equals across the edge; the one in the middle is empty. */
function stored(revisions = 0): Record<string, object> {
  const summary = {
    players: 5,
    counts: [3, 0, 2],
    first_scores: [9, 8, 8],
    ties_before: [0, 2, 2],
    dense_before: [0, 1, 1],
    ranges: [{ first: 0, documents: 3 }],
    parts: 1,
    as_of: at,
    revisions,
    ties: "first",
  };
  return {
    [standingsSummaryPath(key)]: summary,
    [standingsPath(key, 0)]: documentOf([
      ["ann", 9, "Ann"],
      ["bob", 8],
      ["cyd", 8],
    ]),
    [standingsPath(key, 2)]: documentOf([
      ["dan", 8],
      ["eve", -5],
    ]),
  };
}

type ReadDocument = (path: string) => Promise<Record<string, unknown> | undefined>;

async function fileOf(readOne: ReadDocument): Promise<string> {
  const read: ReadDocuments = (paths) => Promise.all(paths.map(readOne));
  let text = "";
  const begin = () => {
    text = "";
  };
  for await (const part of finalCsv(read, key, definition, begin)) text += part.text;
  return text;
}

const reading =
  (documents: Record<string, object>): ReadDocument =>
  async (path) =>
    documents[path] as Record<string, unknown> | undefined;

test("it has all players in order, and equals share ranks, even across the edge of a document", async () => {
  expect((await fileOf(reading(stored()))).split("\n")).toEqual([
    "\ufeffposition,rank,player,score,display_name,metadata,achieved_at",
    "1,1,ann,9,Ann,,2026-11-22T12:00:00Z",
    "2,2,bob,8,,,2026-11-22T12:00:00Z",
    "3,2,cyd,8,,,2026-11-22T12:00:00Z",
    "4,2,dan,8,,,2026-11-22T12:00:00Z",
    "5,5,eve,-5,,,2026-11-22T12:00:00Z",
    "",
  ]);
});

test("metadata is read where a document has some, and is JSON", async () => {
  const first = stored()[standingsPath(key, 0)];
  const documents = {
    ...stored(),
    [standingsPath(key, 0)]: { ...first, has_metadata: true },
    [standingsMetadataPath(key, 0)]: { metadata: ["", '{"level":4}', ""] },
  };
  expect((await fileOf(reading(documents))).split("\n")[2]).toBe(
    `2,2,bob,8,,"{""level"":4}",2026-11-22T12:00:00Z`,
  );
});

test("the summary of a very large table has several documents, and its ranges have numbers of their own", async () => {
  const documents = stored();
  const whole = documents[standingsSummaryPath(key)] as Record<string, unknown[]>;
  const names = ["counts", "first_scores", "ties_before", "dense_before"];
  const slice = (from: number, to: number) =>
    Object.fromEntries(names.map((name) => [name, whole[name]?.slice(from, to)]));
  const ranges = [
    { first: 0, documents: 2 },
    { first: 40, documents: 1 },
  ];
  const split = {
    ...documents,
    [standingsSummaryPath(key)]: { ...whole, ...slice(0, 1), ranges, parts: 2 },
    [standingsSummaryPath(key, 1)]: slice(1, 3),
    [standingsPath(key, 40)]: documents[standingsPath(key, 2)] ?? {},
    [standingsPath(key, 2)]: {},
  };
  expect(await fileOf(reading(split))).toBe(await fileOf(reading(documents)));
});

test("text that a spreadsheet would run as a formula stays text, and a negative score stays a number", async () => {
  const documents = {
    ...stored(),
    [standingsPath(key, 2)]: documentOf([
      ["-dan", 8, '=HYPERLINK("http://x.test")'],
      ["@eve", -5, "+1, or so"],
    ]),
  };
  const lines = (await fileOf(reading(documents))).split("\n");
  expect(lines.slice(4, 6)).toEqual([
    `4,2,'-dan,8,"'=HYPERLINK(""http://x.test"")",,2026-11-22T12:00:00Z`,
    `5,5,'@eve,-5,"'+1, or so",,2026-11-22T12:00:00Z`,
  ]);
});

test("a table that is revised while it is read is read again from the start", async () => {
  let revisions = 0;
  const read: ReadDocument = async (path) => {
    if (path === standingsPath(key, 2) && revisions < 2) revisions += 1;
    return reading(stored(revisions))(path);
  };
  expect((await fileOf(read)).split("\n")).toHaveLength(7);
  expect(revisions).toBe(2);
});

test("a table that keeps being revised is given up", async () => {
  let revisions = 0;
  await expect(fileOf((path) => reading(stored(revisions++))(path))).rejects.toThrow(TableRevised);
});

test("without a table there is nothing to export", async () => {
  await expect(fileOf(reading({}))).rejects.toThrow('"cup" has no final table');
});
