/** Compares the package's handwritten types with the functions' schemas. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Json } from "../../functions/src/documents/plain-json.ts";
import type { RankingRecord } from "../../functions/src/documents/ranking-record.ts";
import type { RepairRecord } from "../../functions/src/documents/repair-record.ts";
import type * as answers from "../../functions/src/model/answers.ts";
import type { leagueAnswerSchema } from "../../functions/src/model/league-answer.ts";
import type * as groups from "../../functions/src/model/private-group-answers.ts";
import type { definitionChanges, definitionSchema } from "../../functions/src/model/definition.ts";
import type * as specs from "../../functions/src/operations/specs.ts";
import type * as admin from "./admin.ts";
import * as client from "./index.ts";

test("answers match the functions' schemas", () => {
  expectTypeOf<client.Rank>().toEqualTypeOf<z.infer<typeof answers.rankSchema>>();
  expectTypeOf<client.Entry>().toEqualTypeOf<z.infer<typeof answers.entrySchema>>();
  expectTypeOf<client.Top>().toEqualTypeOf<z.infer<typeof answers.topSchema>>();
  expectTypeOf<client.Around>().toEqualTypeOf<z.infer<typeof answers.aroundSchema>>();
  expectTypeOf<client.History>().toEqualTypeOf<z.infer<typeof answers.historySchema>>();
  expectTypeOf<client.Threshold>().toEqualTypeOf<z.infer<typeof answers.thresholdSchema>>();
  expectTypeOf<client.Histogram>().toEqualTypeOf<z.infer<typeof answers.histogramSchema>>();
  expectTypeOf<client.Page>().toEqualTypeOf<z.infer<typeof answers.pageSchema>>();
  expectTypeOf<client.Players>().toEqualTypeOf<z.infer<typeof answers.playersSchema>>();
  expectTypeOf<client.League>().toEqualTypeOf<z.infer<typeof leagueAnswerSchema>>();
  expectTypeOf<client.GroupMade>().toEqualTypeOf<groups.GroupMade>();
  expectTypeOf<client.GroupJoined>().toEqualTypeOf<groups.GroupJoined>();
  expectTypeOf<client.GroupLeft>().toEqualTypeOf<groups.GroupLeft>();
  expectTypeOf<client.MemberRemoved>().toEqualTypeOf<groups.MemberRemoved>();
  expectTypeOf<client.Group>().toEqualTypeOf<groups.PrivateGroupAnswer>();
  expectTypeOf<client.MyGroups>().toEqualTypeOf<groups.MyGroupsAnswer>();
  expectTypeOf<client.MyBoards>().toEqualTypeOf<z.infer<typeof answers.myBoardsSchema>>();
  expectTypeOf<client.Results>().toEqualTypeOf<z.infer<typeof answers.resultsSchema>>();
  expectTypeOf<client.SeasonResult>().toEqualTypeOf<z.infer<typeof answers.seasonAnswerSchema>>();
  expectTypeOf<client.Season>().toEqualTypeOf<z.infer<typeof answers.seasonListedSchema>>();
  expectTypeOf<client.Seasons>().toEqualTypeOf<z.infer<typeof answers.seasonsSchema>>();
  expectTypeOf<client.ProfileSet>().toEqualTypeOf<z.infer<typeof answers.profileSchema>>();
  expectTypeOf<client.Submission>().toEqualTypeOf<z.infer<typeof answers.submissionSchema>>();
});

/** A callable's request, and without the fields that come from a `Leaderboard` or from the package's memory. */
type Whole<Name extends keyof typeof specs> = z.input<(typeof specs)[Name]["request"]>;
type Request<Name extends keyof typeof specs> = Omit<
  Whole<Name>,
  "leaderboard" | "season" | "span" | "min_generation" | "min_generations"
>;

/** The fields of all members of a union. */
type Names<Union> = Union extends unknown ? keyof Union : never;

test("answers to admins match the functions' answers", () => {
  expectTypeOf<Json<RankingRecord>>().toExtend<admin.RunRecord>();
  expectTypeOf<Json<RepairRecord>>().toExtend<admin.RepairRecord>();
  expectTypeOf<admin.SeasonOfBoard>().toEqualTypeOf<z.infer<typeof answers.seasonAnsweredSchema>>();
});

