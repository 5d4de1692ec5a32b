/** Whole numbers that a client has written as texts in a body, because its language's 64-bit integers are no JSON. Pure. */
import { z } from "zod";
import { required } from "./query.ts";

/**
 * A body with `"3"` as 3 where its schema has a whole number: a field, or each value of a map. JSON in the form of Protocol
 * Buffers writes 64-bit integers so, and hey-api's clients write a BigInt so. A score is no such number.
 */
export function withWholeNumbers(
  schema: z.ZodType | undefined,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return body;
  const shape = schema.shape as Record<string, z.ZodType>;
  return mapValues(body, (value, name) => {
    const given = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const field = given && required(given);
    if (!(field instanceof z.ZodRecord)) return asWhole(field, value);
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    return isMap ? mapValues(value, (one) => asWhole(field.valueType, one)) : value;
  });
}

const mapValues = (values: object, of: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, name)]));

function asWhole(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  const isWhole = schema instanceof z.ZodNumberFormat;
  return isWhole && typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}
