/** Closed seasons, written the slow and obvious way: standings from a full sort. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  playerPath,
  seasonPath,
  type SeasonKey,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { publishStandings } from "../../functions/src/jobs/closing/publish-standings.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { type Finalist, sortFinalists, standingsOf } from "./standings.ts";
import { placed, type Placed } from "./crowd.ts";
import type { World } from "./world.ts";

export interface ClosedSeason {
  /** All who are in it, best first. */
  finals(): Placed[];
  /**
   * Removes players, as an admin does: their documents, the standings and the summary in one commit.
   * @param publishes whether the publication follows that informs other instances.
   */
  takeOut(ids: readonly string[], publishes?: boolean): Promise<void>;
  /** Readmits removed players, likewise. */
  bringBack(ids: readonly string[]): Promise<void>;
}

type Ordering = Pick<Definition, "order" | "ties">;

/** Closes a season of ranked players, with documents of `size` players. */
export async function closeSeasonOf(
  world: World,
  key: SeasonKey,
  ordering: Ordering,
  all: readonly Finalist[],
  size = 1_000,
): Promise<ClosedSeason> {
  const { db, services } = world;
  const gone = new Set<string>();
  let revisions = 0;
  const now = () => Timestamp.fromMillis(services.now());

  async function write(also: (batch: ReturnType<typeof db.batch>) => void): Promise<void> {
    const { summary, documents, metadata } = standingsOf(ordering, all, {
      size,
      gone,
      revisions,
      asOfMs: services.now(),
    });
    const batch = db.batch();
    batch.set(db.doc(standingsSummaryPath(key)), { ...summary, parts: 1 });
    const touched = (n: number) => revisions === 0 || changed.has(n);
    for (const [n, document] of documents.entries())
      if (touched(n)) batch.set(db.doc(standingsPath(key, n)), document);
    for (const [n, texts] of metadata.entries())
      if (texts !== undefined && touched(n)) batch.set(db.doc(standingsMetadataPath(key, n)), texts);
    also(batch);
    await batch.commit();
  }

  /** The documents that the players of a revision are in. */
  let changed = new Set<number>();
  async function revise(ids: readonly string[], status: "active" | "hidden", publishes = true) {
    revisions += 1;
    for (const id of ids)
      if (status === "hidden") gone.add(id);
      else gone.delete(id);
    const sorted = sortFinalists(ordering, all);
    changed = new Set(ids.map((id) => Math.floor(sorted.findIndex((one) => one.id === id) / size)));
    await write((batch) => {
      for (const id of ids) batch.update(db.doc(playerPath(key, id)), { status });
    });
    if (!publishes) return;
    // By another instance: this one's memory stays as it was.
    const other = world.anotherInstance();
    await publishStandings(other, await other.boards.load(key));
  }

  await write((batch) => {
    batch.update(db.doc(seasonPath(key)), { status: "closed", closed_at: now(), next_run_at: null });
  });
  services.boards.forget(key.leaderboard);
  return {
    finals: () =>
      placed(
        ordering.order,
        ordering.ties,
        all.filter(({ id }) => !gone.has(id)),
      ),
    takeOut: (ids, publishes) => revise(ids, "hidden", publishes),
    bringBack: (ids) => revise(ids, "active"),
  };
}
