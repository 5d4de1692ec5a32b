/** A season: its heading, its figures, and one of its tabs. */
import { lazy, useRoute } from "preact-iso";
import type { ComponentChildren } from "preact";
import { definitionPath, type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";
import { definitionOf } from "../../../functions/src/model/season-definition.ts";
import { spanOfId } from "../../../functions/src/model/season-id.ts";
import { definitionId, isOfTemplate } from "../../../functions/src/model/template.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import { generationsOf } from "../../../client/src/generations.ts";
import { boardOf, call } from "../data/calls.ts";
import { readSavedDefinition, readSeason } from "../data/documents.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { useDocument } from "../data/hooks.ts";
import { ExportTable } from "../export/export-table.tsx";
import { isAdmin, session } from "../firebase/session.ts";
import { formatIn, readersZone } from "../format/zones.ts";
import { AskButton } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { crumbsOf, Screen } from "../parts/screen.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { questionBefore } from "../runs/repairs.ts";
import { StateChip } from "../parts/chips.tsx";
import { Figures } from "./figures.tsx";
import { Overview } from "./overview.tsx";
import { SeasonPicker } from "./season-picker.tsx";
import { addressOf } from "./segment.ts";
import { SegmentPicker } from "./segment-picker.tsx";
import { type SeasonProps, stateOf } from "./state.ts";
import { SeasonTimes } from "./season-times.tsx";
import { useSegment } from "./use-segment.ts";

const Players = lazy(() => import("./players.tsx").then((module) => module.Players));
const Runs = lazy(() => import("../runs/runs.tsx").then((module) => module.Runs));
const FirstScoreCard = lazy(() => import("./first-score-card.tsx").then((module) => module.FirstScoreCard));

export function SeasonScreen() {
  const { params } = useRoute();
  const { board = "", season: id = "", tab = "" } = params;
  const key = { leaderboard: board, season: id };
  const shownOf = `${board}/${id} ${useSegment() ?? ""}`;
  const known = session.value !== undefined;
  const definition = useDocument(known ? definitionPath(board) : undefined, readSavedDefinition);
  const season = useDocument(known ? seasonPath(key) : undefined, (data) => {
    const read = readSeason(data);
    const { seen = 0, saw } = generationsOf(boardOf(key));
    if (read !== undefined && read.ranking.generation > seen) saw(read.ranking.generation);
    return read;
  });
  const isGone = season.state === "ready" && season.value?.status === "deleting" && !isAdmin.value;
  const saved = valueOf(definition);
  const isTemplate = saved?.definition.template !== undefined;
  const missing =
    definition.state === "ready" && (definition.value === undefined || isTemplate !== isOfTemplate(board));
  const unopened =
    definition.state === "ready" && season.state === "ready" && (season.value === undefined || isGone);
  // The line above a season that ends is only known with the season: the rest waits for it, so that nothing moves
  // later.
  const isComing = season.state === "loading" && id !== "all_time";
  const shown = unopened || isComing || season.state === "failed" ? undefined : tab;
  const props = {
    seasonKey: key,
    definition: saved && definitionOf(saved, valueOf(season)),
    season: isGone ? undefined : valueOf(season),
  };
  return (
    <Screen
      title={board}
      tabTitle={`${board} · ${tab === "" ? id : tab}`}
      crumbs={[...crumbsOf(board), { href: `/boards/${board}`, name: "Seasons" }]}
      about={<About {...props} />}
      actions={isAdmin.value && !missing && <Actions {...props} />}
    >
      {definition.state === "failed" && (
        <Problem title="The board could not be read" error={definition.error} />
      )}
      {season.state === "failed" && definition.state !== "failed" && (
        <Problem title="The season could not be read" error={season.error} />
      )}
      {missing && props.season === undefined && (
        <Empty icon="search" title={`There is no leaderboard “${board}”`}>
          {isTemplate ? (
            <a href={`/boards/${board}`}>The template {board}, and its boards</a>
          ) : (
            <a href="/boards">All leaderboards</a>
          )}
        </Empty>
      )}
      {missing && props.season !== undefined && (
        <Empty icon="alert" title={`The definition of “${definitionId(board)}” was deleted`}>
          Its players and its last ranking are still stored, but they are not ranked any more.{" "}
          {isAdmin.value && (
            <>
              <a href="/new-board">Create the leaderboard again</a> under the same id, with the order and the
              columns that it had, and ranking resumes.
            </>
          )}
        </Empty>
      )}
      {!missing && definition.state !== "failed" && (
        <>
          <SeasonTimes id={id} season={season} definition={props.definition} />
          <Figures season={season} zone={props.definition?.time_zone} />
          <Tabs seasonKey={key} current={tab} />
          {unopened && tab !== "runs" && <NoScore {...props} />}
          {isComing && tab !== "runs" && <LoadingRows rows={12} />}
          {shown === "" && <Overview key={shownOf} {...props} />}
          {shown === "players" && <Players key={shownOf} {...props} />}
          {tab === "runs" && !isComing && <Runs key={`${board}/${id}`} {...props} />}
        </>
      )}
    </Screen>
  );
}

/** A season without any score; usually the one that the next score opens. */
function NoScore({ definition, seasonKey: { leaderboard, season } }: SeasonProps) {
  const span = spanOfId(season);
  const mayOpen = span !== "custom" && definition?.spans.includes(span) === true;
  return (
    <div class="stack">
      <div class="card">
        {mayOpen ? (
          <Empty icon="trophy" title="No score yet">
            The first submission opens the season; this page shows it at once.
          </Empty>
        ) : (
          <Empty icon="search" title={`There is no season “${season}” of this leaderboard`}>
            <a href={`/boards/${leaderboard}`}>All its seasons</a>
          </Empty>
        )}
      </div>
      {mayOpen && isAdmin.value && <FirstScoreCard leaderboard={leaderboard} definition={definition} />}
    </div>
  );
}

function About({ definition, season, seasonKey }: SeasonProps) {
  return (
    <span class="chips">
      <SeasonPicker seasonKey={seasonKey} spans={definition?.spans ?? []} />
      {definition !== undefined && (
        <>
          <SegmentPicker seasonKey={seasonKey} definition={definition} />
          <span class="chip chip-plain">{`${definition.order}, ${definition.aggregation}`}</span>
          <span class="chip chip-plain">
            {definition.visibility === "public" ? "public" : "signed-in users"}
          </span>
        </>
      )}
      {season !== undefined && stateOf(season, serverNow.value) !== "open" && (
        <StateChip season={season} nowMs={serverNow.value} />
      )}
    </span>
  );
}

/** The actions on the whole season. A season that has ended is ranked by its closing, and then final. */
function Actions({ seasonKey, definition, season }: SeasonProps): ComponentChildren {
  const isRanked = season === undefined || stateOf(season, serverNow.value) === "open";
  return (
    <>
      <a class="button" href={`/boards/${seasonKey.leaderboard}`}>
        Settings
      </a>
      {season !== undefined && <EndSeason seasonKey={seasonKey} season={season} />}
      {season?.status === "closed" && definition !== undefined && (
        <ExportTable key={seasonKey.season} seasonKey={seasonKey} definition={definition} />
      )}
      {isRanked && (
        <AskButton question={questionBefore("rank", seasonKey, season?.ranking.players ?? 0)}>
          Rank now
        </AskButton>
      )}
    </>
  );
}

/** A button for a tournament that has not ended; seasons of spans are ended by their calendar. Cost: 1 read, 1 write. */
function EndSeason({ seasonKey, season }: { seasonKey: SeasonKey; season: Season }) {
  useServerClock();
  const state = stateOf(season, serverNow.value);
  if (season.span !== "custom" || (state !== "open" && state !== "coming")) return null;
  const question = {
    title: `End ${seasonKey.season}?`,
    text: "It takes scores for about one more minute, because functions cache that it is open. Then it closes, and a few minutes later its table is final. An ended season cannot be reopened.",
    verb: "End it",
    isDanger: true,
    work: async () => {
      const { closes_at: closes } = await call("closeSeason", seasonKey);
      const until = closes === null ? "" : ` until ${formatIn(Date.parse(closes), readersZone())}, your time`;
      tell("good", `${seasonKey.season} takes scores${until}. Then its final table is made.`);
    },
  };
  return <AskButton question={question}>End …</AskButton>;
}

function Tabs({ seasonKey: { leaderboard, season }, current }: { seasonKey: SeasonKey; current: string }) {
  const base = `/boards/${leaderboard}/${season}`;
  const segment = useSegment();
  const tabs: [id: string, name: string, href: string][] = [
    ["", "Overview", base],
    ["players", "Players", `${base}/players`],
  ];
  if (isAdmin.value) tabs.push(["runs", "Runs", `${base}/runs`]);
  return (
    <nav class="tabs" aria-label="Season">
      {tabs.map(([id, name, href]) => (
        <a
          key={id}
          href={addressOf(href, { segment })}
          class="tab"
          aria-current={id === current ? "page" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
