/**
 * A message in a Discord channel with the final top of a season. Sent twice if Discord's answer is lost: at least once.
 *
 * The channel's webhook is the `url` of the document `discord_webhooks/{leaderboard}`. Whoever knows it may post, so let
 * no client read it; without a rule of yours none can.
 */
import type { Firestore } from "firebase-admin/firestore";
import type { EventDocument } from "./event.ts";

interface Line {
  rank: number;
  player: string;
  score: number;
  display_name?: string;
}

/**
 * Posts to the board's channel, if it has one. Cost: 1 read, and 1 for the top.
 * @throws if Discord does not take it, so that the event is tried again.
 */
export async function postFinalTop(db: Firestore, event: EventDocument): Promise<void> {
  const { kind, leaderboard, season, player_count: players = 0 } = event;
  if (kind !== "season_closed") return;
  const webhook = (await db.doc(`discord_webhooks/${leaderboard}`).get()).get("url") as string | undefined;
  if (webhook === undefined) return;
  const top = await db.doc(`leaderboards/${leaderboard}/seasons/${season}/top/current`).get();
  const entries = (top.get("entries") as Line[] | undefined) ?? [];
  const lines = entries
    .slice(0, 10)
    .map(({ rank, player, score, display_name: name = player }) => `${rank}. ${name}: ${score}`);
  const response = await fetch(webhook, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    // A name must not call everybody.
    body: JSON.stringify({
      content: [`**${leaderboard}, ${season}**, ${players} players`, ...lines].join("\n"),
      allowed_mentions: { parse: [] },
    }),
  });
  if (!response.ok) throw new Error(`Discord answered HTTP ${response.status}`);
}
