import { expect, test } from "vitest";
import { type Definition, readDefinition } from "./definition.ts";
import {
  definitionOf as definitionOfSaved,
  endSettingsOf,
  orderingOf,
  readSavedDefinition,
  type SavedDefinition,
} from "./season-definition.ts";

const country = { name: "country", from: "server" };
const board = readDefinition({ ties: "last", top_size: 50, decimals: 1, segments: [country] });

function definitionOf(
  definition: Definition,
  season?: Parameters<typeof definitionOfSaved>[1],
  segmentsGone: SavedDefinition["segmentsGone"] = [],
): Definition {
  return definitionOfSaved({ definition, segmentsGone }, season);
}

test("the definition of a season is the board's own where the season keeps nothing else", () => {
  expect(definitionOf(board)).toBe(board);
  expect(definitionOf(board, { ordering: orderingOf(board), ended_with: endSettingsOf(board) })).toBe(board);
});

test("an open season keeps its ordering, and goes by the board's other settings", () => {
  const ordering = orderingOf(readDefinition({ order: "ascending" }));
  const { decimals: _, ...others } = board;
  expect(definitionOf(board, { ordering })).toEqual({ ...others, order: "ascending" });
});

test("a season that has ended keeps ties, the size of its top, tiers, segments and teams, and nothing else", () => {
  const tiers = [{ name: "gold", top_percent: 1 }];
  const segments = [{ name: "guild", from: "server", teams: { by: "sum" } }];
  const end = readDefinition({ ties: "first", top_size: 10, tiers, segments, max_score: 5 });
  const season = { ended_with: endSettingsOf(end) };
  const kept = { ties: "first", top_size: 10, tiers, segments };
  expect(definitionOf(board, season)).toEqual({ ...board, ...kept });
  expect(definitionOf(definitionOf(board, season), season)).toEqual({ ...board, ...kept });
  expect(definitionOf(end, { ended_with: endSettingsOf(readDefinition({})) })).toEqual(
    readDefinition({ max_score: 5 }),
  );
});

test("who may see a segment's values is as the board says now", () => {
  const season = { ended_with: endSettingsOf(board) };
  const now = readDefinition({ ...board, ties: "first", segments: [{ ...country, visible: "self" }] });
  expect(definitionOf(now, season)).toEqual({ ...now, ties: "last" });
});

test("and as it said last where it has the segment no more", () => {
  const without = readDefinition({ ...board, segments: undefined });
  const shown = (end: object, had?: object) => {
    const season = {
      ended_with: endSettingsOf(readDefinition({ ...board, segments: [{ ...country, ...end }] })),
    };
    const gone = { country: { from: "server", ...had } };
    const saved = readSavedDefinition({ ...without, had: had && { segments: gone } });
    return definitionOfSaved(saved, season).segments?.[0]?.visible;
  };
  expect(shown({}, { visible: "self" })).toBe("self");
  expect(shown({ visible: "self" }, { visible: "everybody" })).toBe("everybody");
  // Where nobody knows, as at the end.
  for (const unknown of [{}, undefined]) {
    expect(shown({ visible: "self" }, unknown)).toBe("self");
    expect(shown({}, unknown)).toBe(undefined);
  }
});

test("teams of a segment that is for self by now are shown no more", () => {
  const teams = { by: "sum" };
  const season = { ended_with: endSettingsOf(readDefinition({ segments: [{ ...country, teams }] })) };
  const self = { ...country, visible: "self" };
  expect(definitionOf(readDefinition({ segments: [self] }), season).segments).toEqual([self]);
  const gone = [{ name: "country", visible: "self" as const }];
  expect(definitionOf(readDefinition({}), season, gone).segments).toEqual([self]);
});
