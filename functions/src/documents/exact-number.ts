import { isMap } from "../model/stored-class.ts";

/**
 * A number that JavaScript cannot tell exactly: a 64-bit integer above 2^53, or a double that is a whole number.
 * Servers in other languages may store such numbers in fields that Firerank does not understand. Firerank moves and
 * exports these numbers unchanged.
 */
export class ExactNumber {
  readonly wire: WireNumber;
  /** Tells the client library to store what `_toProto` returns. */
  readonly _protoValueType = "ProtoValue";

  constructor(wire: WireNumber) {
    this.wire = wire;
  }

  _toProto(): WireNumber {
    return this.wire;
  }

  /** An integer becomes a text in JSON, as readers of JSON would round a number. */
  toJSON(): string | number {
    return "integerValue" in this.wire ? this.wire.integerValue : this.wire.doubleValue;
  }
}

type WireNumber = { integerValue: string } | { doubleValue: number };

/** A value in the form in which the client library received it. */
export interface WireValue {
  integerValue?: string | number;
  doubleValue?: number;
  mapValue?: { fields?: Record<string, WireValue> | null };
  arrayValue?: { values?: WireValue[] | null };
}

/**
 * A stored integer as a number, or as an ExactNumber if a number would round it. Firerank itself stores only safe
 * integers.
 */
export function integerOf(stored: string | number): number | ExactNumber {
  const number = Number(stored);
  return Number.isSafeInteger(number) ? number : new ExactNumber({ integerValue: String(stored) });
}

/**
 * Changes a value that was read, so that each double that is a whole number stays a double when the value is written
 * again.
 */
export function withDoubles(value: unknown, { doubleValue, mapValue, arrayValue }: WireValue): unknown {
  if (typeof value === "number")
    return typeof doubleValue === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)
      ? new ExactNumber({ doubleValue })
      : value;
  if (Array.isArray(value)) {
    for (const [i, wire] of (arrayValue?.values ?? []).entries()) value[i] = withDoubles(value[i], wire);
  } else if (isMap(value)) {
    const fields = mapValue?.fields ?? {};
    for (const name of Object.keys(fields)) value[name] = withDoubles(value[name], fields[name] ?? {});
  }
  return value;
}
