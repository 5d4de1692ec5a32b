/** The fields of a definition's form, made from its schema; only labels and hints are written here. Pure. */
import { z } from "zod";
import { definitionSchema } from "../../../functions/src/model/definition.ts";

export interface Field {
  name: string;
  /**
   * `numbers` are typed by name, as in `daily 3, weekly 10`; `template` is its ids and its number, as in `levels, 500`;
   * `teams` is what they are ranked by, and numbers by name, as in `best 10, min_players 3`; `fields` are fields of its own.
   */
  kind: "choice" | "number" | "numbers" | "template" | "teams" | "fields" | "text" | "choices" | "lines";
  /** For a choice: all options. */
  options: string[];
  isInteger: boolean;
  /** A choice of true and false. */
  isBoolean: boolean;
  /** The default value; undefined if there is none. */
  default: unknown;
  /** Of lines: what each consists of, and how many there may be. Of fields: these. */
  parts: Field[];
  linesMax: number;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: JsonSchema;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
}

export function definitionFields(): Field[] {
  return fieldsOf(z.toJSONSchema(definitionSchema(0), { io: "input", unrepresentable: "any" }) as JsonSchema);
}

function fieldsOf({ properties = {} }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => fieldOf(name, schema));
}

function fieldOf(name: string, schema: JsonSchema): Field {
  const { items } = schema;
  const constant = schema.const ?? items?.const;
  return {
    name,
    kind: kindOf(schema),
    options: [
      ...(schema.enum ?? items?.enum ?? (schema.type === "boolean" ? [false, true] : [])),
      ...(constant === undefined ? [] : [constant]),
    ].map(String),
    isInteger: schema.type === "integer",
    isBoolean: schema.type === "boolean",
    default: schema.default,
    parts: fieldsOf(items ?? schema),
    linesMax: schema.maxItems ?? Infinity,
  };
}

function kindOf({ type, enum: choices, const: only, items, properties }: JsonSchema): Field["kind"] {
  if (choices !== undefined || only !== undefined || type === "boolean") return "choice";
  if (type === "number" || type === "integer") return "number";
  if (type === "object" && properties?.["by"] !== undefined) return "teams";
  if (type === "object" && properties?.["ids"] !== undefined) return "template";
  if (type === "object") return Object.values(properties ?? {}).every(isNumber) ? "numbers" : "fields";
  if (type !== "array") return "text";
  return items?.properties === undefined ? "choices" : "lines";
}

const isNumber = ({ type }: JsonSchema) => type === "number" || type === "integer";

