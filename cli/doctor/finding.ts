/** What a check says: findings, and what it could not look at. */

/**
 * `fault`: something does not work now. `danger`: it works, and will harm or cost something. `note`: worth knowing;
 * nothing has to be done. docs/doctor.md has every finding.
 */
export const gravities = ["fault", "danger", "note"] as const;
export type Gravity = (typeof gravities)[number];

export interface Finding {
  id: string;
  gravity: Gravity;
  /** What is wrong, with names and numbers. */
  what: string;
  /** A command, or a place in the console. */
  todo: string;
  /** What shows it, if it is not what shows the check's others. */
  known?: string | undefined;
}

/** What was not looked at. */
export interface Unchecked {
  why: string;
  /** Whether there is nothing to look at, as on emulators, which have no such thing. Then nobody has to do anything. */
  isAbsent: boolean;
  /** Better advice than the check's own, if there is any. */
  byHand?: string | undefined;
}

const ofGravity =
  (gravity: Gravity) =>
  (id: string, what: string, todo: string, known?: string): Finding => ({ id, gravity, what, todo, known });
export const fault = ofGravity("fault");
export const danger = ofGravity("danger");
export const note = ofGravity("note");

/** Thrown by a check, or by what it asks, when it cannot look. */
export class NotChecked extends Error {
  readonly unchecked: Unchecked;

  constructor(why: string, { isAbsent = false, byHand }: Partial<Omit<Unchecked, "why">> = {}) {
    super(why);
    this.unchecked = { why, isAbsent, byHand };
  }
}

/** An answer, or why there is none. @throws what is no {@link NotChecked} */
export async function orUnchecked<Answer>(
  asked: Promise<Answer> | undefined,
): Promise<{ answer?: Answer | undefined; unchecked?: Unchecked }> {
  try {
    return { answer: await asked };
  } catch (error) {
    if (error instanceof NotChecked) return { unchecked: error.unchecked };
    throw error;
  }
}

/** A list in words, shortened: `a, b and 3 more`. */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(", ");
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
