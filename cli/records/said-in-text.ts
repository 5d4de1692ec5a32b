/**
 * Values that a file may say as a text. A cell of a CSV is one. In JSON, whole numbers of 64 bits are: protobuf's mapping
 * writes them so, and with it BigQuery's exports and the answers of Nakama and Google Play Games. What is of no such form
 * stays as it is, and the schema refuses it by name. Pure.
 */
import { exactTime } from "../../functions/src/model/instant.ts";
import { isStorable } from "../../functions/src/model/stored-time.ts";
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

/**
 * The exact time in an object that JSON has for a time of Firestore's libraries, as ISO 8601: of those for servers
 * `_seconds`, of those for apps `seconds`, and in newer ones a `type` too.
 */
export function timestampSaid(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { type, ...others } = value as Record<string, unknown>;
  const names = Object.keys(others).toSorted().join();
  const isOne = type === undefined || type === "firestore/timestamp/1.0";
  if (!isOne || !["_nanoseconds,_seconds", "nanoseconds,seconds"].includes(names)) return value;
  const [seconds, nanoseconds] = ["seconds", "nanoseconds"].map((name) => others[name] ?? others[`_${name}`]);
  if (!isWhole(seconds) || !isStorable(seconds * 1_000)) return value;
  if (!isWhole(nanoseconds) || nanoseconds < 0 || nanoseconds > 999_999_999) return value;
  return exactTime({ seconds, nanoseconds });
}

const isWhole = (value: unknown): value is number => Number.isInteger(value);
