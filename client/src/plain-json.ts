/** What an app sends, as JSON has it. Pure. */
import { FirerankError } from "./firerank-error.ts";

/**
 * A copy of a request as it is sent: without undefined fields, which the SDK would send as null.
 * @throws `invalid_request` about what JSON does not have and the SDK would lose or fail at: NaN, a BigInt, a symbol, a
 * function, an invalid Date, a Map, a Set, or a value that refers to itself.
 */
export function plainJson<Request extends object>(request: Request): Request {
  try {
    const text = JSON.stringify(request, function (this: Record<string, unknown>, name, item: unknown) {
      const value = this[name];
      if (
        /^(symbol|function)$/.test(typeof value) ||
        value instanceof Map ||
        value instanceof Set ||
        ((typeof value === "number" || value instanceof Date) && !isFinite(Number(value)))
      )
        throw new Error(`${name} is ${String(value)}`);
      return item;
    });
    return JSON.parse(text) as Request;
  } catch (cause) {
    throw new FirerankError("invalid_request", `No plain JSON: ${String(cause)}`, { cause });
  }
}
