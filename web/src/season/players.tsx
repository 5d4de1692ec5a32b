/** All players in order, from any place or score. */
import { useLocation } from "preact-iso";
import { useRef, useState } from "preact/hooks";
import type { PageAnswer } from "../../../functions/src/model/answers.ts";
import type { Column } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { FirerankError } from "../../../client/src/firerank-error.ts";
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import type { Loaded } from "../data/read.ts";
import { useFollowing } from "../data/settled.ts";
import { mayModerate, session } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { WorkButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { LineForm, sending } from "../parts/fields.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { PlayerSheet } from "./asked-player.tsx";
import { EntriesTable } from "./entries-table.tsx";
import { LeftOut } from "./left-out.tsx";
import { type ScoreAsked, scoreForAddress, scoreIn, scoreInAddress } from "./score-asked.ts";
import { ScoreFields } from "./score-fields.tsx";
import { askedOf } from "./segment.ts";
import { type Selection, SelectionBar, useSelection } from "./selection.tsx";
import { type SeasonProps, sinceToday } from "./state.ts";
import { useAddress, useSegment } from "./use-segment.ts";

const perPage = 50;

export function Players({ seasonKey, definition, season }: SeasonProps) {
  const { query, route, url } = useLocation();
  const address = useAddress();
  const segment = useSegment();
  const place = Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.floor(Number(query["place"] ?? 1)) || 1));
  const score = scoreInAddress(definition?.columns, query["score"]);
  const cursor = query["after"];
  const known = session.value !== undefined && season !== undefined && definition !== undefined;
  const since = sinceToday(seasonKey, definition, segment);
  const newest = season?.ranking.generation ?? 0;
  const isRanked = newest > 0;
  /** How often a newer generation was asked for. */
  const [asked, setAsked] = useState(0);
  /** How often players of the list were hidden or banned here. */
  const [changes, setChanges] = useState(0);
  const page = usePromise(
    known
      ? `${place} ${query["score"] ?? ""} ${cursor ?? ""} ${isRanked ? "ranked" : ""} ${asked} ${changes} ${since.since ?? ""}`
      : undefined,
    () =>
      call("getPage", {
        ...seasonKey,
        ...askedOf(segment),
        ...since,
        limit: perPage,
        ...(cursor !== undefined ? { cursor } : (score ?? { offset: place - 1 })),
        ...(asked === 0 ? {} : { min_generation: newest }),
      }),
  );
  const found = valueOf(page);
  /** The place at which the list begins: from a score on, once it has come. */
  const start = found?.entries[0]?.position ?? place;
  const player = query["player"];
  const moderates = mayModerate(seasonKey.leaderboard);
  const selection = useSelection(`${segment ?? ""} ${place} ${query["score"] ?? ""} ${cursor ?? ""}`);
  const listed = (found?.entries ?? []).map((entry) => ({ player: entry.player, status: "active" as const }));
  /** The address from which Next led to each address: a place alone may be too deep among equals to be found again. */
  const before = useRef(new Map<string, string>());
  const goTo = (next: number) => route(address({ place: next }));
  const goOn = (next: number, after: string) => {
    const to = address({ place: next, after });
    before.current.set(to, url);
    route(to);
  };
  const goBack = () => route(before.current.get(url) ?? address({ place: Math.max(1, start - perPage) }));
  const beside = (
    <>
      {found !== undefined && (
        <span class="hint">
          Generation {formatCount(found.generation)}, as of <Ago ms={Date.parse(found.as_of)} />
        </span>
      )}
      {found !== undefined && found.generation < newest && (
        <button type="button" class="button button-small" onClick={() => setAsked(asked + 1)}>
          Show generation {formatCount(newest)}
        </button>
      )}
      {definition !== undefined && (
        <ScoreForm definition={definition} asked={score} onGo={(from) => route(address({ score: from }))} />
      )}
      <PlaceForm
        place={start}
        players={found?.players ?? (segment === undefined ? (season?.ranking.players ?? 0) : 0)}
        onGo={goTo}
      />
    </>
  );
  return (
    <div class="stack">
      <Card id="players" classes="card-flush" title="Players" beside={beside}>
        <List
          page={page}
          place={start}
          isFromScore={score !== undefined && cursor === undefined}
          seasonKey={seasonKey}
          columns={definition?.columns}
          selection={moderates ? selection : undefined}
        />
        <Pager page={found} place={start} onBack={goBack} onNext={goOn} />
        <SelectionBar
          leaderboard={seasonKey.leaderboard}
          listed={listed}
          selection={selection}
          statuses={["hidden", "banned"]}
          onChanged={() => setChanges((before) => before + 1)}
        />
      </Card>
      {moderates && <LeftOut seasonKey={seasonKey} />}
      {player !== undefined && (
        <PlayerSheet seasonKey={seasonKey} definition={definition} season={season} player={player} />
      )}
    </div>
  );
}

