import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { finalHeader } from "../../functions/src/standings/table.ts";
import { recordCharactersMax } from "./found-record.ts";
import { readRecords } from "./read-records.ts";

const folder = mkdtempSync(join(tmpdir(), "firerank-"));
const plain = definitionSchema(0).parse({});
const league = definitionSchema(0).parse({
  columns: [
    { name: "points", min: 0, max: 300 },
    { name: "status", min: 0, max: 9 },
  ],
});

const placed = definitionSchema(0).parse({
  columns: [
    { name: "position", min: 0, max: 9 },
    { name: "rank", min: 0, max: 9 },
  ],
});
const whatToDo =
  "npx --no-install firerank export <board> <file> --season <season> --players writes a file that can be imported.";

async function read(name: string, content: string | Uint8Array, definition = plain): Promise<unknown[]> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return Readable.from(readRecords(path, definition)).toArray();
}

describe("a CSV", () => {
  test("gives each line with its number, its cells as texts and no fields for empty cells", async () => {
    const text = 'player,score,display_name,metadata,attempts\nann,12,Ann,,3\nbob,-1.5e2,,"{""a"":1}",\n';
    expect(await read("a.csv", text)).toEqual([
      { place: "line 2", value: { player: "ann", score: "12", display_name: "Ann", attempts: "3" } },
      { place: "line 3", value: { player: "bob", score: "-1.5e2", metadata: '{"a":1}' } },
    ]);
  });

  test("may have its columns in any order, a byte-order mark, other line ends and empty lines", async () => {
    expect(await read("b.csv", "\ufeffscore, player\r\n1,ann\r\n\r\n2,bob")).toEqual([
      { place: "line 2", value: { player: "ann", score: "1" } },
      { place: "line 4", value: { player: "bob", score: "2" } },
    ]);
  });

  test("may have lines of empty cells, as spreadsheets write them", async () => {
    expect(await read("b.csv", 'player,score\n,\nann,1\n , \r\n"",\n')).toEqual([
      { place: "line 3", value: { player: "ann", score: "1" } },
    ]);
  });

  test("counts quoted line breaks as lines, and names the line where a record begins", async () => {
    const text = 'player,score,display_name\nann,1,"A\nn\r\nn"\nbob,2,"say ""hi"", Bob"\n';
    expect(await read("c.csv", text)).toEqual([
      { place: "line 2", value: { player: "ann", score: "1", display_name: "A\nn\r\nn" } },
      { place: "line 5", value: { player: "bob", score: "2", display_name: 'say "hi", Bob' } },
    ]);
  });

  test("has values of segments in one cell, on a board with segments", async () => {
    const board = definitionSchema(0).parse({ segments: [{ name: "country", from: "server" }] });
    const cells = ["country=AT platform=ios", "", "AT", "country=AT country=DE", "country=A=T"];
    const lines = cells.map((cell, i) => `p${i},${i},${cell}`).join("\n");
    const found = await read("s.csv", `player,score,segments\n${lines}`, board);
    expect(found).toEqual(
      [{ country: "AT", platform: "ios" }, undefined, ...cells.slice(2)].map((segments, i) => ({
        place: `line ${i + 2}`,
        value: { player: `p${i}`, score: `${i}`, ...(segments !== undefined && { segments }) },
      })),
    );
    await expect(read("s.csv", "player,score,segments\n")).rejects.toThrow('names "segments", which is not');
  });

  test("keeps text that is not a number as text", async () => {
    for (const text of ["", "12a", "0x10", "Infinity", "NaN", "1,5", "--1"]) {
      const [, found] = await read("d.csv", `player,score\nann,1\nbob,"${text}"\n`);
      expect(found).toEqual({ place: "line 3", value: { player: "bob", ...(text && { score: text }) } });
    }
  });

  test("reports lines with too many or too few cells, and continues", async () => {
    expect(await read("e.csv", "player,score\nann\nbob,1,2\ncy,3\n")).toEqual([
      { place: "line 2", problem: "has 1 cells, the header 2" },
      { place: "line 3", problem: "has 3 cells, the header 2" },
      { place: "line 4", value: { player: "cy", score: "3" } },
    ]);
  });

  test("with a misplaced quote is refused, as it could swallow other lines", async () => {
    const rest = "bob,2\n".repeat(recordCharactersMax / 4);
    for (const [lines, problem] of [
      [`"ann"x,1\n${rest}`, /is not a CSV: .* at line 2/],
      [`ann"x,1\n${rest}`, /is not a CSV: .* at line 2/],
      ['"ann,1\nbob,2\n', "is not a CSV: Quote Not Closed"],
      // The parser names line 4, where the file ends.
      ['ann,1\n"bob,2\ncy,3', "Up to line 2 it was read: look for a quote behind that."],
      // Came out: up to line 0, as nothing of what was read had been taken yet.
      ['"A\r\nnn",1\nbob,2\ncy,"3"4\n', "Up to line 4 it was read: look for a quote behind that."],
      [`"ann,1\n${rest}`, "is not a CSV: Max Record Size"],
    ] as const)
      await expect(read("f.csv", `player,score\n${lines}`)).rejects.toThrow(problem);
  });

  test("is no final table where columns of the board are called as its places are", async () => {
    expect(await read("i.csv", "player,position,rank\nann,1,2\n", placed)).toEqual([
      { place: "line 2", value: { player: "ann", columns: { position: "1", rank: "2" } } },
    ]);
    await expect(read("i.csv", "player,position,rank,score\n", placed)).rejects.not.toThrow("final table");
  });

  test("finds a board's columns by name, with a prefix if another field has that name", async () => {
    const text = "player,points,columns.status,status\nann,10,3,hidden\n";
    expect(await read("g.csv", text, league)).toEqual([
      { place: "line 2", value: { player: "ann", columns: { points: "10", status: "3" }, status: "hidden" } },
    ]);
  });

  test.each([
    ["player;score\nann;1", plain, "semicolons, but this command needs commas: save the file with commas"],
    ["player\tscore", plain, "separated by tabs"],
    ["score | player | metadata", plain, "separated by bars"],
    // R's write.csv2 and write.table, PostgreSQL with FORCE_QUOTE. Came out: a misplaced quote.
    ['"player";"score";"display_name"\n"ann";1,5;"Ann, A"\n', plain, "separated by semicolons"],
    ['"player" "score"\n"ann" 1\n', plain, "separated by spaces"],
    ["player\tscore, in points\nann\t1", plain, "separated by tabs"],
    // pandas' to_csv and R's write.csv with the numbers of their rows
    [",player,score\n0,ann,1\n", plain, "without a name may have the numbers of the rows"],
    ["player,score,\n", plain, /names "", which is not known\. It needs player, score and may have [^.]*\.$/],
    // redis-cli --csv with WITHSCORES: one line
    [
      Array.from({ length: 99 }, (_, i) => `m${i},${i}`).join(),
      plain,
      '"m3", "3" and 190 more, which is not',
    ],
    ["player,score,rank\n", plain, 'names "rank", which is not known'],
    ["player,points\n", league, 'lacks "columns.status"'],
    ["player,score\n", league, 'names "score", which is not known, and lacks "points", "columns.status"'],
    ["player,score,score\n", plain, "names a column twice"],
    ["", plain, "has no header line; it needs player, score"],
    [`${finalHeader(plain).join(",")}\n`, plain, `This is a final table: ${whatToDo}`],
    [`${finalHeader(league).join(",")}\n`, league, `This is a final table: ${whatToDo}`],
    [`${finalHeader(placed).join(",")}\n`, placed, `This is a final table: ${whatToDo}`],
  ])("with the header of %j is refused", async (text, definition, message) => {
    await expect(read("h.csv", text, definition)).rejects.toThrow(message);
  });
});

