/** Who moved between two orders of a list. Pure. */

/** The number of places moved, up is positive; `new` if not in the list before. */
export interface Movement {
  by: number | "new";
}

/** The players whose place has changed, or who are new. */
export function movementsBetween(
  before: readonly { player: string }[],
  after: readonly { player: string }[],
): ReadonlyMap<string, Movement> {
  const places = new Map(before.map(({ player }, index) => [player, index]));
  const moved = after.flatMap(({ player }, index): [string, Movement][] => {
    const was = places.get(player);
    if (was === undefined) return [[player, { by: "new" }]];
    return was === index ? [] : [[player, { by: was - index }]];
  });
  return new Map(moved);
}
