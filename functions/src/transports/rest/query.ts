/**
 * Turns query strings into request data. A value is read as a number if the request's schema says so. A map is written
 * as its entries, `columns=points:3&columns=goals:7`, because generators of clients get each of OpenAPI's forms for a
 * map wrong; some send the keys as parameters.
 */
import { z } from "zod";
import { invalidField, invalidRequest } from "../../model/errors.ts";

/** The parameters of a route by name, each with its schema. */
export type Parameters = Record<string, z.ZodType>;

/**
 * The request data in a query string. A value that should be a number but is none stays a text, so that the schema
 * refuses it with the schema's own message. A repeated parameter that is neither a list nor a map stays a list for the
 * same reason.
 * @param search the query string as it was sent, as it tells a comma from an escaped one.
 * @throws `invalid_request` naming parameters that the route does not have, a map that is not written as
 *   `columns=points:3`, or a list that is written with commas
 */
export function readQuery(parameters: Parameters, search: string): Record<string, unknown> {
  const query = withoutBrackets(parameters, new URLSearchParams(search));
  const unknown = [...query.keys()].filter((name) => !Object.hasOwn(parameters, name));
  if (unknown.length > 0) {
    throw invalidRequest(unknown.map((path) => ({ path, message: "is not a parameter of this request" })));
  }
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, schema]) => {
      const texts = query.get(name) ?? [];
      const read = required(schema);
      if (texts.length === 0) return [];
      if (read instanceof z.ZodArray) refuseCommas(name, search);
      return [[name, read instanceof z.ZodRecord ? mapIn(name, texts, read) : valueInQuery(texts, read)]];
    }),
  );
}

/**
 * The texts of each parameter. A list is `players[]=ann&players[]=bob` in axios, Alamofire and Rails, and
 * `players[0]=ann&players[1]=bob` in PHP; a map is `columns[points]=3` in all of them.
 */
function withoutBrackets(parameters: Parameters, query: URLSearchParams): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [written, text] of query) {
    const [, base = "", inner = ""] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(written) ?? [];
    const given = Object.hasOwn(parameters, base) ? parameters[base] : undefined;
    const schema = given && required(given);
    const isMap = schema instanceof z.ZodRecord;
    const isListed = /^\d*$/.test(inner) && (isMap || schema instanceof z.ZodArray);
    const name = isMap || isListed ? base : written;
    texts.set(name, [...(texts.get(name) ?? []), isMap && !isListed ? `${inner}:${text}` : text]);
  }
  return texts;
}

/** The parameters with schemas of how a query string writes them, for the description. */
export function asWritten(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, schema]) => {
      const map = required(schema);
      if (!(map instanceof z.ZodRecord)) return [name, schema];
      const value = map.valueType instanceof z.ZodNumber ? String.raw`-?\d{1,16}` : ".+";
      // Names of segments and columns begin with a letter; `__proto__` would name nothing.
      const entry = z.string().regex(new RegExp(`^[A-Za-z][^:]*:${value}$`));
      const entries = map.meta()?.["maxProperties"] === 1 ? entry : z.array(entry);
      return [name, entries.optional().describe(schema.description ?? "")];
    }),
  );
}

/**
 * An id may have a comma. A list with commas would be taken for one id, which nobody has, and answered with nothing. In
 * brackets it is one id: axios 1.21 escapes no comma.
 */
function refuseCommas(name: string, search: string): void {
  if (new RegExp(`[?&]${name}=[^&]*,`).test(search)) throw withCommas(name);
}

/**
 * Says what is wrong where nothing was found for the only text of a list, and it has a comma: it may be a whole list, which
 * `new URLSearchParams({ players: ["ann", "bob"] })` and RTK Query write as `ann%2Cbob`.
 * @throws `invalid_request`
 */
export function refuseJoined(parameters: Parameters, search: string): void {
  const query = new URLSearchParams(search);
  for (const [name, schema] of Object.entries(parameters)) {
    const [first, second] = query.getAll(name);
    const isJoined = second === undefined && first?.includes(",") === true;
    if (isJoined && required(schema) instanceof z.ZodArray) throw withCommas(name);
  }
}

function withCommas(name: string) {
  const message = `must be written ${name}=a&${name}=b if it names several; one with a comma is ${name}[]=a%2Cb`;
  return invalidField(name, message);
}

/** A number as JSON writes it. */
const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function mapIn(name: string, texts: readonly string[], { valueType }: z.ZodRecord): Record<string, unknown> {
  const example = valueType instanceof z.ZodNumber ? `${name}=points:3` : `${name}=country:AT`;
  const map = new Map<string, unknown>();
  for (const text of texts) {
    const colon = text.indexOf(":");
    if (colon < 1) throw invalidField(name, `must be a name and its value, as in ${example}`);
    const key = text.slice(0, colon);
    if (map.has(key)) throw invalidField(name, `must not have "${key.slice(0, 40)}" twice`);
    map.set(key, valueInQuery([text.slice(colon + 1)], valueType));
  }
  return Object.fromEntries(map);
}

/**
 * A value as some languages write it: Lua's `1e+15`, and times with a zone such as `+02:00`. Where the `+` is not
 * escaped, a query string has a space for it. Godot and C# write `True`.
 */
function valueInQuery(texts: string[], schema: z.core.$ZodType): unknown {
  const [first = ""] = texts;
  if (schema instanceof z.ZodArray || texts.length > 1) return texts;
  if (schema instanceof z.ZodNumber) {
    const text = first.replace(/e (?=\d)/i, "e+");
    return isNumber.test(text) ? Number(text) : first;
  }
  if (schema instanceof z.ZodBoolean)
    return /^true$/i.test(first) ? true : /^false$/i.test(first) ? false : first;
  const isTime = schema instanceof z.ZodPipe && schema.out instanceof z.ZodISODateTime;
  return isTime ? first.replace(/ (?=\d\d:?\d\d$)/, "+") : first;
}

/** A schema without its optional or default wrapper: the schema of a value that is present. */
export function required(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? required(schema.unwrap() as z.ZodType)
    : schema;
}