/** Each field's label, what it does, and what an empty one stands for. */
export const words: Record<string, [label: string, hint: string, empty?: string]> = {
  order: ["Order", "Whether the highest score leads, or the lowest, as with times."],
  aggregation: ["Aggregation", "Which score counts if a player submits several."],
  columns: [
    "Columns",
    "Scores with several parts, the most important first. Without columns a score is one number.",
  ],
  decimals: [
    "Decimals",
    "Digits after the point: scores are rounded to them, and sums and limits are exact.",
    "As submitted",
  ],
  spans: [
    "Spans",
    "Seasons that run side by side: a score counts in each. The first one is the default. If you remove a span, its current season runs to its end.",
  ],
  time_zone: [
    "Time zone",
    "Days, weeks and months begin at midnight in this zone: an IANA name, such as Europe/Vienna. A change takes effect with the next season.",
  ],
  week_starts_on: ["Weeks start on", "A change takes effect with the next season."],
  ties: ["Ties", "Who is listed first among equal scores: the first to reach the score, or the last."],
  ranking_interval_minutes: ["Minutes between rankings", "How often ranks are published."],
  visibility: ["Visibility", "Who may read the board."],
  top_size: ["Size of the top", "Players in the live list."],
  top_refresh_seconds: [
    "Seconds between refreshes of the top",
    "How long the live list collects changes before everybody who watches gets them. It grows while changes keep coming.",
  ],
  min_score: ["Lowest score", "Submissions below are refused.", "No limit"],
  max_score: ["Highest score", "Submissions above are refused.", "No limit"],
  max_change: ["Largest change", "The most that one submission may change a score.", "No limit"],
  min_seconds_between: [
    "Seconds between submissions",
    "Minimum time between two submissions by one player.",
    "No limit",
  ],
  max_attempts: [
    "Attempts",
    "Most submissions per player in a season, by span: daily 3, weekly 10. Tournaments are custom. A number alone is for the first span, and for each tournament.",
    "No limit",
  ],
  submit: ["Who submits", "With server, scores from players' devices are refused."],
  tiers: ["Tiers", "Names for the top N % of players, the best first."],
  segments: [
    "Segments",
    "Parts of the players with ranks of their own, such as a country's. A player's value comes with a score, one of those listed here; or from a claim of the player's account; or from your servers. A new segment begins with nobody in it. Where its values come from is fixed by the first score. Whoever may read the board sees each player's value, also one from a claim, unless it is seen by self alone. With teams the values are ranked too: type sum, mean, or best 10 for the best ten players; and after a comma, min_players 3.",
  ],
  movement: [
    "Movement",
    "Answers can say how far a rank has moved since today or this week began. It counts from the next midnight on.",
  ],
  league: [
    "League",
    "Weekly groups of players on a ladder of tiers: the best of a group go up, the last go down. The board needs the span weekly. A change is for groups that begin later.",
  ],
  private_groups: [
    "Private groups",
    "Players make groups of friends, and join them with a code. Boards of a template have none.",
  ],
  keep_seasons: [
    "Seasons kept",
    "How many closed seasons of each span to keep. Older ones are deleted when the next one closes; tournaments never.",
    "All",
  ],
  template: [
    "Template",
    "Makes this the definition of many boards, such as level:7 for the template level. Type any for any name, or a collection of yours whose documents name the boards. After a comma: how many new boards a day.",
    "No template",
  ],
  events: [
    "Events",
    "Events that the board writes for your own triggers, in its collection events. Only those you choose cost anything.",
  ],
};

/** The same of the fields that a field has, by their paths. */
export const innerWords: Record<string, [label: string, hint: string, empty?: string]> = {
  "league.size": ["Size of a group", "Seats, 5 to 100."],
  "league.min_size": ["Least members", "In a group of fewer nobody moves."],
  "league.tiers": [
    "Tiers of the league",
    "The lowest first: id, name, how many of a full group go up, and how many down. In a smaller group it is their share, rounded down, but one goes up from five members on.",
  ],
  "league.joins_until_hours": [
    "Hours to join",
    "How long a first score of the week gets a seat.",
    "Half the week",
  ],
  "league.inactive": ["Absence", "What becomes of players who were away. It is reckoned at their return."],
  "league.inactive.weeks": ["Weeks away", "For each so many weeks it happens once.", "Nothing happens"],
  "league.inactive.then": ["Then", "Keep the tier, or go one tier down."],
  "league.inactive.floor": ["Not below", "The id of a tier.", "The lowest tier"],
};

/** What the inputs of a line are called. */
export const partWords: Record<string, string> = {
  name: "Name",
  min: "Least",
  max: "Most",
  order: "Order",
  top_percent: "Top %",
  from: "From",
  values: "Values",
  visible: "Seen by",
  teams: "Teams",
  id: "Id",
  promote: "Go up",
  demote: "Go down",
};

interface Group {
  title: string;
  names: string[];
}

/** The groups of fields that every board needs, and those that few boards do. A field in no group comes last. */
export const groups: Group[] = [
  { title: "Scores", names: ["order", "aggregation", "columns", "decimals"] },
  { title: "Seasons", names: ["spans", "time_zone"] },
  { title: "Access", names: ["visibility", "submit"] },
  { title: "Ranking", names: ["ranking_interval_minutes", "tiers"] },
];
export const advancedGroups: Group[] = [
  {
    title: "Limits",
    names: ["min_score", "max_score", "max_change", "min_seconds_between", "max_attempts"],
  },
  { title: "Top and lists", names: ["top_size", "top_refresh_seconds", "ties", "movement", "segments"] },
  { title: "More about seasons", names: ["week_starts_on", "keep_seasons", "events"] },
  { title: "Groups", names: ["league", "private_groups"] },
  { title: "Many boards", names: ["template"] },
];
