/** The SHA-256 of a text: for names of one length, spread evenly. */
import { createHash } from "node:crypto";

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
