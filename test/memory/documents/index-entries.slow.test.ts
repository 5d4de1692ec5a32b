/** No document has more than a few of the 40,000 index entries that Firestore takes, which the emulators do not count. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  closingRangeProgress,
  closingRecord,
  revisionRecord,
} from "../../../functions/src/documents/closing-record.ts";
import { boardEvent } from "../../../functions/src/documents/event.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { storedGroup, storedLeagueSeat } from "../../../functions/src/documents/group.ts";
import { storedHistory } from "../../../functions/src/documents/history.ts";
import { storedLeagueStanding } from "../../../functions/src/documents/league-standing.ts";
import { storedMark } from "../../../functions/src/documents/mark.ts";
import { storedPage } from "../../../functions/src/documents/page.ts";
import { storedPrivateGroup } from "../../../functions/src/documents/private-group.ts";
import { storedSegmentPage } from "../../../functions/src/documents/segment-page.ts";
import { storedErasure } from "../../../functions/src/documents/erasure.ts";
import { storedNewBoards } from "../../../functions/src/documents/new-boards.ts";
import { storedPlayerStatus, storedPlayer } from "../../../functions/src/documents/player.ts";
import { rankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import { recentNumbersMax } from "../../../functions/src/documents/recent-runs.ts";
import { storedRepairNote, storedRepairRecord } from "../../../functions/src/documents/repair-record.ts";
import { storedRunningSeasons, storedSeason } from "../../../functions/src/documents/season.ts";
import { storedRoles } from "../../../functions/src/documents/roles.ts";
import { storedShard } from "../../../functions/src/documents/shard.ts";
import {
  storedStandings,
  storedStandingsMetadata,
  storedStandingsSummary,
} from "../../../functions/src/documents/standings.ts";
import { storedTeams } from "../../../functions/src/documents/teams.ts";
import { storedTop } from "../../../functions/src/documents/top.ts";
import { spanNames, storedDefinition } from "../../../functions/src/model/definition.ts";
import { eventKinds } from "../../../functions/src/model/event-kinds.ts";
import {
  auditExamplesMax,
  columnsMax,
  leagueSizeMax,
  leagueTiersMax,
  metadataBytesMax,
  privateGroupSizeMax,
  segmentsMax,
  standingsPerDocument,
  tiersMax,
  topSizeMax,
} from "../../../functions/src/model/limits.ts";
import { storedHad } from "../../../functions/src/model/season-definition.ts";
import { submissionFields } from "../../../functions/src/submit/schema.ts";
import { root } from "../../../scripts/project.ts";
import { indexEntries, type IndexFile } from "../../support/index-check.ts";
import { alternativesOf, type OpenField, sampleOf } from "../../support/schema-sample.ts";

const file = JSON.parse(readFileSync(join(root, "firestore.indexes.json"), "utf8")) as IndexFile;
/** Without composite indexes that have one entry of each document. */
const ofElements: IndexFile = {
  ...file,
  indexes: file.indexes.filter(({ fields }) => fields.some(({ arrayConfig }) => arrayConfig !== undefined)),
};
const firestoreMax = 40_000;
const ofMetadata = 1_000;

/** A player's document with everything in it. */
const player = sampleOf(storedPlayer, () => 8);

/** What is stored: the module of its schema, its collection, the schema. */
const schemas: [module: string, collection: string, schema: z.ZodType][] = [
  ["player", "players", storedPlayer],
  ["mark", "players", z.object({ counted: storedMark })],
  ["history", "players", z.object({ counted: z.object({ before: storedHistory }) })],
  ["shard", "scores", storedShard],
  ["page", "scores_ranking", storedPage],
  ["segment-page", "segments_ranking", storedSegmentPage],
  ["top", "top", storedTop],
  ["teams", "top", storedTeams],
  ["ranking-record", "runs", rankingRecord],
  ["repair-record", "runs", storedRepairRecord],
  ["closing-record", "runs", closingRecord],
  ["closing-record", "runs", revisionRecord],
  ["closing-record", "closing_ranges", closingRangeProgress],
  ["repair-record", "repair", storedRepairNote],
  ["standings", "standings", storedStandingsSummary],
  ["standings", "standings", storedStandings],
  ["standings", "standings", storedStandingsMetadata],
  ["season", "seasons", storedSeason],
  ["event", "events", boardEvent],
  ["player", "player_statuses", storedPlayerStatus],
  ["league-standing", "player_statuses", z.object({ league: storedLeagueStanding })],
  ["group", "league_groups", storedGroup],
  ["private-group", "private_groups", storedPrivateGroup],
  ["group", "players", z.object({ league_seat: storedLeagueSeat })],
  ["erasure", "leaderboard_erasures", storedErasure],
  ["new-boards", "new_boards", storedNewBoards],
  ["roles", "leaderboard_roles", storedRoles],
  [
    "season",
    "leaderboards",
    z.object({ ...storedDefinition.shape, running_seasons: storedRunningSeasons, had: storedHad }),
  ],
];

