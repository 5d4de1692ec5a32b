/**
 * What a request says of a field that has no value. The JSON of many languages writes each field of an object: null for
 * one that is not set, and `[]` for an empty table or map. Both must not cost a player the score. Pure.
 */
import { z } from "zod";

/**
 * A request without the optional fields that are null, and with `{}` for an empty list where named values are meant; without
 * `columns` and a `segment` that name nothing. A null to which the schema gives a meaning stays. So does a null `player`: a
 * server that does not know whose score it sends must not get it counted as its own.
 */
export function withoutNulls(schema: z.ZodType, data: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof data !== "object" || data === null || Array.isArray(data))
    return data;
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
      const field = name !== "player" && Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field !== undefined && ["columns", "segment"].includes(name) && isEmpty(value)) return [];
      const meant = field === undefined || !isUnset(value) ? value : unsetAs(field, value);
      return meant === undefined ? [] : [[name, meant]];
    }),
  );
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function isUnset(value: unknown): value is null | [] {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Null or an empty list as the field means it; undefined to leave the field out. */
function unsetAs(field: z.ZodType, value: null | []): unknown {
  const takes = (one: unknown) => field.safeParse(one).success;
  if (takes(value)) return value;
  if (value === null) return takes(undefined) ? undefined : null;
  return takes({}) ? {} : value;
}
