/**
 * The events of a new top: which players entered it by a score, and whether another player leads. Pure.
 *
 * A player enters who was not listed and comes before the gate of the old top. Players who move up because another left,
 * or because the list became longer, have done nothing, so there is no event for them.
 */
import {
  eventsOf,
  type Happening,
  type ListedInEvent,
  nameInEvents,
  type EventToWrite,
} from "../documents/event.ts";
import type { FoundDocument, Top } from "../documents/top.ts";
import { keptName } from "../model/display-name.ts";
import { valueSize } from "../model/document-size.ts";
import { eventBytesMax } from "../model/limits.ts";
import { spanOfId } from "../model/season-id.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import type { Board } from "../seasons/read-board.ts";
import { type Gate, gateIn, passes } from "./gate.ts";

type TopEntry = Top["entries"][number];

/**
 * The events of a top that replaces another: at most one of each kind. There are none in a closed season, whose
 * revisions say what changed, and none if it is unknown who was listed before.
 * @param isFirst whether nothing was published before, so that a missing top counts as empty.
 */
export function eventsOfTop(
  { key, definition, season }: Pick<Board, "key" | "definition" | "season">,
  found: FoundDocument,
  top: Top,
  isFirst: boolean,
): EventToWrite[] {
  const before = found.updateTime === undefined && isFirst ? [] : found.entries;
  // A season that the instance does not remember was opened within the last minute.
  if ((season !== undefined && countsNoMore(season)) || before === undefined) return [];
  const { seconds, nanoseconds } = top.as_of;
  const common = {
    key,
    span: spanOfId(key.season),
    atMs: top.as_of.toMillis(),
    // A top only ever replaces the one that was read, so no two have players of the same moment.
    once: seconds * 1_000_000 + Math.floor(nanoseconds / 1_000),
  };
  const entered = entrantsOf(definition, gateIn(found.header), before, top);
  const lead = leadOf(definition, before, top);
  return [
    ...(entered ? eventsOf(definition, { kind: "top_entered", ...common, fields: entered }) : []),
    ...(lead ? eventsOf(definition, { kind: "lead_changed", ...common, fields: lead }) : []),
  ];
}

function entrantsOf(
  definition: Board["definition"],
  gate: Exclude<Gate, undefined>,
  before: readonly TopEntry[],
  { entries }: Top,
): Happening<"top_entered">["fields"] | undefined {
  const known = new Set(before.map(({ player }) => player));
  const all = entries
    .filter((entry) => !known.has(entry.player) && passes(definition, gate, entry))
    .map(inEvent);
  if (all.length === 0) return undefined;
  let bytes = 0;
  const entrants = all.filter((entrant) => {
    bytes += valueSize(entrant) + valueSize(entrant.player);
    return bytes <= eventBytesMax;
  });
  return { entrants, entrant_count: all.length, players: entrants.map(({ player }) => nameInEvents(player)) };
}

function leadOf(
  definition: Board["definition"],
  [last]: readonly TopEntry[],
  { entries: [leader] }: Top,
): Happening<"lead_changed">["fields"] | undefined {
  if (leader === undefined || leader.player === last?.player) return undefined;
  const gate = last === undefined ? null : { score: last.score, atMs: last.achieved_at.toMillis() };
  return {
    leader: inEvent(leader),
    before: last === undefined ? null : inEvent(last),
    reason: passes(definition, gate, leader) ? "overtaken" : "withdrawn",
    players: (last === undefined ? [leader] : [leader, last]).map(({ player }) => nameInEvents(player)),
  };
}

function inEvent({ player, rank, position, score, display_name: name }: TopEntry): ListedInEvent {
  const kept = keptName(name ?? "");
  return { player, rank, position, score, ...(kept === "" ? {} : { display_name: kept }) };
}
