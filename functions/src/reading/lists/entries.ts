/** Lines of a list: from a player's stored document to the entry that callers get. Pure, except for its types. */
import { type DocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { type Player, readPlayer } from "../../documents/player.ts";
import type { ListPlace } from "../../documents/queries.ts";
import { scoreIfRanked } from "../../documents/ranked-score.ts";
import { comparePlaces } from "../../documents/standings.ts";
import type { Entry } from "../../model/answers.ts";
import { unpackColumns } from "../../model/columns.ts";
import type { Definition } from "../../model/definition.ts";
import { isoTime } from "../../model/instant.ts";
import type { Place, Places } from "../lookup.ts";
import { toEntry } from "../top-answer.ts";

/** A player who can be listed. */
export interface Listed {
  id: string;
  score: number;
  achievedAt: Timestamp;
  /** Where queries find the player. */
  place: ListPlace;
  player: Player;
}

/** A position in a list, and whether it is certain. */
export interface Position {
  position: number;
  exact: boolean;
}

/**
 * The player of a document; undefined if it has no ranked score. A trusted server's document that the trigger has not
 * completed yet is listed where it will be: at the time when it was written.
 */
export function listedOf(document: DocumentSnapshot): Listed | undefined {
  const data = document.data() ?? {};
  const score = scoreIfRanked(data);
  if (score === undefined) return undefined;
  const { id, updateTime = Timestamp.fromMillis(0) } = document;
  const achieved: unknown = data["achieved_at"] ?? updateTime;
  const achievedAt = achieved instanceof Timestamp ? achieved : updateTime;
  return { id, score, achievedAt, place: [score, achieved, id], player: readPlayer(data) };
}

/** What decides the total order. */
type ListedPlace = Pick<Listed, "id" | "score" | "achievedAt">;

/** Compares two players by the total order: the better one first. */
export function compareListed(
  { order, ties }: Pick<Definition, "order" | "ties">,
  a: ListedPlace,
  b: ListedPlace,
): number {
  return comparePlaces(order, ties, { ...a, player: a.id }, { ...b, player: b.id });
}

/** The entry of a player whose score has a place. */
export function entryOf(
  { order, columns }: Pick<Definition, "order" | "columns">,
  { id, score, achievedAt, player }: ListedPlace & { player: Pick<Player, "display_name" | "metadata"> },
  place: Pick<Place, "rank" | "exact">,
  { position, exact }: Position,
): Entry {
  const { display_name, metadata } = player;
  const line = { player: id, rank: place.rank, position, score, achieved_at: achievedAt };
  return {
    ...toEntry({ ...line, columns: unpackColumns(order, columns, score), display_name, metadata }),
    ...(place.exact ? {} : { exact: false as const }),
    ...(exact ? {} : { position_exact: false as const }),
  };
}

/** The fields that every list has beside its entries. */
export function dated({ asOf, generation }: Pick<Places, "asOf" | "generation">) {
  return { as_of: isoTime(asOf), generation };
}
