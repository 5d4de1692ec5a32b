/** What the fields of a player's document say; a trusted server may have written anything into them. */
import type { Data } from "../memory/store.ts";
import type { Status } from "./statuses.ts";

export const attemptsIn = (data: Data | undefined) => Number(data?.["attempts"] ?? 0);

export function statusIn(data: Data | undefined): Status {
  const status = data?.["status"];
  return status === "hidden" || status === "banned" ? status : "active";
}

/** The score, if it can be ranked. */
export function scoreIn(data: Data | undefined): number | undefined {
  const score = data?.["score"];
  return typeof score === "number" && Number.isFinite(score) && Math.abs(score) < 2 ** 53 ? score : undefined;
}

/** The name, empty where there is none. */
export function nameIn(data: Data | undefined): string {
  const name = data?.["display_name"];
  return typeof name === "string" ? name : "";
}
