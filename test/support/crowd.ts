/** Boards of thousands of players, written fast and ranked by a real run; and what a plain sort says of them. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  pagePath,
  playerPath,
  seasonPath,
  type SeasonKey,
  shardPath,
} from "../../functions/src/documents/paths.ts";
import type { Order } from "../../functions/src/model/score.ts";
import { markToField, segmentText, type SegmentValues } from "../../functions/src/model/segments.ts";
import { packPages } from "../../functions/src/ranking/pack-pages.ts";
import type { Rows } from "../../functions/src/ranking/rows.ts";
import { type Row, rowsOf } from "./rows.ts";
import { type Finalist, sortFinalists } from "./standings.ts";
import { presentOf, type World } from "./world.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";

export interface Member extends Finalist {
  segments?: SegmentValues;
}

const textsOf = ({ segments = {} }: Member) =>
  Object.entries(segments)
    .map(([name, value]) => segmentText(name, value))
    .sort();

/** A member with the place that a plain sort of all gives. */
export interface Placed extends Member {
  rank: number;
  position: number;
}

/** Writes the members' documents, and one shard document that counts them all. */
export async function populate({ db, services }: World, key: SeasonKey, members: Member[]): Promise<void> {
  await boardCacheOf(services).open(presentOf(key));
  const writer = db.bulkWriter({ throttling: false });
  for (const member of members) {
    const { id, score, achievedMs, name, metadata, segments } = member;
    const achieved = Timestamp.fromMillis(achievedMs);
    void writer.set(db.doc(playerPath(key, id)), {
      score,
      achieved_at: achieved,
      status: "active",
      attempts: 1,
      ...(name !== undefined && { display_name: name }),
      ...(metadata && { metadata }),
      ...(segments && { segments }),
      counted: { score, of: "a crowd", ...(segments && { segments: textsOf(member) }) },
    });
  }
  await writer.close();
  const counts = Map.groupBy(members, (member) => markToField(member.score, textsOf(member)));
  const slotEndsAtMs = services.now();
  await db.doc(shardPath(key, 0, slotEndsAtMs)).set({
    slot_ends_at: Timestamp.fromMillis(slotEndsAtMs),
    player_count: Object.fromEntries([...counts].map(([field, { length }]) => [field, length])),
    marks: members.length,
  });
}

/** Publishes rows as generation 1, as a run would on a board with as many players as they say. */
export async function publishRows(
  { db, services }: World,
  key: SeasonKey,
  order: Order,
  rows: readonly Row[] | Rows,
  pending?: Rows,
): Promise<void> {
  const { readTime } = await db.doc(seasonPath(key)).get();
  const about = {
    generation: 1,
    unusable_scores: 0,
    as_of: readTime,
    read_at: readTime,
    next_publish_at: Timestamp.fromMillis(services.now() + 60_000),
  };
  const pages = packPages(order, "players" in rows ? rows : rowsOf(rows), about, pending);
  await Promise.all(pages.map((page) => db.doc(pagePath(key, page.page)).set(page)));
}

/** {@link populate}, and the first ranking. */
export async function populateAndRank(world: World, key: SeasonKey, members: Member[]): Promise<void> {
  await populate(world, key, members);
  const record = await world.publish(key);
  if (record.players !== members.length)
    throw new Error(`${record.players} of ${members.length} players ranked`);
}

/** All members in the total order, with rank and position. */
export function placed<One extends Member>(
  order: Order,
  ties: "first" | "last",
  members: readonly One[],
): (One & Placed)[] {
  const sorted = sortFinalists({ order, ties }, members);
  let rank = 0;
  return sorted.map((member, index) => {
    if (member.score !== sorted[index - 1]?.score) rank = index + 1;
    return { ...member, rank, position: index + 1 };
  });
}
