/** Who moved between two orders of a list. Pure. */

/** By how many places: up is positive. `new` was not in the list before. */
export interface Movement {
  by: number | "new";
}

/** The players whose place differs, or who were not there before. */
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
