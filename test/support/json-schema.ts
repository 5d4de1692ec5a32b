/** Values that a JSON Schema describes, and such as it forbids, for generated requests. */
import fc from "fast-check";
import { z } from "zod";

type JsonType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** What descriptions of requests use of JSON Schema. */
export interface JsonSchema {
  type?: JsonType | JsonType[];
  anyOf?: JsonSchema[];
  enum?: string[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  /** Of a map; an object with `properties` takes no others. */
  additionalProperties?: JsonSchema;
}

/** Any value that the schema describes, those at its edges more often. No property is required. */
export function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valueOf({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return stringOf(schema);
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 10,
      });
    case "object":
      return schema.properties === undefined
        ? fc.dictionary(stringOf(schema.propertyNames ?? {}), valueOf(schema.additionalProperties ?? {}), {
            maxKeys: Math.min(schema.maxProperties ?? 5, 5),
          })
        : recordOf(schema.properties, valueOf);
    case undefined:
    default:
      return anyValueOf(schema);
  }
}

/** Any JSON, which only a schema without a limit describes. */
function anyValueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const limits = Object.keys(schema).filter((keyword) => !["description", "default"].includes(keyword));
  if (limits.length > 0) throw new Error(`no values are generated for ${JSON.stringify(schema)}`);
  return fc.jsonValue();
}

/** An object with a few of these properties. */
export function recordOf(
  properties: Record<string, JsonSchema>,
  of: (schema: JsonSchema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const all = Object.entries(properties);
  return fc.subarray(all, { maxLength: Math.min(4, all.length) }).chain((some) =>
    fc.record(Object.fromEntries(some.map(([name, schema]) => [name, of(schema, name)])), {
      noNullPrototype: true,
    }),
  );
}

function stringOf({ pattern, format, minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern), { maxLength }).filter((text) => text.length <= maxLength);
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, ...fourDigitYears }).map((date) => date.toISOString());
  const short = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 12) });
  return fc.oneof(short, fc.string({ unit: "binary", minLength, maxLength }));
}

/** RFC 3339 has no others. */
const fourDigitYears = { min: new Date("0001-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z") };

function numberOf({ type, minimum: min = -1e300, maximum: max = 1e300 }: JsonSchema): fc.Arbitrary<number> {
  const small = fc.integer({ min: Math.max(min, -100), max: Math.min(max, 100) });
  const edges = fc.constantFrom(min, max);
  return type === "integer"
    ? fc.oneof(small, edges)
    : fc.oneof(small, edges, fc.double({ min, max, noNaN: true }));
}

/** JSON that the schema does not describe. */
export function wrongValueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const right = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  return fc
    .oneof(fc.jsonValue(), fc.double(), fc.constantFrom(null, "", [], {}, -1, 1.5, 1e300))
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .filter((value) => !right.safeParse(value).success);
}

/** A text in a query string that the schema does not describe; nothing where any text will do. */
export function wrongTextOf(schema: JsonSchema): fc.Arbitrary<string> | undefined {
  const { type, enum: words, pattern, format, minLength = 0 } = schema;
  if (type === "array") return wrongTextOf(schema.items ?? {});
  if (type === "object") return undefined;
  const isAnyText = [words, pattern, format].every((limit) => limit === undefined) && minLength === 0;
  if (type === "string" && isAnyText) return undefined;
  const right = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  const read = (text: string) => {
    if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
    if (type === "string") return text;
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  };
  return fc
    .oneof(
      fc.string({ unit: "binary" }),
      fc.double().map(String),
      fc.constantFrom("", "null", "-1", "1.5", "1e300", "a/b", "\n"),
    )
    .filter((text) => !right.safeParse(read(text)).success);
}
