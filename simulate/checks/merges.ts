/** What two players' documents of a season become in a merge, told without any code of the merge. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import type { Data } from "../memory/store.ts";
import type { Status } from "./player.ts";

/** A score and its time. */
interface Merged {
  score: number | undefined;
  at: Timestamp | undefined;
}

/** A player of a merge: the score and time that count, and the document as it is stored. */
export interface Side {
  held: Merged;
  data: Data;
}

type Rules = Pick<Definition, "aggregation" | "order" | "ties">;

/** The score of `to` afterwards, and its time. */
export function scoreAfter({ aggregation, order, ties }: Rules, from: Side, to: Side | undefined): Merged {
  if (to === undefined) return from.held;
  const [a, b] = [from.held, to.held];
  const isRepeated = addsNothing(from.data, to.data);
  if (isRepeated && aggregation !== "best") return b;
  if (b.score === undefined) return a;
  if (a.score === undefined) return b;
  if (aggregation === "sum") return { score: a.score + b.score, at: later(a.at, b.at) };
  if (aggregation === "latest") {
    const [sent, other] = [sentAt(from), sentAt(to)];
    return sent !== undefined && (other === undefined || sent.valueOf() > other.valueOf()) ? a : b;
  }
  if (a.score === b.score && isRepeated) return b;
  if (a.score !== b.score) return isBetter(order, a.score, b.score) ? a : b;
  if (a.at === undefined || b.at === undefined || a.at.isEqual(b.at)) return a;
  return a.at.valueOf() < b.at.valueOf() === (ties === "first") ? a : b;
}

/** Whether all that a player has submitted is known to be the other's already: only a better score counts then. */
function addsNothing(from: Data, to: Data): boolean {
  const [ids, known] = [from, to].map((data) => (data["submission_ids"] ?? []) as string[]);
  const again = ids?.filter((id) => known?.includes(id)).length ?? 0;
  return again > 0 && again === from["attempts"];
}

function sentAt({ data, held }: Side): Timestamp | undefined {
  const at = data["last_submission_at"];
  return at instanceof Timestamp ? at : held.at;
}

function later(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.valueOf() > b.valueOf() ? a : b;
}

const statusesByStrictness: readonly Status[] = ["active", "hidden", "banned"];

/** The stricter of some statuses. */
export function strictest(statuses: readonly Status[]): Status {
  return statusesByStrictness.findLast((status) => statuses.includes(status)) ?? "active";
}
