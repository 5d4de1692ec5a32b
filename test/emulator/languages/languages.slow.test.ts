/**
 * Google's libraries for Go, Python and Java against the emulators with the real functions: servers that write players by
 * themselves in each way that the docs allow, listen, and ask REST with a client generated from its description. Each
 * program sorts the players by itself and compares that with every answer; scenario.json says what it writes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { addressesIn, callableUrl } from "../../../scripts/callable-client.ts";
import { projectId } from "../../../scripts/project.ts";
import { build, lacking, languages, languagesFolder, start } from "../../support/languages.ts";
import { eventually, type LiveBoard, useLive } from "../../support/live.ts";
import { expectConverged, expectRanked } from "../../support/oracle.ts";
import { patienceMs } from "../../support/patience.ts";

const live = useLive();
const scenarioFile = join(languagesFolder, "scenario.json");
const scenario = JSON.parse(readFileSync(scenarioFile, "utf8")) as {
  points: object;
  cup: object;
  phases: unknown[];
};

let rest: string;
let description: object;
let token: string;
beforeAll(async () => {
  rest = callableUrl(addressesIn(process.env), "leaderboardApi");
  description = (await (await fetch(`${rest}/openapi.json`)).json()) as object;
  token = (await live.account("game", { leaderboard_role: "submitter" })).idToken;
});

/** Ranks once all writes are counted, also the deletions. @returns the generation */
function ranked(board: LiveBoard): Promise<number> {
  return eventually(async () => {
    await board.rank();
    await expectConverged(live, board.key);
    await expectRanked(live, board.key);
    const season = await live.db.doc(seasonPath(board.key)).get();
    return season.get("ranking.generation") as number;
  });
}

test.concurrent.for(languages)(
  "in $name a server's writes and all answers agree",
  async (language, { skip, onTestFinished }) => {
    const missing = await lacking(language);
    if (missing !== undefined) {
      // CI has all of them, and must not pass without.
      if (process.env["FIRERANK_REQUIRE_LANGUAGES"]) expect.fail(missing);
      skip(missing);
    }
    const folder = await build(language, description);
    const [points, cup] = await Promise.all([live.board(scenario.points), live.board(scenario.cup)]);
    const program = start(language, folder, {
      project: projectId,
      scenario: scenarioFile,
      points: points.leaderboard,
      cup: cup.leaderboard,
      rest,
      token,
      seconds: patienceMs() / 1_000,
    });
    onTestFinished(() => program.kill());
    for (const _ of scenario.phases) {
      expect(await program.line()).toBe("written");
      const generations = await Promise.all([ranked(points), ranked(cup)]);
      program.tell(generations.join(" "));
      expect(await program.line()).toMatch(/^checked 1[5-9]$/);
    }
    await program.end();
  },
);
