/** `hidden`: kept, not ranked, not listed. `banned`: hidden, and further submissions are refused. */
export const playerStatuses = ["active", "hidden", "banned"] as const;
export type PlayerStatus = (typeof playerStatuses)[number];

/**
 * What a document says for its player's status, which a trusted server may have written: `active` where it says nothing,
 * as with the empty text that a struct of Go has for no value.
 */
export function statusSaid(data: Readonly<Record<string, unknown>> | undefined): unknown {
  const status = data?.["status"] ?? "";
  return status === "" ? "active" : status;
}

export function stricter(a: PlayerStatus, b: PlayerStatus): PlayerStatus {
  return playerStatuses.indexOf(a) > playerStatuses.indexOf(b) ? a : b;
}
