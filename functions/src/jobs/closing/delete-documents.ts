/**
 * Deletes many documents. What a commit deletes counts, with its index entries, towards the 10 MiB of a request, so it
 * has as many as fit at their largest; if it is refused all the same, each half is tried by itself.
 */
import type { DocumentReference } from "../../documents/firestore.ts";
import { inChunks } from "../../documents/reads.ts";
import { byId } from "../../documents/queries.ts";
import { deletesPerCommit, documentsPerReadMax } from "../../model/limits.ts";
import { createPool } from "../../ranking/pool.ts";
import { mayShrink } from "../../world/retryable.ts";
import type { World } from "../../world/world.ts";

export interface DeleteOptions {
  documentsPerRead?: number | undefined;
  /** Documents of one commit. */
  perCommit?: number;
  /** Which documents go, by their ids; all by default. */
  isWanted?: (id: string) => boolean;
}

/** Commits of deletions at the same time. */
const deletionsAtOnce = 4;

/**
 * Deletes a collection's documents, until none are left or the time is over. It reads on after what it has deleted, as
 * a query from the beginning would have to get past all of it. Cost: 1 read and 1 delete a document, at least 1 read.
 * @param mayGoOn asked after each chunk, with the number of documents that were deleted.
 * @returns whether all are gone.
 */
export async function deleteCollection(
  services: World,
  path: string,
  mayGoOn: (deleted: number) => Promise<boolean>,
  {
    documentsPerRead = documentsPerReadMax,
    perCommit = deletesPerCommit,
    isWanted = () => true,
  }: DeleteOptions = {},
): Promise<boolean> {
  const pool = createPool(deletionsAtOnce);
  const all = byId(services.db, path, documentsPerRead).select();
  for await (const docs of inChunks(all, documentsPerRead)) {
    const refs = docs.flatMap(({ id, ref }) => (isWanted(id) ? [ref] : []));
    const starts = Array.from({ length: Math.ceil(refs.length / perCommit) }, (_, i) => i * perCommit);
    await pool(starts, (start) => deleteTogether(services, refs.slice(start, start + perCommit)));
    // What stays is read again each time, so no step ends on the way through it.
    const goesOn = refs.length === 0 || (await mayGoOn(refs.length));
    if (!goesOn && docs.length === documentsPerRead) return false;
  }
  return true;
}

async function deleteTogether(services: World, refs: readonly DocumentReference[]): Promise<void> {
  const batch = services.db.batch();
  for (const ref of refs) batch.delete(ref);
  try {
    await batch.commit();
  } catch (error) {
    if (refs.length < 2 || !mayShrink(error)) throw error;
    const half = Math.ceil(refs.length / 2);
    await deleteTogether(services, refs.slice(0, half));
    await deleteTogether(services, refs.slice(half));
  }
}
