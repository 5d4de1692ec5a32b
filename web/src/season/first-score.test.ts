import { expect, test } from "vitest";
import { definitionOf } from "../../../test/support/definitions.ts";
import { codeBlocks } from "../../../test/support/markdown.ts";
import { exampleOf, firstScoreLines, languages } from "./first-score.ts";

const arena = {
  leaderboard: "arena",
  sent: exampleOf(definitionOf({})),
  region: "us-central1",
  functionsUrl: "https://us-central1-my-game.cloudfunctions.net",
};

test("docs/clients.md shows the lines of the dashboard, in the same languages", () => {
  const shown = codeBlocks("docs/clients.md").filter(({ heading }) => heading === "A first score");
  const ours = [...languages.map(([language]) => language), "sh" as const].map((language) => ({
    language,
    code: firstScoreLines(language, arena).join("\n"),
  }));
  expect(shown.map(({ language, code }) => ({ language, code }))).toEqual(ours);
  expect(ours.map(({ code }) => code.split("\n").length)).toEqual(ours.map(() => 3));
});

test("the score is one that the board takes", () => {
  const example = (definition: Parameters<typeof definitionOf>[0]) => exampleOf(definitionOf(definition));
  expect(example({})).toEqual({ score: 850 });
  expect(example({ max_score: 100 })).toEqual({ score: 100 });
  expect(example({ min_score: 1_000 })).toEqual({ score: 1_000 });
  const columns = [
    { name: "points", min: 10, max: 20, order: "descending" as const },
    { name: "lost", min: -5, max: 0, order: "ascending" as const },
  ];
  expect(example({ columns })).toEqual({ columns: { points: 10, lost: 0 } });
});

test("a board of columns, in another region and with a prefix, is written so in each language", () => {
  const sent = { columns: { points: 10, lost: 0 } };
  const about = { ...arena, leaderboard: "level:7", sent, region: "europe-west1", prefix: "ranks" };
  const lines = (language: Parameters<typeof firstScoreLines>[0]) =>
    firstScoreLines(language, about).join("\n");
  expect(lines("ts")).toContain('"level:7", { region: "europe-west1", prefix: "ranks" }');
  expect(lines("ts")).toContain("{ columns: { points: 10, lost: 0 } }");
  expect(lines("swift")).toContain(
    '["leaderboard": "level:7", "columns": ["points": 10, "lost": 0]] as [String: Any]',
  );
  expect(lines("kotlin")).toContain('"columns" to mapOf("points" to 10, "lost" to 0)');
  expect(lines("dart")).toContain("'columns': {'points': 10, 'lost': 0}");
  expect(lines("csharp")).toContain(
    '{ "columns", new Dictionary<string, object> { { "points", 10 }, { "lost", 0 } } }',
  );
  for (const [language] of languages.slice(1))
    expect(lines(language)).toMatch(/europe-west1[^\n]*ranks-submitScore/);
  expect(lines("sh")).toContain("/ranks-leaderboardApi");
});