/** A document of the standings has 1,000 players, and those who were readmitted after the season had closed. */
const standing = 9 * standingsPerDocument;

/** Maps and arrays that keep their index entries, and how many elements they have at most. */
const bounded: Record<string, number> = {
  "players.columns": columnsMax,
  "players.segments": segmentsMax,
  "players.counted.segments": segmentsMax,
  // Its largest are tested below.
  "players.metadata": ofMetadata / 2 - 1,
  "events.players": topSizeMax,
  "events.up": leagueSizeMax,
  "events.stayed": leagueSizeMax,
  "events.down": leagueSizeMax,
  "events.places": privateGroupSizeMax,
  "private_groups.owners": privateGroupSizeMax,
  "league_groups.readers": leagueSizeMax,
  "league_groups.owners": leagueSizeMax,
  "leaderboards.league.tiers": leagueTiersMax,
  "seasons.recent_runs": recentNumbersMax,
  // Today, yesterday, and a day that a run removes next.
  "seasons.scores_by_day": 3,
  "runs.recent_runs": recentNumbersMax,
  "runs.found.pages": auditExamplesMax,
  "runs.found.foreign": auditExamplesMax,
  "runs.found.conservation.examples": auditExamplesMax,
  "runs.found.convergence.examples": auditExamplesMax,
  // The segments of the board, and all others together.
  "scores_ranking.left_out": segmentsMax + 1,
  "scores_ranking.teams": segmentsMax,
  "scores_ranking.final.tiers": tiersMax,
  "runs.found.left_out": segmentsMax + 1,
  "seasons.ranking.left_out": segmentsMax + 1,
  "standings.players": standing,
  "seasons.ordering.columns": columnsMax,
  "seasons.ended_with.tiers": tiersMax,
  "seasons.ended_with.segments": segmentsMax,
  // Those of the board, and those that it had once: nobody changes them so often while a season lasts.
  "seasons.segment_sources": 10 * segmentsMax,
  "leaderboards.had.segments": 10 * segmentsMax,
  "leaderboards.had.ties": 2,
  "leaderboards.columns": columnsMax,
  "leaderboards.spans": spanNames.length,
  "leaderboards.tiers": tiersMax,
  "leaderboards.segments": segmentsMax,
  "leaderboards.events": eventKinds.length,
  // Of each span the season that runs on after a change of the calendar, until it closes.
  "leaderboards.running_seasons.daily": 2,
  "leaderboards.running_seasons.weekly": 2,
  "leaderboards.running_seasons.monthly": 2,
};

