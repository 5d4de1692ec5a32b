/** The segment of players that a season's page shows, as its address names it: `?segment=country:AT`. Pure. */
import { isSegmentText, segmentValues } from "../../../functions/src/model/segments.ts";

/** The segment in an address, as `country=AT`; undefined for all players. */
export function segmentIn(query: Readonly<Record<string, string>>): string | undefined {
  const text = query["segment"]?.replace(":", "=");
  return isSegmentText(text) ? text : undefined;
}

/** `country AT` */
export function segmentName(segment: string): string {
  return segment.replace("=", " ");
}

/** What a call takes to answer of the segment. */
export function askedOf(segment: string | undefined) {
  return segment === undefined ? {} : { segment: segmentValues([segment]) };
}

/** What an address of a season's page says that it shows. */
export interface Shown {
  segment?: string | undefined;
  player?: string;
  place?: number;
  /** In place of a place, as {@link scoreForAddress} writes it. */
  score?: string;
  after?: string;
}

/** An address that shows this. */
export function addressOf(path: string, { segment, ...others }: Shown): string {
  // Without escapes, as neither names nor values need any.
  const first = segment === undefined ? [] : [`segment=${segment.replace("=", ":")}`];
  const more = Object.entries(others).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const all = [...first, ...more].join("&");
  return all === "" ? path : `${path}?${all}`;
}