interface ListProps extends Pick<SeasonProps, "seasonKey"> {
  page: Loaded<PageAnswer>;
  place: number;
  isFromScore: boolean;
  columns: readonly Column[] | undefined;
  selection: Selection | undefined;
}

/** The players of a page, or why there are none. */
function List({ page, place, isFromScore, seasonKey, columns, selection }: ListProps) {
  const start = useAddress()();
  const found = valueOf(page);
  if (page.state === "failed")
    return isTooDeep(page.error) ? (
      <Empty
        icon="search"
        title={`Place ${formatCount(place)} is too far down among players with the same score`}
      >
        Go to a place before them and continue from there, or <a href={start}>to the first place</a>.
      </Empty>
    ) : (
      <Problem title="The list could not be read" error={page.error} />
    );
  if (found === undefined)
    return (
      <div class="players-loading">
        <LoadingRows rows={12} />
      </div>
    );
  if (found.entries.length === 0)
    return (
      <Empty
        icon="trophy"
        title={isFromScore ? "Nobody has this score or a worse one" : "There is no player at this place"}
      >
        {place > 1 || isFromScore ? (
          <a href={start}>Go to the first place</a>
        ) : (
          "The first ranking is published at the end of an interval."
        )}
      </Empty>
    );
  return (
    <EntriesTable
      entries={found.entries}
      columns={columns}
      seasonKey={seasonKey}
      caption={`Players from place ${place}`}
      selection={selection}
      isWide
    />
  );
}

/** Whether getPage would have to skip too many equals to reach a place. */
function isTooDeep(error: Error): boolean {
  return error instanceof FirerankError && error.fields.some(({ path }) => path === "offset");
}

interface PlaceFormProps {
  place: number;
  players: number;
  onGo: (place: number) => void;
}

function PlaceForm({ place, players, onGo }: PlaceFormProps) {
  const [text, setText] = useFollowing(String(place));
  const go = () => {
    if (Number(text) >= 1) onGo(Math.floor(Number(text)));
  };
  const number = { type: "number", class: "input numbers", min: 1, step: 1 } as const;
  return (
    <LineForm {...number} label="Go to place" button="Go" value={text} onText={setText} onSend={go}>
      <span class="hint numbers">of {formatCount(players)}</span>
    </LineForm>
  );
}

interface ScoreFormProps {
  definition: Definition;
  asked: ScoreAsked | undefined;
  onGo: (score: string) => void;
}

/** The list then begins with the best player who has this score or a worse one. */
function ScoreForm({ definition, asked, onGo }: ScoreFormProps) {
  const { columns } = definition;
  const go = (form: HTMLFormElement) => onGo(scoreForAddress(columns, scoreIn(columns, new FormData(form))));
  return (
    <form class="place-form" onSubmit={sending(go)}>
      <ScoreFields definition={definition} label="From score" isInLine asked={asked} />
      <WorkButton type="submit" classes="button-small">
        Find
      </WorkButton>
    </form>
  );
}

interface PagerProps {
  page: PageAnswer | undefined;
  place: number;
  onBack: () => void;
  onNext: (place: number, after: string) => void;
}

function Pager({ page, place, onBack, onNext }: PagerProps) {
  const last = page?.entries.at(-1)?.position;
  const cursor = page?.next_cursor;
  return (
    <div class="card-foot pager">
      <WorkButton disabled={place <= 1} onClick={onBack}>
        Previous {perPage}
      </WorkButton>
      <span class="hint numbers">
        {last === undefined
          ? "\u00a0"
          : `${formatCount(page?.entries[0]?.position ?? place)} to ${formatCount(last)}`}
      </span>
      <WorkButton
        disabled={cursor === undefined}
        onClick={() => {
          if (cursor !== undefined) onNext((last ?? place) + 1, cursor);
        }}
      >
        Next {perPage}
      </WorkButton>
    </div>
  );
}
