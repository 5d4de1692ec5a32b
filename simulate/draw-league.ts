/** The league of a board, drawn from a stream of its own: seeds without a league play what they played before. */
import type { z } from "zod";
import type { leagueSchema } from "../functions/src/model/league.ts";

/** A league of small groups, so that a small world has several. Each size of a group leaves somebody where they are. */
export function drawLeague(random: () => number): z.input<typeof leagueSchema> {
  const oneOf = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const [low, middle, high] = ["bronze", "silver", "gold"] as const;
  const ids = oneOf([low, high], [low, middle, high], [low, middle, high]);
  const tiers = ids.map((id, step) => ({
    id,
    name: id,
    promote: step === ids.length - 1 ? 0 : oneOf(1, 1, 2),
    demote: step === 0 ? 0 : oneOf(0, 1, 2),
  }));
  const joins = oneOf(undefined, undefined, 24, 120, 168);
  const inactive = oneOf(
    undefined,
    { weeks: 1, then: "keep" as const },
    { weeks: 1, then: "demote" as const },
    { weeks: 2, then: "demote" as const, floor: ids[1] },
  );
  return {
    span: "weekly",
    size: oneOf(5, 6),
    min_size: oneOf(1, 2, 3, 5),
    tiers,
    ...(joins === undefined ? {} : { joins_until_hours: joins }),
    ...(inactive === undefined ? {} : { inactive }),
  };
}
