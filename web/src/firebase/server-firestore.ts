/**
 * In place of functions/src/documents/firestore.ts (vite.config.ts), so that the functions' schemas parse here too: a
 * time without Firestore's SDK, which the page loads only for what is live.
 */
import { isInstant } from "../../../functions/src/model/instant.ts";

export class Timestamp {
  readonly seconds: number;
  readonly nanoseconds: number;

  constructor(seconds: number, nanoseconds: number) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }

  /** Times of the SDK count too: what is live has them. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return isInstant(value);
  }

  static fromMillis(ms: number): Timestamp {
    const seconds = Math.floor(ms / 1_000);
    return new Timestamp(seconds, Math.floor((ms - seconds * 1_000) * 1e6));
  }

  toMillis(): number {
    return this.seconds * 1_000 + this.nanoseconds / 1e6;
  }

  toDate(): Date {
    return new Date(this.toMillis());
  }
}
