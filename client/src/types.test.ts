/** Compares the package's handwritten types with the functions' schemas. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Json } from "../../functions/src/documents/plain-json.ts";
import type { RankingRecord } from "../../functions/src/documents/ranking-record.ts";
import type { RepairRecord } from "../../functions/src/documents/repair-record.ts";
import type {
  aroundSchema,
  entrySchema,
  historySchema,
  pageSchema,
  playersSchema,
  profileSchema,
  rankSchema,
  seasonAnswerSchema,
  seasonAnsweredSchema,
  seasonListedSchema,
  seasonsSchema,
  submissionSchema,
  topSchema,
  resultsSchema,
} from "../../functions/src/model/answers.ts";
import type { definitionChanges, definitionSchema } from "../../functions/src/model/definition.ts";
import type { closeSeasonRequest } from "../../functions/src/operations/close-season.ts";
import type { exportPlayerRequest } from "../../functions/src/operations/export-player.ts";
import type { getAroundSpec } from "../../functions/src/operations/get-around.ts";
import type { getHistorySpec } from "../../functions/src/operations/get-history.ts";
import type { getPageSpec } from "../../functions/src/operations/get-page.ts";
import type { getPlayersSpec } from "../../functions/src/operations/get-players.ts";
import type { getRankSpec } from "../../functions/src/operations/get-rank.ts";
import type { getResultsSpec } from "../../functions/src/operations/get-results.ts";
import type { getTopSpec } from "../../functions/src/operations/get-top.ts";
import type { listSeasonsRequest } from "../../functions/src/operations/list-seasons.ts";
import type { openSeasonRequest } from "../../functions/src/operations/open-season.ts";
import type { setProfileSpec } from "../../functions/src/operations/set-profile.ts";
import type { submitScoreSpec } from "../../functions/src/operations/submit-score.ts";
import type * as admin from "./admin.ts";
import * as client from "./index.ts";

test("answers match the functions' schemas", () => {
  expectTypeOf<client.Rank>().toEqualTypeOf<z.infer<typeof rankSchema>>();
  expectTypeOf<client.Entry>().toEqualTypeOf<z.infer<typeof entrySchema>>();
  expectTypeOf<client.Top>().toEqualTypeOf<z.infer<typeof topSchema>>();
  expectTypeOf<client.Around>().toEqualTypeOf<z.infer<typeof aroundSchema>>();
  expectTypeOf<client.History>().toEqualTypeOf<z.infer<typeof historySchema>>();
  expectTypeOf<client.Page>().toEqualTypeOf<z.infer<typeof pageSchema>>();
  expectTypeOf<client.Players>().toEqualTypeOf<z.infer<typeof playersSchema>>();
  expectTypeOf<client.Results>().toEqualTypeOf<z.infer<typeof resultsSchema>>();
  expectTypeOf<client.SeasonResult>().toEqualTypeOf<z.infer<typeof seasonAnswerSchema>>();
  expectTypeOf<client.Season>().toEqualTypeOf<z.infer<typeof seasonListedSchema>>();
  expectTypeOf<client.Seasons>().toEqualTypeOf<z.infer<typeof seasonsSchema>>();
  expectTypeOf<client.ProfileSet>().toEqualTypeOf<z.infer<typeof profileSchema>>();
  expectTypeOf<client.Submission>().toEqualTypeOf<z.infer<typeof submissionSchema>>();
});

/** A callable's request, without the fields that come from a `Leaderboard` or from the package's memory. */
type Request<Spec extends { request: unknown }> = Spec["request"] extends infer Schema
  ? Omit<
      z.input<Extract<Schema, z.ZodType>>,
      "leaderboard" | "season" | "span" | "min_generation" | "min_generations"
    >
  : never;

/** The fields of all members of a union. */
type Names<Union> = Union extends unknown ? keyof Union : never;

type RequestOfSeasons = Omit<z.input<typeof listSeasonsRequest>, "leaderboard">;