test("a definition matches what saveLeaderboard stores, and changes what it takes", () => {
  expectTypeOf<admin.Definition>().toEqualTypeOf<z.input<ReturnType<typeof definitionSchema>>>();
  expectTypeOf<{ [Name in keyof admin.DefinitionChanges]: admin.DefinitionChanges[Name] }>().toEqualTypeOf<
    z.input<typeof definitionChanges>
  >();
});

test("requests match the functions' schemas", () => {
  // Of a union the schema knows each field, and every way to fill them is a request.
  expectTypeOf<client.SubmissionRequest>().toExtend<Request<"submitScore">>();
  expectTypeOf<Names<client.SubmissionRequest>>().toEqualTypeOf<keyof Request<"submitScore">>();
  expectTypeOf<Names<client.Score>>().toEqualTypeOf<Exclude<keyof Request<"submitScore">, "freshness">>();
  expectTypeOf<client.Profile>().toEqualTypeOf<Omit<Request<"setProfile">, "player">>();
  expectTypeOf<client.RankRequest>().toExtend<Request<"getRank">>();
  expectTypeOf<Names<client.RankRequest>>().toEqualTypeOf<keyof Request<"getRank">>();
  expectTypeOf<Whole<"exportPlayer">>().toEqualTypeOf<{ leaderboard: string; player: string }>();
  expectTypeOf<client.NewGroup>().toEqualTypeOf<Omit<Request<"createGroup">, "player">>();
  expectTypeOf<client.JoinRequest>().toEqualTypeOf<Omit<Request<"joinGroup">, "player">>();
  expectTypeOf<client.GroupRequest>().toEqualTypeOf<Omit<Whole<"getGroup">, "leaderboard" | "group">>();
  expectTypeOf<client.MyGroupsRequest>().toEqualTypeOf<Request<"getMyGroups">>();
  // Of the spans only the weeks have a league.
  expectTypeOf<client.LeagueRequest>().toEqualTypeOf<Omit<Whole<"getLeague">, "leaderboard" | "span">>();
  expectTypeOf<client.MyBoardsRequest>().toEqualTypeOf<Request<"getMyBoards">>();
  expectTypeOf<client.ResultsRequest>().toEqualTypeOf<Request<"getResults">>();
  expectTypeOf<admin.SeasonTimes>().toEqualTypeOf<Omit<Whole<"openSeason">, "leaderboard" | "season">>();
  expectTypeOf<Whole<"closeSeason">>().toEqualTypeOf<{ leaderboard: string; season: string }>();
  expectTypeOf<client.TopRequest>().toEqualTypeOf<Request<"getTop">>();
  expectTypeOf<client.AroundRequest>().toEqualTypeOf<Request<"getAround">>();
  expectTypeOf<client.HistoryRequest>().toEqualTypeOf<Request<"getHistory">>();
  expectTypeOf<client.ThresholdRequest>().toExtend<Request<"getThreshold">>();
  expectTypeOf<Names<client.ThresholdRequest>>().toEqualTypeOf<keyof Request<"getThreshold">>();
  expectTypeOf<client.HistogramRequest>().toEqualTypeOf<Request<"getHistogram">>();
  expectTypeOf<client.PageRequest>().toExtend<Request<"getPage">>();
  expectTypeOf<Names<client.PageRequest>>().toEqualTypeOf<keyof Request<"getPage">>();
  expectTypeOf<client.SeasonsRequest>().toEqualTypeOf<Omit<Whole<"listSeasons">, "leaderboard">>();
  expectTypeOf<client.PlayersRequest>().toEqualTypeOf<Omit<Request<"getPlayers">, "players">>();
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
  expectTypeOf({ offset: 5, score: 5 }).toExtend<client.PageRequest>();
  // @ts-expect-error -- one of them
  expectTypeOf({}).toExtend<client.ThresholdRequest>();
  // @ts-expect-error -- only one of them
  expectTypeOf({ rank: 5, tier: "gold" }).toExtend<client.ThresholdRequest>();
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

/** The compiler checks this function. It is never run. */
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
