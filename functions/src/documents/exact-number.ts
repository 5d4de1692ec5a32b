/**
 * Numbers that JavaScript has no value for, which servers in other languages may have stored in what is not Firerank's: a
 * 64-bit integer above 2^53, and in what is passed on a double that is a whole number. They are stored, moved and
 * exported as they are.
 */
export class ExactNumber {
  readonly wire: WireNumber;
  /** By this the client library knows what it may store: `wire`. */
  readonly _protoValueType = "ProtoValue";

  constructor(wire: WireNumber) {
    this.wire = wire;
  }

  _toProto(): WireNumber {
    return this.wire;
  }

  /** An integer is a text in JSON, as JSON's readers would round it. */
  toJSON(): string | number {
    return "integerValue" in this.wire ? this.wire.integerValue : this.wire.doubleValue;
  }
}

type WireNumber = { integerValue: string } | { doubleValue: number };

/** A value as the client library has it in a document that it has read. */
export interface WireValue {
  integerValue?: string | number;
  doubleValue?: number;
  mapValue?: { fields?: Record<string, WireValue> | null };
  arrayValue?: { values?: WireValue[] | null };
}

/** A stored integer. Firerank's own are all safe. */
export function integerOf(stored: string | number): number | ExactNumber {
  const number = Number(stored);
  return Number.isSafeInteger(number) ? number : new ExactNumber({ integerValue: String(stored) });
}

/** A value that was read, in which each double that is a whole number stays one when it is written. Changes the value. */
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

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
