/** What the fields of a player's document say; a trusted server may have written anything into them. */
import type { Counted } from "../../functions/src/documents/mark.ts";
import type { PlayerStatus } from "../../functions/src/model/player-status.ts";
import { fieldToMark, type MarkCounted, segmentText } from "../../functions/src/model/segments.ts";
import type { Data } from "../memory/store.ts";

export type Status = PlayerStatus;

export const attemptsIn = (data: Data | undefined) => Number(data?.["attempts"] ?? 0);

export function statusIn(data: Data | undefined): Status {
  const status = data?.["status"];
  return status === "hidden" || status === "banned" ? status : "active";
}

/** Whether a trusted server has written the document without a status, so that the next commit of ours gives one. */
export const namesNoStatus = (data: Data | undefined) => data !== undefined && data["status"] == null;

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

/** What a mark counts; undefined where it counts nobody, or one who cannot be ranked. */
export const markOf = (counted: Counted): MarkCounted | undefined => fieldToMark(counted ?? "");

/** The segments in which the document asks to be counted, as a mark has them. */
export function segmentsOf(data: Data | undefined): string[] {
  const texts = Object.entries(valuesIn(data) ?? {}).flatMap(([name, value]) =>
    typeof value === "string" && /^[\w-]{1,32}$/.test(value) ? [segmentText(name, value)] : [],
  );
  return texts.sort();
}

/** The values of segments that submissions go on from; an empty map, which a submission may leave out, is none. */
export function valuesIn(data: Data | undefined): Data | undefined {
  const values = data?.["segments"];
  return isMap(values) && Object.keys(values).length > 0 ? values : undefined;
}

const isMap = (field: unknown): field is Data => typeof field === "object" && field !== null;
