/** The client's `rankOf` over the page's own connection; loaded at the first question. */
import { rankOf as rankOfScore } from "../../../client/src/rank-of.ts";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { firestore } from "../firebase/firestore.ts";
import { boardOf } from "./calls.ts";

/** The rank that a score would have. Cost and errors: those of the client's `rankOf` */
export const rankOf = (key: SeasonKey, score: number | Readonly<Record<string, number>>) =>
  rankOfScore({ ...boardOf(key), firestore: firestore() }, score);
