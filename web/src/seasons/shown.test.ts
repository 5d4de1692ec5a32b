import { expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { newSeason, type Season } from "../../../functions/src/documents/season.ts";
import type { ListedSeason } from "../data/documents.ts";
import { mainSeason } from "./shown.ts";

const listed = (id: string, span: Season["span"], more: Partial<Season> = {}): ListedSeason => ({
  id,
  season: {
    ...newSeason({
      span,
      opens_at: Timestamp.fromMillis(0),
      closes_at: null,
      interval_ms: 60_000,
      next_run_at: null,
    }),
    ...more,
  },
});
const cup = listed("cup", "custom", { opens_at: Timestamp.fromMillis(5_000) });
const daily = listed("daily-2", "daily");
const closed = listed("daily-1", "daily", { status: "closed" });
const allTime = listed("all_time", "all_time");

test.each([
  ["that of the first span", [cup, daily, closed, allTime], ["all_time", "daily"], "all_time"],
  [
    "the newest that takes scores, where that of the first span is not listed",
    [cup, daily, closed],
    ["all_time"],
    "daily-2",
  ],
  ["the newest, where none takes scores", [cup, closed], ["daily"], "cup"],
  ["none where there is none", [], ["daily"], undefined],
])("a board's row shows %s", (_which, seasons, spans, wanted) => {
  expect(mainSeason(seasons, spans, 1_000)?.id).toBe(wanted);
});
