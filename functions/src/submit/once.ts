/**
 * Submissions that count once even if their transaction runs twice.
 *
 * A transaction may run again although its commit succeeded and only the answer was lost; and a submission that shared
 * a batch may be tried alone while the batch is being committed. On most boards the second time changes nothing. Where
 * it would (a sum; a limit on attempts or on their frequency), a submission without an id gets one, so that the player's
 * document shows whether it was recorded.
 */
import type { Definition } from "../model/definition.ts";

/** Whether a submission that is applied twice counts twice on one of these boards. */
export function needsId(definitions: readonly Definition[]): boolean {
  return definitions.some(
    ({ aggregation, max_attempts: most, min_seconds_between: wait }) =>
      aggregation === "sum" || most !== undefined || wait !== undefined,
  );
}
