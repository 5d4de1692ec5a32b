/** The SHA-256 of a text: for names of one length, spread evenly. */
import { hash } from "node:crypto";

export function hashOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
