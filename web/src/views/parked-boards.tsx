/** Boards whose definition was deleted while they had a season: nothing else in the dashboard would show them. */
import { computed } from "@preact/signals";
import { now } from "../clock.ts";
import { usePromise } from "../data/hooks.ts";
import { parkedSeasons } from "../data/queries.ts";
import { readStretch } from "../data/read.ts";
import { isAdmin } from "../firebase/session.ts";
import { Notice, valueOf } from "../parts/states.tsx";
import { boardsOfSeasons } from "./failures.ts";

const parkedShown = 20;
const minute = computed(() => Math.floor(now.value / 60_000));

/** A line for each such board. Cost: each minute 1 read for each, at least 1 and at most 20. */
export function ParkedBoards() {
  const parked = usePromise(
    isAdmin.value ? `parked ${minute.value}` : undefined,
    async () => boardsOfSeasons((await readStretch(parkedSeasons(parkedShown))).found),
    { keepsLast: true },
  );
  return (
    <>
      {valueOf(parked)?.map((board) => (
        <Notice key={board} role="status">
          The definition of <a href={`/boards/${board}`}>{board}</a> was deleted, so the board is not ranked.
          Create it again under the same id, and ranking resumes.
        </Notice>
      ))}
    </>
  );
}