describe("by its schema,", () => {
  const each = schemas.flatMap(([, collection, schema]) =>
    alternativesOf(schema).map((one) => [collection, one] as const),
  );

  test("every map and array of each document is exempt from indexing or has a bound", () => {
    const unbounded: string[] = [];
    const found = new Set<string>();
    for (const [collection, schema] of each) {
      const fields: OpenField[] = [];
      const sample = sampleOf(schema, (field) => (fields.push(field), 1));
      for (const { path } of fields.filter(({ isInArray }) => !isInArray)) {
        const name = `${collection}.${path}`;
        found.add(name);
        const [first = "", ...rest] = path.split(".");
        const inner = rest.reduceRight<unknown>((value, part) => ({ [part]: value }), [0]);
        const isExempt = indexEntries(collection, { [first]: inner }, ofElements) === 0;
        if (!isExempt && !(name in bounded)) unbounded.push(name);
        expect(isExempt && name in bounded, `${name} is exempt and needs no bound`).toBe(false);
      }
      expect(Object.keys(sample)).not.toEqual([]);
    }
    expect(unbounded).toEqual([]);
    expect(Object.keys(bounded).filter((name) => !found.has(name))).toEqual([]);
  });

  test("no document can have as many index entries as Firestore refuses, nor one of a publication many", () => {
    const most: Record<string, number> = {
      standings: firestoreMax,
      // Of up to a thousand players, or of those of a group, each in the board's own index and in that of all boards.
      events: 2_400,
      players: 1_200,
      // Of a hundred members, each in the index of all groups and in that of those that have ended or have not.
      private_groups: 400,
      // Saved by an admin, one at a time.
      leaderboards: 500,
    };
    for (const [collection, schema] of each) {
      const fewer = most[collection] ?? 300;
      const document = sampleOf(schema, ({ path, isInArray }) => {
        // What has no bound is exempt: one element that is not would be one too many.
        return isInArray ? 1 : (bounded[`${collection}.${path}`] ?? fewer);
      });
      expect(indexEntries(collection, document, file), collection).toBeLessThan(fewer);
    }
  });

  test("no kind of document is forgotten here", () => {
    const modules = globSync("functions/src/documents/*.ts", { cwd: root })
      .filter((path) => readFileSync(join(root, path), "utf8").includes('from "zod"'))
      .map((path) => basename(path, ".ts"));
    expect([...new Set(schemas.map(([module]) => module))].sort()).toEqual(modules.sort());
  });
});

test("metadata, which a game's own players may have as well, keeps its indexes: 1 KB holds few hundred entries", () => {
  const { metadata: schema } = submissionFields;
  const numbers = Array.from({ length: 1_000 }, (_, i) => i % 10);
  const letters = Array.from({ length: 1_000 }, (_, i) => String.fromCharCode(0x100 + i));
  const largest = [
    (size: number) => ({ list: numbers.slice(0, size) }),
    (size: number) => Object.fromEntries(letters.slice(0, size).map((name) => [name, 0])),
    (size: number) => ({ lists: letters.slice(0, size).map((name) => ({ [name]: 0 })) }),
  ].map((make) => make(numbers.findIndex((_, size) => !schema.safeParse(make(size + 1)).success)));
  for (const metadata of largest) {
    expect(JSON.stringify(metadata).length).toBeGreaterThan(metadataBytesMax / 2);
    expect(indexEntries("players", { ...player, metadata }, file)).toBeLessThan(ofMetadata);
  }
});

test("the estimate counts scalars in both directions, elements once, maps by what they hold, and composite indexes", () => {
  const none: IndexFile = { indexes: [], fieldOverrides: [] };
  expect(indexEntries("c", {}, none)).toBe(0);
  expect(indexEntries("c", { a: 1, b: null, c: Timestamp.now() }, none)).toBe(6);
  expect(indexEntries("c", { list: [1, 2, 3] }, none)).toBe(2 + 3);
  expect(indexEntries("c", { map: { a: 1, inner: { b: 2 }, list: [1] } }, none)).toBe(
    2 + 2 + (2 + 2) + (2 + 1),
  );
  const composite = {
    collectionGroup: "c",
    queryScope: "COLLECTION",
    fields: [{ fieldPath: "a", order: "ASCENDING" }],
  };
  expect(indexEntries("c", { a: 1 }, { ...none, indexes: [composite] })).toBe(3);
  const exempt = { collectionGroup: "c", fieldPath: "map", indexes: [] };
  const kept = {
    collectionGroup: "c",
    fieldPath: "map.a",
    indexes: [{ order: "ASCENDING", queryScope: "COLLECTION" }],
  };
  expect(indexEntries("c", { map: { a: 1, b: 1 } }, { ...none, fieldOverrides: [exempt] })).toBe(0);
  expect(indexEntries("c", { map: { a: 1, b: 1 } }, { ...none, fieldOverrides: [exempt, kept] })).toBe(1);
});
