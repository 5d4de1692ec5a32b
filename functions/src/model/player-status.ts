/**
 * `hidden`: the score is kept, but the player is neither ranked nor listed. `banned`: hidden, and submissions are
 * refused.
 */
export const playerStatuses = ["active", "hidden", "banned"] as const;
export type PlayerStatus = (typeof playerStatuses)[number];

/**
 * The status in a player's document, which a trusted server may have written. It is `active` if the document names
 * none, or has the empty text, which is what a struct of Go stores for no value.
 */
export function statusSaid(data: Readonly<Record<string, unknown>> | undefined): unknown {
  const status = data?.["status"] ?? "";
  return status === "" ? "active" : status;
}

export function stricter(a: PlayerStatus, b: PlayerStatus): PlayerStatus {
  return playerStatuses.indexOf(a) > playerStatuses.indexOf(b) ? a : b;
}
