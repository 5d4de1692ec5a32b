/** The interface's description, narrowed to existing names: generated names would never hit a board. */
import type { Known } from "./fuzz-boards.ts";

/** The parts of the description that are narrowed. */
export interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
}

type Schema = Record<string, unknown>;

interface DescribedOperation {
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

/** A copy. @param admin whether requests may submit for any player. */
export function narrowed(description: Description, known: Known, admin: boolean): Description {
  const copy = structuredClone(description);
  const schemas: Record<string, Schema> = {
    leaderboard: { enum: known.leaderboards },
    player: { enum: known.players },
    players: { type: "array", items: { enum: known.players }, minItems: 1, maxItems: 100 },
    season: { enum: ["all_time"] },
    span: { enum: ["all_time"] },
    columns: columnsOf(known),
  };
  for (const { parameters = [], requestBody } of Object.values(copy.paths).flatMap(
    Object.values<DescribedOperation>,
  )) {
    for (const parameter of parameters) parameter.schema = schemas[parameter.name] ?? parameter.schema;
    const content = requestBody?.content["application/json"];
    if (content !== undefined) content.schema = submissionOf(content.schema, known, admin);
  }
  return copy;
}

/** A submission has a score or columns; a player's own submission names no player. */
function submissionOf({ properties, ...rest }: Schema, known: Known, admin: boolean): Schema {
  const { score, columns: _, player: __, ...shared } = properties as Record<string, Schema>;
  const named = admin ? { ...shared, player: { enum: known.players } } : shared;
  const kind = (required: string, schema: Schema | undefined) => ({
    ...rest,
    properties: { ...named, [required]: schema },
    required: [required],
  });
  return { oneOf: [kind("score", score), kind("columns", columnsOf(known))] };
}

function columnsOf({ columns }: Known): Schema {
  const properties = columns.map(({ name, min, max }) => [
    name,
    { type: "integer", minimum: min, maximum: max },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as Schema,
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
}
