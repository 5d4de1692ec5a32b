/** The ids of boards that a template makes: `level:7` is a board of the template `level`. */

/**
 * The id under which a board's definition is saved, for which roles are granted, and which keeps its players' statuses.
 */
export function definitionId(leaderboard: string): string {
  const [id = ""] = leaderboard.split(":", 1);
  return id;
}

/** Whether a board has its definition from a template. */
export const isOfTemplate = (leaderboard: string) => leaderboard.includes(":");

/** The name of a board among those of its template: of `level:7` it is `7`. */
export function boardName(leaderboard: string): string {
  const [, name = ""] = leaderboard.split(":");
  return name;
}
