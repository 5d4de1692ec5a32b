import { expect, test } from "vitest";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  pagePath,
  playerPath,
  seasonPath,
  standingsPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { newSeason, type Season } from "../../functions/src/documents/season.ts";
import { readDefinition } from "../../functions/src/model/definition.ts";
import { pagesOf, rowsOfScores } from "../../test/support/pages.ts";
import type { Data } from "../memory/fields.ts";
import { createStore } from "../memory/store.ts";
import { leaderboard } from "../board.ts";
import { Rankings } from "./rankings.ts";

const key = { leaderboard, season: "cup" };
const at = new Timestamp(0, 0);
const definition = readDefinition({});

test("what a generation shows that was published before the closing is not what the closing shows", () => {
  const store = createStore(() => 0);
  const begun = { span: "custom", opens_at: at, closes_at: at, interval_ms: 1, next_run_at: null } as const;
  let season = newSeason(begun);
  const life = { get: () => ({ id: key.season, season, opensMs: 0, closesMs: 0 }), all: () => [] };
  const table = new Map([["ann", { score: 20, at, name: "Ann" }]]);
  const rankings = new Rankings(store, definition, {
    life,
    finals: { table: () => table },
    now: () => 0,
  });
  store.observe((changes) => {
    const work = { kind: "step", season: key.season } as const;
    rankings.observe({ changes, versionBefore: () => undefined, isForeign: false }, work);
  });
  const publish = (
    status: Season["status"],
    generation: number,
    score: number,
    others: Record<string, Data>,
  ) => {
    season = { ...season, status, ranking: { ...season.ranking, generation } };
    const [page] = pagesOf(definition.order, rowsOfScores(definition.order, [score]));
    const documents = {
      [seasonPath(key)]: season,
      [pagePath(key, 0)]: { ...page, generation, unusable_scores: 0 },
      ...others,
    };
    store.commit(Object.entries(documents).map(([path, data]) => ({ path, guard: {}, apply: () => data })));
  };

  publish("open", 1, 10, { [playerPath(key, "ann")]: { counted: { score: 10, of: "" } } });
  // A trusted server has made it 20, and only the closing has heard of that.
  publish("closed", 2, 20, {
    [standingsPath(key, 0)]: { players: ["ann"], scores: [20], achieved_at: [at], display_names: ["Ann"] },
    [standingsSummaryPath(key)]: {
      players: 1,
      counts: [1],
      first_scores: [20],
      ties_before: [0],
      dense_before: [0],
      ranges: [{ first: 0, documents: 1 }],
      parts: 1,
    },
  });

  expect(rankings.truthOf(key.season, 1)).toMatchObject({ scores: [10], players: [1] });
  expect(rankings.truthOf(key.season, 2)).toMatchObject({ scores: [20], players: [1] });
});
