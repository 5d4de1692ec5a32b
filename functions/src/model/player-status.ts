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

/**
 * The status that a value names: a text that is no status names `hidden`, as whoever wrote `Banned` did not want the
 * player ranked. Undefined for no text, and for an empty one.
 */
export function statusNamed(value: unknown): PlayerStatus | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return playerStatuses.find((status) => status === value) ?? "hidden";
}

/** What is wrong with a value that is no status. */
export const statusProblem = (value: unknown): string =>
  `status ${JSON.stringify(value)} is not one of ${playerStatuses.join(", ")}`;

export function stricter(a: PlayerStatus, b: PlayerStatus): PlayerStatus {
  return playerStatuses.indexOf(a) > playerStatuses.indexOf(b) ? a : b;
}
