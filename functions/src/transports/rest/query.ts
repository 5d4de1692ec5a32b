/** Turns query strings into request data: a value is read as a number if the request's schema says so. */
import { z } from "zod";
import { invalidRequest } from "../../model/errors.ts";

/** The parameters of a route by name, each with its schema. */
export type Parameters = Record<string, z.ZodType>;

/**
 * The data of a query string. A value that should be a number but is not stays text, so that the schema refuses it with
 * its own message; likewise a repeated parameter that is not a list, and a map that is neither `columns[points]=3` nor
 * `columns=points:3`.
 * @throws `invalid_request` naming parameters that the route does not have
 */
export function readQuery(parameters: Parameters, query: URLSearchParams): Record<string, unknown> {
  const entries = Object.entries(parameters).map(([name, schema]) => [name, required(schema)] as const);
  const unknown = [...new Set(query.keys())].filter(
    (sent) =>
      !entries.some(([name, schema]) => name === sent || (isMap(schema) && keyIn(name, sent) !== undefined)),
  );
  if (unknown.length > 0) {
    throw invalidRequest(unknown.map((path) => ({ path, message: "is not a parameter of this request" })));
  }
  return Object.fromEntries(
    entries.flatMap(([name, schema]) => {
      const value = isMap(schema) ? mapIn(query, name, schema) : valueOf(query.getAll(name), schema);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function mapIn(query: URLSearchParams, name: string, { valueType }: z.ZodRecord): unknown {
  const found = new Map<string, string[]>();
  for (const [sent, text] of query) {
    const colon = sent === name ? text.indexOf(":") : -1;
    const key = colon === -1 ? keyIn(name, sent) : text.slice(0, colon);
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), text.slice(colon + 1)]);
    else if (sent === name) return text;
  }
  if (found.size === 0) return undefined;
  return Object.fromEntries([...found].map(([key, values]) => [key, valueOf(values, valueType)]));
}

function valueOf(values: string[], schema: z.core.$ZodType): unknown {
  const first = values[0];
  if (first === undefined) return undefined;
  if (schema instanceof z.ZodArray || values.length > 1) return values;
  if (schema instanceof z.ZodNumber)
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(first) ? Number(first) : first;
  if (schema instanceof z.ZodBoolean) return first === "true" ? true : first === "false" ? false : first;
  return first;
}

function keyIn(name: string, sent: string): string | undefined {
  return sent.startsWith(`${name}[`) && sent.endsWith("]") ? sent.slice(name.length + 1, -1) : undefined;
}

function isMap(schema: z.core.$ZodType): schema is z.ZodRecord {
  return schema instanceof z.ZodRecord;
}

/** The schema of a value that is present. */
export function required(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? required(schema.unwrap() as z.ZodType)
    : schema;
}