describe("NDJSON", () => {
  test("gives each line with its number, and names those that are not JSON", async () => {
    expect(await read("a.ndjson", '{"player":"ann"}\r\n\n{"player":\n[1]\n"x"')).toEqual([
      { place: "line 1", value: { player: "ann" } },
      { place: "line 3", problem: expect.stringMatching(/^is not JSON: /) as string },
      { place: "line 4", value: [1] },
      { place: "line 5", value: "x" },
    ]);
  });

  test("is read the same however its bytes are split into chunks", async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `🏆é${i}`);
    const found = await read("b.jsonl", names.map((player) => JSON.stringify({ player })).join("\n"));
    expect(found).toEqual(names.map((player, i) => ({ place: `line ${i + 1}`, value: { player } })));
  });

  test("skips a line that is too long and continues after it", async () => {
    const long = "x".repeat(recordCharactersMax + 1);
    expect(await read("c.ndjson", `1\n${long}\n2\n${long}`)).toEqual([
      { place: "line 1", value: 1 },
      { place: "line 2", problem: "has more than 8388608 characters" },
      { place: "line 3", value: 2 },
      { place: "line 4", problem: "has more than 8388608 characters" },
    ]);
  });
});

describe("a JSON file", () => {
  test("that is an array gives its items with their numbers", async () => {
    expect(await read("a.json", '\n [{"player":"ann","metadata":{"a":[1,null,"\\n"]}},\n5]')).toEqual([
      { place: "item 1", value: { player: "ann", metadata: { a: [1, null, "\n"] } } },
      { place: "item 2", value: 5 },
    ]);
  });

  test("that is one object of several lines is refused, and what it has to be is said", async () => {
    const message = /is one JSON object of several lines\. An import needs an array of players/;
    for (const text of [
      '{\n  "players": []\n}',
      '\n{"ann":\n{"score":1}}',
      '{ "ann": { "score": 1 },\r\n"bob": 2 }',
    ])
      await expect(read("b.json", text)).rejects.toThrow(message);
  });

  test("that begins with an object is NDJSON", async () => {
    expect(await read("b.json", '{"player":"ann"}\n{"player":"bob"}\n')).toHaveLength(2);
  });

  test("with an error in its syntax is refused", async () => {
    await expect(read("c.json", '[{"player":"ann"},{"player":}]')).rejects.toThrow("is not a JSON array");
    await expect(read("d.json", '[{"player":"ann"}')).rejects.toThrow("is not a JSON array");
  });
});

test("a file that is not UTF-8, does not exist, or has an unknown extension is refused", async () => {
  const latin1 = Buffer.from("player,score,display_name\nann,1,André\n", "latin1");
  await expect(read("latin.csv", latin1)).rejects.toThrow("is not UTF-8");
  const missing = readRecords(join(folder, "missing.csv"), plain);
  await expect(missing.next()).rejects.toThrow("There is no file");
  await expect(read("a.txt", "")).rejects.toThrow("must end in .csv, .json, .ndjson or .jsonl");
});
