import type { ZodError } from "zod";

/** The first problem of data that a schema refuses, in one line: where it is, if not at the top, and what it is. */
export function firstProblem({ issues: [first] }: ZodError): string {
  if (first === undefined) return "it has another form";
  const path = first.path.join(".");
  return path === "" ? first.message : `${path}: ${first.message}`;
}
