import { describe, expect, test } from "vitest";
import type { BoardEvent, ListedInEvent } from "../documents/event.ts";
import { Timestamp } from "../documents/firestore.ts";
import type { Season } from "../documents/season.ts";
import type { FoundDocument, Top } from "../documents/top.ts";
import { valueSize } from "../model/document-size.ts";
import { eventBytesMax } from "../model/limits.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import { begunSeason } from "../../../test/support/season.ts";
import { eventsOfTop } from "./tell-top.ts";

type TopEntry = Top["entries"][number];

const key = { leaderboard: "board", season: "weekly-2027-W10" };
const both = definitionOf({ spans: ["weekly"], events: ["top_entered", "lead_changed"] });
const season = (status: Season["status"] = "open") => ({ ...begunSeason({ span: "weekly" }), status });

/**
 * A top that lists `size` players at most, as of 2,000.500007 seconds after 1970.
 * @param text its lines, such as `ann:30@10`: each a player with a score and its millisecond.
 */
function topOf(text: string, size = 3): Top {
  const lines = text.split(" ").filter((line) => line !== "");
  const entries = lines.map((line, i): TopEntry => {
    const [player = "", score, ms] = line.split(/[:@]/);
    const achievedAt = Timestamp.fromMillis(Number(ms));
    return { player, rank: i + 1, position: i + 1, score: Number(score), achieved_at: achievedAt };
  });
  const last = entries[size - 1];
  return {
    generation: 1,
    as_of: new Timestamp(2_000, 500_007_000),
    players: 10,
    lowest_score: last?.score ?? null,
    lowest_at: last?.achieved_at ?? null,
    entries,
  };
}

/** A top as it is found when the next one is to be written. */
const found = ({ entries, ...header }: Top): FoundDocument => ({
  updateTime: Timestamp.fromMillis(1),
  header,
  entries,
});
const nothing: FoundDocument = { updateTime: undefined, header: undefined, entries: undefined };

interface Told {
  before: FoundDocument;
  after: Top;
  definition?: typeof both;
  status?: Season["status"];
  isFirst?: boolean;
}

const told = ({ before, after, definition = both, status, isFirst = false }: Told) =>
  eventsOfTop({ key, definition, season: season(status) }, before, after, isFirst);

/** The events in words: who entered, and who leads in whose place, and why. */
const words = (what: Told) => told(what).map(({ event }) => inWords(event));
function inWords(event: BoardEvent): string {
  if (event.kind === "top_entered") return `${event.entrants.map(({ player }) => player).join(", ")} entered`;
  if (event.kind !== "lead_changed") throw new Error(`${event.kind} is not of a top`);
  return `${event.leader?.player} leads, ${event.before?.player ?? "nobody"} was ${event.reason}`;
}

const before = topOf("ann:30@10 bob:20@20 cyd:10@30");

describe("a player who enters and leads", () => {
  const after = topOf("zoe:40@50 ann:30@10 bob:20@20");

  test("gets an event of each kind, as the top lists the players at its moment", () => {
    const zoe = { player: "zoe", rank: 1, position: 1, score: 40 };
    const common = {
      ...key,
      span: "weekly",
      at: Timestamp.fromMillis(2_000_500),
      board_event_expires_at: expect.any(Timestamp) as Timestamp,
    };
    expect(told({ before: found(before), after })).toEqual([
      {
        // The id ends with the top's moment in microseconds.
        path: "leaderboards/board/events/weekly-2027-W10-top_entered-2000500007",
        event: { kind: "top_entered", ...common, entrants: [zoe], entrant_count: 1, players: ["zoe"] },
      },
      {
        path: "leaderboards/board/events/weekly-2027-W10-lead_changed-2000500007",
        event: {
          kind: "lead_changed",
          ...common,
          leader: zoe,
          before: { player: "ann", rank: 1, position: 1, score: 30 },
          reason: "overtaken",
          players: ["zoe", "ann"],
        },
      },
    ]);
  });

  test.each([["top_entered"], ["lead_changed"], []] as const)(
    "gets events of %j, if the board sends these",
    (...kinds) => {
      const definition = { ...both, events: [...kinds] };
      expect(told({ before: found(before), after, definition }).map(({ event }) => event.kind)).toEqual(
        kinds,
      );
    },
  );

  test("is named in the event as in the top", () => {
    const named = { ...after, entries: after.entries.map((entry) => ({ ...entry, display_name: "Zoë" })) };
    const [entered] = told({ before: found(before), after: named });
    expect(entered?.event).toMatchObject({ entrants: [{ player: "zoe", display_name: "Zoë" }] });
  });

  test.each([
    ["closing", 2],
    ["closed", 0],
    ["deleting", 0],
  ] as const)("of a season that is %s gets %i events", (status, count) => {
    expect(told({ before: found(before), after, status })).toHaveLength(count);
  });

  test.each([
    ["cup", "custom"],
    ["all_time", "all_time"],
    ["weekly-2026-W03", "weekly"],
  ])("gets events in the season %s though it was opened after the board was read", (id, span) => {
    const board = { key: { ...key, season: id }, definition: both, season: undefined };
    const events = eventsOfTop(board, found(topOf("")), topOf("ann:5@0"), false);
    expect(events.map(({ event }) => [event.season, event.span])).toEqual(Array(2).fill([id, span]));
  });
});

