/** Deletes many documents: in commits of 500, a few at the same time. */
import type { DocumentReference } from "../documents/firestore.ts";
import { byId } from "../documents/queries.ts";
import { deletesPerCommit, deletionsAtOnce, documentsPerReadMax } from "../model/limits.ts";
import type { World } from "../world/world.ts";

/** Deletes documents, whether or not they exist. Cost: 1 delete each. */
export async function deleteDocuments({ db }: World, refs: readonly DocumentReference[]): Promise<void> {
  const step = deletesPerCommit * deletionsAtOnce;
  for (let i = 0; i < refs.length; i += step) {
    const commits = Array.from({ length: deletionsAtOnce }, (_, lane) => {
      const start = i + lane * deletesPerCommit;
      const batch = db.batch();
      for (const ref of refs.slice(start, Math.min(start + deletesPerCommit, i + step))) batch.delete(ref);
      return batch.commit();
    });
    await Promise.all(commits);
  }
}

/**
 * Deletes a collection's documents, until there are none left or the caller has no more time.
 *
 * It continues reading after what it has deleted: a query from the beginning would have to get past all deleted
 * documents.
 * Cost: 1 read and 1 delete a document, at least 1 read.
 * @param mayGoOn asked after each chunk, with the number of documents in it.
 * @returns whether all are gone.
 */
export async function deleteCollection(
  services: World,
  path: string,
  mayGoOn: (deleted: number) => Promise<boolean>,
  documentsPerRead = documentsPerReadMax,
): Promise<boolean> {
  let after: string | undefined;
  for (;;) {
    const { docs } = await byId(services.db, path, documentsPerRead, { after }).select().get();
    await deleteDocuments(
      services,
      docs.map(({ ref }) => ref),
    );
    after = docs.at(-1)?.id;
    if (docs.length < documentsPerRead) {
      if (docs.length > 0) await mayGoOn(docs.length);
      return true;
    }
    if (!(await mayGoOn(docs.length))) return false;
  }
}
