/** Every attempt of a ranking run makes progress: no shard document forces one run to read again twice. */
import type {
  DocumentReference,
  Firestore,
  Precondition,
  WriteBatch,
} from "../../functions/src/documents/firestore.ts";
import { pagesPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import { parentOf } from "../memory/store.ts";
import type { World } from "../world.ts";

const changedShard = /leaderboards\/\S+\/scores\/\S+(?= was changed meanwhile)/;

/**
 * A run's client, which records the versions of shard documents at which it lost to other writers since it last
 * published.
 */
export function watchProgress(world: World, key: SeasonKey, db: Firestore): Firestore {
  const beatenAt = new Map<string, string>();

  function beaten(path: string, version: string): void {
    const before = beatenAt.get(path);
    if (before !== undefined && before !== version)
      world.violation ??= new Error(`progress: a run was beaten twice at ${path}`);
    beatenAt.set(path, version);
  }

  /** A batch that also records what it deletes and whether it is a publication. */
  function watched(batch: WriteBatch): WriteBatch {
    const versions = new Map<string, string>();
    let publishes = false;
    async function commit(): Promise<unknown> {
      try {
        const result = await batch.commit();
        if (publishes) beatenAt.clear();
        return result;
      } catch (error) {
        const [path = ""] = changedShard.exec(String(error)) ?? [];
        const version = versions.get(path);
        if (publishes && version !== undefined) beaten(path, version);
        throw error;
      }
    }
    function note({ path }: DocumentReference, guard?: Precondition): void {
      publishes ||= parentOf(path) === pagesPath(key);
      const { lastUpdateTime } = guard ?? {};
      if (lastUpdateTime !== undefined) versions.set(path, lastUpdateTime.valueOf());
    }
    return new Proxy(batch, {
      get(target, name) {
        if (name === "commit") return commit;
        const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          note(given[0] as DocumentReference, name === "delete" ? (given[1] as Precondition) : undefined);
          return method.apply(target, given);
        };
      },
    });
  }

  return Object.assign(Object.create(db) as Firestore, { batch: () => watched(db.batch()) });
}
