/** What the examples read of an event; docs/seasons.md has all of it. */
export interface EventDocument {
  kind: string;
  leaderboard: string;
  season: string;
  span: string;
  player_count?: number;
  leader?: { player: string; score: number; display_name?: string } | null;
}
