/** The kinds of events that a board sends to its owner's triggers; see documents/event.ts. */
export const eventKinds = [
  "season_opened",
  "season_closing",
  "season_closed",
  "season_revised",
  "top_entered",
  "lead_changed",
  "league_settled",
  "group_ended",
] as const;
export type EventKind = (typeof eventKinds)[number];
