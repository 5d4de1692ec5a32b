/** `hidden`: kept, not ranked, not listed. `banned`: hidden, and further submissions are refused. */
export const playerStatuses = ["active", "hidden", "banned"] as const;
export type PlayerStatus = (typeof playerStatuses)[number];

export function stricter(a: PlayerStatus, b: PlayerStatus): PlayerStatus {
  return playerStatuses.indexOf(a) > playerStatuses.indexOf(b) ? a : b;
}
