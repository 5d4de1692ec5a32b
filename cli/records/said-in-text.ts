/**
 * Values that a file may say as a text. A cell of a CSV is one. In JSON, whole numbers of 64 bits are: protobuf's mapping
 * writes them so, and with it BigQuery's exports and the answers of Nakama and Google Play Games. Databases and data
 * libraries write times in forms of their own. What is of no such form stays as it is, and the schema refuses it by name.
 * Pure.
 */
import { exactTime } from "../../functions/src/model/instant.ts";
import { jsonIn } from "../init/json-file.ts";

/** The number in a text such as `12`, `12.0` or `1e+06`: not one with a decimal comma or separated thousands. */
export function numberSaid(value: unknown): unknown {
  return typeof value === "string" && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : value;
}

/** How a text that is no number has to be written, if it is one for people, such as `1.234,5` or `1:01.25`; else "". */
export function numberAdvice(value: unknown): string {
  if (typeof value !== "string") return "";
  if (/^[+-]?\d[\d.,'’ \u00a0\u202f]*$/.test(value))
    return "; write it with a decimal point, and nothing between thousands";
  return /^\d+(:\d\d)+([.,]\d+)?$/.test(value) ? "; write a time as one number, such as its seconds" : "";
}

/** Named values in a text of JSON. */
export function namedValuesSaid(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = jsonIn(value);
  return parsed === undefined ? value : parsed;
}

const timeForm =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(?:([Zz]|UTC)|([+-]\d\d)(?::?(\d\d))?)$/;

/**
 * An exact time as ISO 8601 that the schema reads. A text may have a space for the `T` (SQL, pandas, DuckDB), a zone of
 * hours alone (PostgreSQL, DuckDB) or without a colon (polars), `UTC` for `Z` (BigQuery), and no seconds where they are 0
 * (Java's OffsetDateTime). A time of Firestore's libraries is an object in JSON. What has no zone stays as it is.
 */
export function timeSaid(value: unknown): unknown {
  if (typeof value === "string") {
    const found = timeForm.exec(value);
    if (found === null) return value;
    const [, day = "", minutes = "", seconds = ":00", , hours, rest = "00"] = found;
    return `${day}T${minutes}${seconds}${hours === undefined ? "Z" : `${hours}:${rest}`}`;
  }
  return timestampIn(value) ?? value;
}

/** The form of Firestore's libraries for servers, `_seconds`, or for apps, `seconds` and in newer ones a `type` too. */
function timestampIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { type, ...others } = value as Record<string, unknown>;
  const names = Object.keys(others).toSorted().join();
  const isOne = type === undefined || type === "firestore/timestamp/1.0";
  if (!isOne || !["_nanoseconds,_seconds", "nanoseconds,seconds"].includes(names)) return undefined;
  const [seconds, nanoseconds] = ["seconds", "nanoseconds"].map((name) => others[name] ?? others[`_${name}`]);
  if (!isWithin(seconds, -62_135_596_800, 253_402_300_799) || !isWithin(nanoseconds, 0, 999_999_999))
    return undefined;
  return exactTime({ seconds, nanoseconds });
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
