/** The current season's name, and a menu of the board's other seasons. */
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readListedSeason } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { seasonsOf } from "../data/queries.ts";
import { serverNow } from "../data/server-clock.ts";
import { Icon } from "../parts/icon.tsx";
import { Notice, problemText, Skeleton, valueOf } from "../parts/states.tsx";
import { StateChip } from "../parts/chips.tsx";
import { isShown, seasonsMax } from "../seasons/shown.ts";

/** Cost: 1 read a season, at most 20, each time that the list is opened. */
export function SeasonPicker({ seasonKey }: { seasonKey: SeasonKey }) {
  const { url } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => setOpen(false), [url]);
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      const isOutside =
        !(event instanceof KeyboardEvent) && place.current?.contains(event.target as Node) === false;
      if (!isEscape && !isOutside) return;
      setOpen(false);
      if (isEscape) place.current?.querySelector("summary")?.focus();
    };
    const kinds = ["keydown", "pointerdown", "focusin"] as const;
    for (const kind of kinds) document.addEventListener(kind, leave);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, leave);
    };
  }, [isOpen]);
  return (
    <details
      ref={place}
      class="picker"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class="chip chip-accent" aria-label={`Season ${seasonKey.season}. Show the others`}>
        {seasonKey.season} <Icon name="chevron" size={12} />
      </summary>
      {isOpen && <Choices seasonKey={seasonKey} />}
    </details>
  );
}

function Choices({ seasonKey: { leaderboard, season } }: { seasonKey: SeasonKey }) {
  const { list } = useGrowingList(seasonsOf(leaderboard, seasonsMax), readListedSeason);
  const seasons = valueOf(list)?.filter(isShown);
  return (
    <div class="picker-list">
      {list.state === "failed" && <Notice>{problemText(list.error)}</Notice>}
      {list.state === "loading" && <Skeleton width={16} />}
      <ul>
        {seasons?.map((other) => (
          <li key={other.id}>
            <a
              href={`/boards/${leaderboard}/${other.id}`}
              aria-current={other.id === season ? "page" : undefined}
            >
              <span class="picker-name">{other.id}</span>
              <StateChip season={other.season} nowMs={serverNow.value} />
            </a>
          </li>
        ))}
        <li>
          <a href={`/boards/${leaderboard}`}>All seasons</a>
        </li>
      </ul>
    </div>
  );
}