test("where no top is found, the first publication tells of all who are listed, and of the leader", () => {
  const after = topOf("ann:30@0 bob:20@0");
  const all = ["ann, bob entered", "ann leads, nobody was overtaken"];
  expect(words({ before: nothing, after, isFirst: true })).toEqual(all);
  const [, lead] = told({ before: nothing, after, isFirst: true });
  expect(lead?.event).toMatchObject({ before: null, players: ["ann"] });
  expect(told({ before: nothing, after: topOf(""), isFirst: true })).toEqual([]);
  // Later, or over a document that is no top, nobody knows who was listed.
  const broken = { ...found(before), header: undefined, entries: undefined };
  expect([told({ before: nothing, after }), told({ before: broken, after, isFirst: true })]).toEqual([
    [],
    [],
  ]);
});

test.each([
  ["nobody enters by moving up when another leaves", "ann:30@10 cyd:10@30 dan:9@5", []],
  ["nobody enters by going up in the list", "ann:30@10 cyd:25@50 bob:20@20", []],
  [
    "a better score leads: the leader was overtaken",
    "bob:35@50 ann:30@10 cyd:10@30",
    ["bob leads, ann was overtaken"],
  ],
  [
    "an equal later score leads, as the leader fell: withdrawn",
    "bob:30@50 ann:25@60 cyd:10@30",
    ["bob leads, ann was withdrawn"],
  ],
  ["another leads, as the leader left: withdrawn", "bob:20@20 cyd:10@30", ["bob leads, ann was withdrawn"]],
  ["nobody leads an empty top", "", []],
])("%s", (_what, after, expected) => {
  expect(words({ before: found(before), after: topOf(after) })).toEqual(expected);
});

test("an equal score that came later overtakes the leader where the later one is before", () => {
  const after = topOf("bob:30@50 ann:30@10 cyd:10@30");
  const definition = { ...both, ties: "last" as const };
  expect(words({ before: found(before), after, definition })).toEqual(["bob leads, ann was overtaken"]);
});

test("a leader who left is named as they stood before", () => {
  expect(told({ before: found(before), after: topOf("bob:20@20 cyd:10@30") })[0]?.event).toMatchObject({
    before: { player: "ann", score: 30 },
    players: ["bob", "ann"],
  });
});

test("a player enters by any score while there is room or the lowest score is unknown, not by a longer list alone", () => {
  const after = topOf("ann:30@10 zoe:1@50");
  for (const earlier of [found(topOf("ann:30@10")), { ...found(before), header: undefined }])
    expect(words({ before: earlier, after })).toEqual(["zoe entered"]);
  const longer = topOf("ann:30@10 bob:20@20 cyd:10@30 dan:10@31", 4);
  expect(told({ before: found(before), after: longer })).toEqual([]);
});

describe("more entrants than an event holds", () => {
  /** Bytes of an entrant in the event: the line, and the id again among the names. */
  const sizeOf = (entrant: ListedInEvent) => valueSize(entrant) + valueSize(entrant.player);
  const entrantsOf = (names: readonly string[]) => {
    const after = topOf(names.map((_, i) => `p${i}:${100 - i}@0`).join(" "));
    const entries = after.entries.map((entry, i) => ({ ...entry, display_name: names[i] ?? "" }));
    const [entered] = told({ before: nothing, after: { ...after, entries }, isFirst: true });
    if (entered?.event.kind !== "top_entered") throw new Error("nobody entered");
    return entered.event;
  };
  /** Names with which so many entrants take a thousand bytes each, and the last one a few more. */
  const namesOf = (count: number, more: number) =>
    Array.from({ length: count }, (_, i) => {
      const entrant = { player: `p${i}`, rank: i + 1, position: i + 1, score: 100 - i, display_name: "" };
      return "n".repeat(1_000 - sizeOf(entrant) + (i === count - 1 ? more : 0));
    });
  const most = eventBytesMax / 1_000;

  test("are cut to the best who fit, to the last byte, and are all counted", () => {
    const full = entrantsOf(namesOf(most, 0));
    expect([full.players.length, full.entrant_count]).toEqual([most, most]);
    const over = entrantsOf([...namesOf(most, 1), ""]);
    expect([over.players.length, over.entrant_count]).toEqual([most - 1, most + 1]);
    expect(over.entrants.map(({ player }) => player)).toEqual(over.players);
    expect(over.players.at(-1)).toBe(`p${most - 2}`);
  });
});
