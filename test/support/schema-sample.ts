/** What documents of a schema look like at their largest, for checks of the stored fields. */
import { z } from "zod";
import { Timestamp } from "../../functions/src/documents/firestore.ts";

/** A map or an array whose number of elements its schema leaves open. */
export interface OpenField {
  /** Such as `found.pages`. */
  path: string;
  /** Whether it is inside the element of an array, which has index entries of its own only as a whole. */
  isInArray: boolean;
}

/** The documents that a schema describes: one, or each alternative of a union. */
export function alternativesOf(schema: z.ZodType): z.ZodType[] {
  return schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]).flatMap(alternativesOf) : [schema];
}

/**
 * A document with every field that its schema knows, optional ones too.
 * @param lengthOf how many elements a map or an array gets.
 * @throws for a kind of schema that it does not know, so that no field is passed over.
 */
export function sampleOf(schema: z.ZodType, lengthOf: (field: OpenField) => number): Record<string, unknown> {
  return valueOf(schema, { path: "", isInArray: false }, lengthOf) as Record<string, unknown>;
}

function valueOf(schema: z.ZodType, at: OpenField, lengthOf: (field: OpenField) => number): unknown {
  const elements = (make: (i: number) => unknown) => Array.from({ length: lengthOf(at) }, (_, i) => make(i));
  const map = (value: z.ZodType) =>
    Object.fromEntries(elements((i) => [`key${i}`, valueOf(value, below(at, `key${i}`), lengthOf)]) as []);
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.ZodType> = schema.shape;
    const fields = Object.entries(shape);
    return Object.fromEntries(
      fields.map(([name, inner]) => [name, valueOf(inner, below(at, name), lengthOf)]),
    );
  }
  if (schema instanceof z.ZodArray)
    return elements(() => valueOf(schema.element as z.ZodType, { ...at, isInArray: true }, lengthOf));
  if (schema instanceof z.ZodRecord) return map(schema.valueType as z.ZodType);
  // A class, such as a time; or any map, where the schema asks for no more.
  if (schema instanceof z.ZodCustom) return schema.safeParse({}).success ? map(z.number()) : Timestamp.now();
  const [first] = alternativesOf(schema);
  if (first !== undefined && first !== schema) return valueOf(first, at, lengthOf);
  // What is stored is what goes in.
  if (schema instanceof z.ZodPipe) return valueOf(schema.def.in as z.ZodType, at, lengthOf);
  if (isWrapper(schema)) return valueOf(schema.def.innerType as z.ZodType, at, lengthOf);
  if (scalars.some((kind) => schema instanceof kind)) return 0;
  throw new Error(`${at.path} has a schema of a kind that is not known here: ${schema.def.type}`);
}

const scalars = [z.ZodNumber, z.ZodString, z.ZodBoolean, z.ZodEnum, z.ZodLiteral, z.ZodUnknown];

type Wrapper = z.ZodOptional | z.ZodExactOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault | z.ZodCatch;

function isWrapper(schema: z.ZodType): schema is Wrapper {
  return [z.ZodOptional, z.ZodExactOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault, z.ZodCatch].some(
    (kind) => schema instanceof kind,
  );
}

const below = ({ path, isInArray }: OpenField, name: string): OpenField => ({
  path: path === "" ? name : `${path}.${name}`,
  isInArray,
});
