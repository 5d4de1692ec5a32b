/** What a check reports: findings, and what it could not look at. */
import type { FindingId } from "./catalog.ts";

export interface Finding {
  id: FindingId;
  /** What is wrong, with names and numbers. */
  what: string;
  /** What shows it. */
  known: string;
  /** A command, or a place in the console. */
  todo: string;
}

export interface Unchecked {
  why: string;
  byHand: string;
  /** Whether there is nothing to look at, as on emulators, which have no such thing. Then nobody has to do anything. */
  isAbsent: boolean;
}

/** The result of a check: what it saw that is well or worth knowing, and the rest. */
export interface Seen {
  seen: string;
  findings: Finding[];
  /** What it did not look at; by hand it is looked at as the check says, if nothing better is said. */
  unchecked?: (Omit<Unchecked, "byHand"> & Partial<Pick<Unchecked, "byHand">>)[];
}

/** Thrown by a check, or by what it asks, when it cannot look. */
export class NotChecked extends Error {
  readonly isAbsent: boolean;
  /** Better advice than the check's own, if there is any. */
  readonly byHand: string | undefined;

  constructor(why: string, { isAbsent = false, byHand }: { isAbsent?: boolean; byHand?: string } = {}) {
    super(why);
    this.name = "NotChecked";
    this.isAbsent = isAbsent;
    this.byHand = byHand;
  }
}

/** A list in words, shortened: `a, b and 3 more`. */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(", ");
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