test("answers to admins match the functions' answers", () => {
  expectTypeOf<Json<RankingRecord>>().toExtend<admin.RunRecord>();
  expectTypeOf<Json<RepairRecord>>().toExtend<admin.RepairRecord>();
  expectTypeOf<admin.SeasonOfBoard>().toEqualTypeOf<z.infer<typeof seasonAnsweredSchema>>();
});

test("a definition matches what saveLeaderboard stores, and changes what it takes", () => {
  expectTypeOf<admin.Definition>().toEqualTypeOf<z.input<ReturnType<typeof definitionSchema>>>();
  expectTypeOf<{ [Name in keyof admin.DefinitionChanges]: admin.DefinitionChanges[Name] }>().toEqualTypeOf<
    z.input<typeof definitionChanges>
  >();
});

test("requests match the functions' schemas", () => {
  // Of a union the schema knows each field, and every way to fill them is a request.
  expectTypeOf<client.SubmissionRequest>().toExtend<Request<typeof submitScoreSpec>>();
  expectTypeOf<Names<client.SubmissionRequest>>().toEqualTypeOf<keyof Request<typeof submitScoreSpec>>();
  expectTypeOf<Names<client.Score>>().toEqualTypeOf<
    Exclude<keyof Request<typeof submitScoreSpec>, "freshness">
  >();
  expectTypeOf<client.Profile>().toEqualTypeOf<Omit<Request<typeof setProfileSpec>, "player">>();
  expectTypeOf<client.RankRequest>().toExtend<Request<typeof getRankSpec>>();
  expectTypeOf<Names<client.RankRequest>>().toEqualTypeOf<keyof Request<typeof getRankSpec>>();
  expectTypeOf<admin.ExportPlayerRequest>().toEqualTypeOf<
    Omit<z.input<typeof exportPlayerRequest>, "leaderboard" | "player">
  >();
  expectTypeOf<client.ResultsRequest>().toEqualTypeOf<Request<typeof getResultsSpec>>();
  expectTypeOf<admin.SeasonTimes>().toEqualTypeOf<
    Omit<z.input<typeof openSeasonRequest>, "leaderboard" | "season">
  >();
  expectTypeOf<z.input<typeof closeSeasonRequest>>().toEqualTypeOf<{ leaderboard: string; season: string }>();
  expectTypeOf<client.TopRequest>().toEqualTypeOf<Request<typeof getTopSpec>>();
  expectTypeOf<client.AroundRequest>().toEqualTypeOf<Request<typeof getAroundSpec>>();
  expectTypeOf<client.HistoryRequest>().toEqualTypeOf<Request<typeof getHistorySpec>>();
  expectTypeOf<client.PageRequest>().toExtend<Request<typeof getPageSpec>>();
  expectTypeOf<Names<client.PageRequest>>().toEqualTypeOf<keyof Request<typeof getPageSpec>>();
  expectTypeOf<client.SeasonsRequest>().toEqualTypeOf<RequestOfSeasons>();
  expectTypeOf<client.PlayersRequest>().toEqualTypeOf<Omit<Request<typeof getPlayersSpec>, "players">>();
});

test("requests exclude what the server refuses", () => {
  // @ts-expect-error -- only one of them
  expectTypeOf({ score: 1, columns: { goals: 1 } }).toExtend<client.Score>();
  // @ts-expect-error -- neither
  expectTypeOf({ display_name: "Ann" }).toExtend<client.Score>();
  // @ts-expect-error -- only one of them
  expectTypeOf({ player: "ann", score: 1 }).toExtend<client.RankRequest>();
  // @ts-expect-error -- only one of them
  expectTypeOf({ offset: 5, cursor: "next" }).toExtend<client.PageRequest>();
  // @ts-expect-error -- only one of them
  expectTypeOf({ segment: { country: "AT" }, segments: ["country"] }).toExtend<client.RankRequest>();
  // @ts-expect-error -- a player's own
  expectTypeOf({ score: 1, segments: ["country"] }).toExtend<client.RankRequest>();
  expectTypeOf({ score: 1, segment: { country: "AT" } }).toExtend<client.RankRequest>();
  expectTypeOf({ score: 1, display_name: "Ann" }).toExtend<client.Score>();
  expectTypeOf({ columns: { goals: 1 } }).toExtend<client.RankRequest>();
  expectTypeOf({}).toExtend<client.PageRequest>();
});

