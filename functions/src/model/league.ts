/** The rules of a league: the tiers of its ladder, and where a player begins a week. Pure; browsers use it too. */
import { z } from "zod";
import { type GroupRules, zonesOf } from "./league-zones.ts";
import { idCharactersMax, leagueSizeMax, leagueSizeMin, leagueTiersMax } from "./limits.ts";

const whole = z.int();
const count = whole.min(0, "must be at least 0");

const tier = z.strictObject({
  id: z
    .string()
    .regex(
      new RegExp(`^[a-z][a-z0-9_]{0,${idCharactersMax - 1}}$`),
      `must be 1 to ${idCharactersMax} of a-z, 0-9 and "_", beginning with a letter`,
    ),
  name: z.string().min(1).max(idCharactersMax),
  promote: count.default(0),
  demote: count.default(0),
});

/** The league of a definition. Its tiers go upwards: the first is where everybody begins. */
export const leagueSchema = z
  .strictObject({
    span: z.literal("weekly"),
    size: whole
      .min(leagueSizeMin, `must be at least ${leagueSizeMin}`)
      .max(leagueSizeMax, `must be at most ${leagueSizeMax}`),
    min_size: whole.min(1, "must be at least 1").default(leagueSizeMin),
    tiers: z
      .array(tier)
      .min(1, "must name at least one tier")
      .max(leagueTiersMax, `must name at most ${leagueTiersMax} tiers`),
    joins_until_hours: z.number().positive("must be above 0").max(168, "must be at most 168").optional(),
    inactive: z
      .strictObject({
        weeks: whole.min(1, "must be at least 1").max(520, "must be at most 520"),
        then: z.enum(["keep", "demote"]),
        floor: z.string().optional(),
      })
      .optional(),
  })
  .superRefine((league, context) => {
    const problem = (path: (string | number)[], message: string) => {
      context.addIssue({ code: "custom", path, message });
    };
    const { size, min_size: least, tiers, inactive } = league;
    if (least > size) problem(["min_size"], "must not be above size");
    const ids = tiers.map(({ id }) => id);
    for (const [i, { id, promote, demote }] of tiers.entries()) {
      if (ids.indexOf(id) < i) problem(["tiers", i, "id"], "must not be the id of another tier");
      if (i === tiers.length - 1 && promote > 0)
        problem(["tiers", i, "promote"], "must be 0: there is no tier above the last");
      if (i === 0 && demote > 0)
        problem(["tiers", i, "demote"], "must be 0: there is no tier below the first");
      const crowded = crowdedSize({ size, min_size: least, promote, demote });
      if (crowded !== undefined)
        problem(
          ["tiers", i],
          `promotes and demotes too many: in a group of ${crowded}, nobody would stay; lower promote or demote`,
        );
    }
    if (inactive?.floor !== undefined && !ids.includes(inactive.floor))
      problem(["inactive", "floor"], `must be the id of a tier: ${ids.join(", ")}`);
    if (inactive?.then === "keep" && inactive.floor !== undefined)
      problem(["inactive", "floor"], 'has no meaning beside `then: "keep"`');
  });
export type League = z.infer<typeof leagueSchema>;

/** Why a definition cannot have its league: the path of a field, and what is wrong with it. */
export function misplacedLeague({
  league,
  spans,
  template,
}: {
  league?: League | undefined;
  spans: readonly string[];
  template?: object | undefined;
}): [path: string, message: string][] {
  if (league === undefined) return [];
  const of = spans.join(", ") || "none";
  return [
    ...(spans.includes(league.span)
      ? []
      : [["league.span", `is not a span of this leaderboard, which has ${of}`] as [string, string]]),
    ...(template === undefined
      ? []
      : [["league", "is for a leaderboard of its own: a template's boards have none"] as [string, string]]),
  ];
}

/** The first size of a group in which zones overlap, or from three members on nobody stays; undefined if there is none. */
function crowdedSize(rules: GroupRules): number | undefined {
  for (let members = 1; members <= rules.size; members++) {
    const { up, down } = zonesOf(rules, members);
    if (up + down > (members < 3 ? members : members - 1)) return members;
  }
  return undefined;
}

/** Where a player stood at the end of the last week in a group. */
export interface StoodIn {
  tier: string;
  /** The number of the tier on the ladder of then, 0-based: where the tier was taken away, this says which comes nearest. */
  step: number;
  /** When that week ended, in milliseconds since 1970. */
  untilMs: number;
}

const weekMs = 7 * 86_400_000;

/**
 * The number of the tier in which a player begins a week, 0-based: the lowest for a newcomer. For each `inactive.weeks`
 * that the player was away, one below, if the league says so; not below `inactive.floor`.
 * @param opensAtMs when the week begins.
 */
export function tierToBeginIn(
  { tiers, inactive }: League,
  stood: StoodIn | undefined,
  opensAtMs: number,
): number {
  if (stood === undefined) return 0;
  const known = tiers.findIndex(({ id }) => id === stood.tier);
  const step = known === -1 ? Math.min(stood.step, tiers.length - 1) : known;
  if (inactive?.then !== "demote") return step;
  // A week may have 167 or 169 hours, and another length where the board got another calendar.
  const weeksAway = Math.max(0, Math.round((opensAtMs - stood.untilMs) / weekMs));
  const floor = inactive.floor === undefined ? 0 : tiers.findIndex(({ id }) => id === inactive.floor);
  const below = step - Math.floor(weeksAway / inactive.weeks);
  return Math.min(step, Math.max(floor, below));
}

/** Until when a first score of a week gets a seat: for half the week, unless the league says otherwise. */
export function joinsUntilMs(
  { joins_until_hours: hours }: Pick<League, "joins_until_hours">,
  { opensAtMs, closesAtMs }: { opensAtMs: number; closesAtMs: number },
): number {
  return hours === undefined ? (opensAtMs + closesAtMs) / 2 : opensAtMs + hours * 3_600_000;
}
