/** A record as lines of name and value. Pure. */

/** The fields of an object and of those inside it, named by their path; times as dates, lists as they are. */
export function flatten(value: object, prefix = ""): [name: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] => {
    const name = `${prefix}${key}`;
    if (isTime(inner)) return [[name, inner.toDate()]];
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
      return flatten(inner, `${name}.`);
    return [[name, inner]];
  });
}

function isTime(value: unknown): value is { toDate(): Date } {
  return (
    typeof value === "object" && value !== null && "toDate" in value && typeof value.toDate === "function"
  );
}
