/** Tables of players: a section of the list of all, and the columns that it shares with the live top. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Entry, Movement } from "../../../functions/src/model/answers.ts";
import type { Column as ScoreColumn } from "../../../functions/src/model/columns.ts";
import { shownName } from "../../../functions/src/model/display-name.ts";
import { mayModerate } from "../firebase/session.ts";
import { formatCount, formatScore } from "../format/numbers.ts";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { type Selection, selectColumn } from "./selection.tsx";
import { usePlayerAddress } from "./use-segment.ts";

interface Props {
  entries: readonly Entry[];
  columns: readonly ScoreColumn[] | undefined;
  seasonKey: SeasonKey;
  highlighted?: string;
  /** What the table contains, for screen readers. */
  caption: string;
  /** Whether there is room for the time, and for the place where it differs from the rank. */
  isWide?: boolean;
  /** Where players can be selected. */
  selection?: Selection | undefined;
}

const place: Column<Entry> = [
  "Place",
  ({ position, position_exact: exact }) => (
    <span class="muted">
      {exact === false && <span title="a guess, below the top">≈ </span>}
      {formatCount(position)}
    </span>
  ),
  "number rank-head",
];
const rank: Column<Entry> = [
  "Rank",
  ({ rank: number, exact }) => (
    <>
      {exact === false && <span title="a guess, in a merged row">≈ </span>}
      {formatCount(number)}
    </>
  ),
  "number rank-head",
];
const reached: Column<Entry> = [
  "Reached",
  ({ achieved_at: at }) => <Ago ms={Date.parse(at)} />,
  "number muted wide-only",
];

/** How far a rank has moved, on a board that keeps movement. */
const moved: Column<Entry> = ["Moved", (entry) => <Moved of={entry} />, "number"];

/** ▲3, ▼2 or –; `new` for a player who had no rank then. */
export function Moved({ of: { moved, moved_why: why } }: { of: Movement }) {
  if (moved == null)
    return why === undefined ? null : <span class="muted">{why === "new" ? "new" : "–"}</span>;
  const { places, from_rank: from, exact } = moved;
  const text =
    places === 0 ? "–" : `${exact ? "" : "≈ "}${places > 0 ? "▲" : "▼"}${formatCount(Math.abs(places))}`;
  const title = places === 0 ? "as before" : `${formatCount(Math.abs(places))} ${places > 0 ? "up" : "down"}`;
  return (
    <span
      class={places > 0 ? "strong" : "muted"}
      title={`${title}: rank ${formatCount(from)} when today began`}
    >
      {text}
    </span>
  );
}

export function EntriesTable({
  entries,
  columns,
  seasonKey,
  highlighted,
  caption,
  isWide = false,
  selection,
}: Props) {
  const hasMoved = entries.some((entry) => entry.moved !== undefined);
  const first = hasMoved ? [rank, moved] : [rank];
  const narrow = [...first, playerColumn(seasonKey, highlighted), ...scoreColumns(columns)];
  // A place says nothing where each is the rank.
  const hasPlaces = isWide && entries.some(({ position, rank: number }) => position !== number);
  const shown = [...(hasPlaces ? [place] : []), ...narrow, ...(isWide ? [reached] : [])];
  if (selection !== undefined) shown.unshift(selectColumn(selection));
  return (
    <Table columns={shown} classes="table-links table-dense" caption={caption}>
      {entries.map((entry) => (
        <tr key={entry.player} class={entry.player === highlighted ? "row-marked" : ""}>
          <Cells columns={shown} row={entry} />
        </tr>
      ))}
    </Table>
  );
}

type Named = Pick<Entry, "player" | "display_name">;

/** The players' names; that of `current` is marked. */
export function playerColumn(seasonKey: SeasonKey, current?: string): Column<Named> {
  return [
    "Player",
    (entry) => <PlayerName entry={entry} seasonKey={seasonKey} isCurrent={entry.player === current} />,
    "named",
    16,
  ];
}

interface Scored {
  score: number;
  columns?: Record<string, number> | undefined;
}

/** The score: one column, or one for each of the board. */
export function scoreColumns(columns: readonly ScoreColumn[] | undefined): Column<Scored>[] {
  if (columns === undefined) return [["Score", ({ score }) => formatScore(score), "number", 6]];
  return columns.map(({ name }, i) => [
    columnTitle(name),
    (entry) => formatScore(entry.columns?.[name] ?? NaN),
    i === 0 ? "number strong" : "number wide-only",
    6,
  ]);
}

/** A column's name as a heading: `goal_difference` is "Goal difference". */
export function columnTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A score as text, outside tables: `61.25`, or `30 points, 12 goals`. */
export function scoreText({ score, columns }: Scored): string {
  if (columns === undefined) return formatScore(score);
  return Object.entries(columns)
    .map(([name, value]) => `${formatScore(value)} ${name.replaceAll("_", " ")}`)
    .join(", ");
}

interface NameProps {
  entry: Named;
  seasonKey: SeasonKey;
  isCurrent?: boolean;
}

/**
 * The name, as a link to the player's rank. It is isolated, as a name may run from right to left or change the
 * direction of the text after it. Admins also see the id: names may be alike, and calls take ids.
 */
export function PlayerName({ entry, seasonKey, isCurrent = false }: NameProps) {
  const { player } = entry;
  const { leaderboard } = seasonKey;
  const address = usePlayerAddress(seasonKey);
  const name = shownName(entry);
  return (
    <span class="player-name">
      <a class="row-link" href={address(player)} title={name} aria-current={isCurrent ? "true" : undefined}>
        <bdi>{name}</bdi>
      </a>
      {mayModerate(leaderboard) && name !== player && <bdi class="player-id">{player}</bdi>}
    </span>
  );
}
