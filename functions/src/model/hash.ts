/** The SHA-256 of a text, for names that have one length and are spread evenly. */
import { hash } from "node:crypto";

export function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
