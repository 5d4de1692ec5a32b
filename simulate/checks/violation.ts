/** A promise of Firerank that did not hold. */
export class Violation extends Error {
  override name = "Violation";
}

/** @throws a violation unless `holds`. */
export function insist(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Violation(message());
}
