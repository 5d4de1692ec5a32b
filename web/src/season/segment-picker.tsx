/** Whose ranking is shown, all players' or a segment's, and a menu of the board's segments. */
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { leftOutSaid, segmentText, segmentValuePattern } from "../../../functions/src/model/segments.ts";
import { readSegmentsOn } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { segmentPages } from "../data/queries.ts";
import { problemText } from "../errors.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatMany } from "../format/numbers.ts";
import { ShowMore } from "../parts/card.tsx";
import { LineForm } from "../parts/fields.tsx";
import { Menu } from "../parts/menu.tsx";
import { Notice, valueOf } from "../parts/states.tsx";
import { addressOf, segmentName } from "./segment.ts";
import { useSegment } from "./use-segment.ts";

/** Pages that are read at once to name the values that are ranked. */
const perStretch = 20;

interface Props {
  seasonKey: SeasonKey;
  definition: Definition;
}

/** Cost, for admins: 1 read a page of segments, at most 20 each time that it is opened, and 20 when asked for more. */
export function SegmentPicker(props: Props) {
  const segment = useSegment();
  if (props.definition.segments === undefined && segment === undefined) return null;
  const text = segment === undefined ? "All players" : segmentName(segment);
  return (
    <Menu label={`Players: ${text}. Choose others`} text={text}>
      <Choices {...props} />
    </Menu>
  );
}

function Choices({ seasonKey, definition: { segments = [] } }: Props) {
  const { path, query } = useLocation();
  const current = useSegment();
  const { player } = query;
  const showing = (segment?: string) => addressOf(path, { segment, ...(player !== undefined && { player }) });
  const growing = useGrowingList(
    isAdmin.value ? segmentPages(seasonKey, perStretch) : undefined,
    readSegmentsOn,
  );
  const pages = valueOf(growing.list) ?? [];
  const { leftOut = {} } = pages[0] ?? {};
  const ranked = new Map(pages.flatMap(({ players }) => players));
  return (
    <>
      {growing.list.state === "failed" && <Notice>{problemText(growing.list.error)}</Notice>}
      {Object.keys(leftOut).length > 0 && <Notice>{leftOutSaid(leftOut)}</Notice>}
      <ul>
        <li>
          <a href={showing()} aria-current={current === undefined ? "page" : undefined}>
            All players
          </a>
        </li>
      </ul>
      {segments.map(({ name, values }) => (
        <div key={name} class="picker-part">
          {values === undefined ? <ValueForm name={name} showing={showing} /> : <p class="hint">{name}</p>}
          <ul aria-label={name}>
            {textsOf(name, values, ranked).map((text) => (
              <li key={text}>
                <a href={showing(text)} aria-current={text === current ? "page" : undefined}>
                  <span class="picker-name">{text.slice(name.length + 1)}</span>
                  <Players count={ranked.get(text)} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <ShowMore of={growing}>Show more</ShowMore>
    </>
  );
}

function Players({ count }: { count: number | undefined }) {
  return count === undefined ? null : <span class="hint numbers">{formatMany(count, "player")}</span>;
}

/** The values that may be asked for, those that the board lists or all that are ranked, as `country=AT`. */
function textsOf(
  name: string,
  values: readonly string[] | undefined,
  ranked: ReadonlyMap<string, number>,
): string[] {
  return values === undefined
    ? [...ranked.keys()].filter((text) => text.startsWith(segmentText(name, "")))
    : values.map((value) => segmentText(name, value));
}

/** For a value that the board does not list, such as a guild's. */
function ValueForm({ name, showing }: { name: string; showing: (segment: string) => string }) {
  const { route } = useLocation();
  const [value, setValue] = useState("");
  return (
    <LineForm
      label={name}
      button="Show"
      spellcheck={false}
      isReady={segmentValuePattern.test(value)}
      value={value}
      onText={(text) => setValue(text.trim())}
      onSend={() => route(showing(segmentText(name, value)))}
    />
  );
}
