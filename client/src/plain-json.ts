/** Makes plain JSON of what an app sends. Pure. */
import { FirerankError } from "./firerank-error.ts";

/**
 * A copy of a request, as the request is sent. The copy has no undefined fields, as the SDK would send them as null.
 * @throws `invalid_request` about a value that JSON does not have, and that the SDK would lose or fail at: NaN, a BigInt, a
 * symbol, a function, an invalid Date, a Map, a Set, or a value that refers to itself.
 */
export function plainJson<Request extends object>(request: Request): Request {
  try {
    return JSON.parse(
      JSON.stringify(request, function (this: Record<string, unknown>, name, item: unknown) {
        const value = this[name];
        if (
          /^(symbol|function)$/.test(typeof value) ||
          value instanceof Map ||
          value instanceof Set ||
          ((typeof value === "number" || value instanceof Date) && !isFinite(Number(value)))
        )
          throw new Error(`${name}: JSON has no ${String(value)}`);
        return item;
      }),
    ) as Request;
  } catch (cause) {
    throw new FirerankError("invalid_request", (cause as Error).message, { cause });
  }
}
