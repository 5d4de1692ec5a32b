/**
 * The three lines that send a board's first score, in each language of docs/clients.md, which has the same lines: a test
 * compares them. Pure.
 */
import type { ColumnValues } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { functionName } from "../../../functions/src/model/function-name.ts";

/** The languages of players' devices, by the name that code blocks have; and what a server sends. */
export const languages = [
  ["ts", "Web"],
  ["swift", "Swift"],
  ["kotlin", "Kotlin"],
  ["dart", "Flutter"],
  ["csharp", "Unity"],
] as const;
export type Language = (typeof languages)[number][0] | "sh";

export interface FirstScore {
  leaderboard: string;
  /** A score that the board takes, or its columns. */
  sent: { score: number } | { columns: ColumnValues };
  region: string;
  prefix?: string | undefined;
  /** Where the functions are called over HTTPS, such as https://us-central1-my-game.cloudfunctions.net. */
  functionsUrl: string;
}

const exampleScore = 850;

/** A score within the board's bounds. */
export function exampleOf({ columns, min_score: least, max_score: most }: Definition): FirstScore["sent"] {
  const within = (value: number, min = -Infinity, max = Infinity) => Math.min(Math.max(value, min), max);
  if (columns === undefined) return { score: within(exampleScore, least, most) };
  return { columns: Object.fromEntries(columns.map(({ name, min, max }) => [name, within(1, min, max)])) };
}

export function firstScoreLines(language: Language, about: FirstScore): string[] {
  const { leaderboard, sent, region, prefix, functionsUrl } = about;
  const name = functionName("submitScore", prefix);
  const request = mapIn(language, { leaderboard, ...sent });
  switch (language) {
    case "ts": {
      const options = `region: "${region}"${prefix ? `, prefix: "${prefix}"` : ""}`;
      return [
        'import { leaderboard, submitScore } from "firerank-client";',
        `const board = leaderboard(app, "${leaderboard}", { ${options} });`,
        `await submitScore(board, ${mapIn("ts", sent)});`,
      ];
    }
    case "swift":
      return [
        `let submitScore = Functions.functions(region: "${region}").httpsCallable("${name}")`,
        `let result = try await submitScore.call(${request} as [String: Any])`,
        "print(result.data)",
      ];
    case "kotlin":
      return [
        `val submitScore = Firebase.functions("${region}").getHttpsCallable("${name}")`,
        `val result = submitScore.call(${request}).await()`,
        "println(result.getData())",
      ];
    case "dart":
      return [
        `final submitScore = FirebaseFunctions.instanceFor(region: '${region}').httpsCallable('${name}');`,
        `final result = await submitScore.call(${request});`,
        "print(result.data);",
      ];
    case "csharp":
      return [
        `var submitScore = FirebaseFunctions.GetInstance("${region}").GetHttpsCallable("${name}");`,
        `var result = await submitScore.CallAsync(${request});`,
        "Debug.Log(result.Data);",
      ];
    case "sh":
      return [
        `API=${functionsUrl}/${functionName("leaderboardApi", prefix)}`,
        `curl "$API/v1/leaderboards/${leaderboard}/scores" -H "Authorization: Bearer $SERVER_TOKEN" \\`,
        `  --json '${JSON.stringify({ player: "ann", ...sent })}'`,
      ];
  }
}

/** A map as it is written in a language. */
function mapIn(language: Language, fields: object): string {
  const entries = Object.entries(fields).map(([key, value]: [string, unknown]) => {
    const quote = language === "dart" ? "'" : '"';
    const text =
      typeof value === "object" && value !== null
        ? mapIn(language, value)
        : typeof value === "string"
          ? `${quote}${value}${quote}`
          : String(value);
    const name = `${quote}${key}${quote}`;
    if (language === "ts") return `${key}: ${text}`;
    if (language === "kotlin") return `${name} to ${text}`;
    return language === "csharp" ? `{ ${name}, ${text} }` : `${name}: ${text}`;
  });
  const all = entries.join(", ");
  if (language === "ts") return `{ ${all} }`;
  if (language === "swift") return `[${all}]`;
  if (language === "kotlin") return `mapOf(${all})`;
  return language === "csharp" ? `new Dictionary<string, object> { ${all} }` : `{${all}}`;
}