interface Membership {
  club: string;
}

interface League {
  columns: "points" | "goals";
  metadata: Membership;
  segments: { country: "AT" | "DE"; club: string };
}

/** Is compiled, not run. */
export async function usesOfALeague(board: client.Leaderboard<League>, plain: client.Leaderboard) {
  await client.submitScore(board, { columns: { points: 3, goals: 7 }, metadata: { club: "FC" } });
  // @ts-expect-error -- a column is missing
  await client.submitScore(board, { columns: { points: 3 } });
  // @ts-expect-error -- the board has no such column
  await client.submitScore(board, { columns: { points: 3, goals: 7, wins: 1 } });
  // @ts-expect-error -- the board has columns
  await client.submitScore(board, { score: 3 });
  // @ts-expect-error -- other metadata
  await client.submitScore(board, { columns: { points: 3, goals: 7 }, metadata: { team: "FC" } });
  // @ts-expect-error -- other metadata
  await client.setProfile(board, { metadata: { team: "FC" } });
  // @ts-expect-error -- the board has no such column
  await client.getRank(board, { columns: { points: 3, wins: 7 } });
  // @ts-expect-error -- a column is missing
  await client.rankOf({ ...board, season: "cup" }, { points: 3 });
  await client.submitScore(board, { columns: { points: 3, goals: 7 }, segments: { country: "AT" } });
  // @ts-expect-error -- the segment has no such value
  await client.submitScore(board, { columns: { points: 3, goals: 7 }, segments: { country: "XX" } });
  // @ts-expect-error -- the segment has no such value
  await client.getTop(board, { segment: { country: "XX" } });
  // @ts-expect-error -- one segment
  await client.getPage(board, { segment: { country: "AT", club: "FC" } });
  // @ts-expect-error -- the board has no such segment
  await client.getRank(board, { segments: ["platform"] });
  const { segment, segments } = await client.getRank(board, { segments: ["country", "club"] });
  expectTypeOf(segment?.country).toEqualTypeOf<"AT" | "DE" | undefined>();
  expectTypeOf(segments?.club?.rank).toEqualTypeOf<number | undefined>();
  await client.getAround(board, { segment: { country: "mine" } });
  await client.getPlayers(plain, ["ann"], { segment: { guild: "red" } });
  await client.submitScore(plain, {
    columns: { wins: 1 },
    metadata: { team: "FC" },
    segments: { guild: "red" },
  });
  client.watchRank(plain, (rank) => {
    // @ts-expect-error -- watchers are for all players
    expectTypeOf(rank?.segment).toBeUndefined();
  });
  client.watchTop(board, ({ entries: [first] }) => {
    expectTypeOf(first?.columns?.goals).toEqualTypeOf<number | undefined>();
    expectTypeOf(first?.metadata?.club).toEqualTypeOf<string | undefined>();
  });
  for await (const { metadata } of client.pages(board))
    expectTypeOf(metadata).toEqualTypeOf<{ club: string } | undefined>();
}

test("a board with types has them in scores, profiles and entries, and is a board as any other", () => {
  expectTypeOf<client.Leaderboard<League>>().toExtend<client.Leaderboard>();
  expectTypeOf<client.Entry<League>["metadata"]>().toExtend<client.Entry["metadata"]>();
  expectTypeOf<typeof usesOfALeague>().returns.resolves.toBeVoid();
  expectTypeOf<admin.PlayerScore<League>["metadata"]>().toEqualTypeOf<{ club: string } | undefined>();
});
