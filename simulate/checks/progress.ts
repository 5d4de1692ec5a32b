/** Every attempt of a ranking run makes progress: no shard document forces one run to read again twice. */
import { parentOf, type Write } from "../memory/store.ts";
import type { Actor } from "../scheduler.ts";
import { insist } from "./violation.ts";

const changedShard = /(leaderboards\/\S+\/scores\/\S+) was changed meanwhile/;

/** The versions of shard documents at which runs lost to other writers since they last published. */
export class Progress {
  private readonly beatenAt = new WeakMap<Actor, Map<string, string>>();

  /** A commit was tried. @param error why it failed @throws a violation */
  tried(actor: Actor | undefined, writes: readonly Write[], error?: unknown): void {
    const isPublication = writes.some(({ path }) => parentOf(path).endsWith("/scores_ranking"));
    if (actor?.name.startsWith("run of ") !== true || !isPublication) return;
    const beatenAt = this.beatenAt.get(actor) ?? new Map<string, string>();
    this.beatenAt.set(actor, beatenAt);
    const path = changedShard.exec(String(error))?.[1];
    const version = writes.find((write) => write.path === path)?.guard.lastUpdateTime?.valueOf();
    if (error === undefined) beatenAt.clear();
    if (path === undefined || version === undefined) return;
    const before = beatenAt.get(path) ?? version;
    beatenAt.set(path, version);
    insist(before === version, () => `progress: a run was beaten twice at ${path}`);
  }
}
