/**
 * Nothing is lost: a twin of the players' documents that knows only the requests and the answers.
 *
 * Requests about one player may overlap, so their order is unknown. The check is that some order explains every answer,
 * where a request that was answered before another began comes before it (linearizability; the search is that of Wing
 * and Gong, 1993). Requests that failed or died may have happened once or not at all. When no request about a player is
 * open, only the possible states are remembered.
 */
import type { Definition } from "../../functions/src/model/definition.ts";
import { isBetter } from "../../functions/src/model/score.ts";
import { insist } from "./violation.ts";

/** The parts of a player's document that answers depend on; undefined if there is none. */
export interface PlayerState {
  /** Undefined if there is no score that can be ranked. */
  score: number | undefined;
  status: "active" | "hidden" | "banned";
  /** The remembered ids of submissions that may be resent, sorted. */
  ids: readonly string[];
}

/** A request about a player. */
export type Request =
  | { kind: "submit"; score: number; id: string | undefined; isRetry: boolean }
  | { kind: "set score"; score: number | undefined }
  | { kind: "overwrite"; state: PlayerState }
  | { kind: "set status"; status: PlayerState["status"] }
  | { kind: "remove" };

/** Its result: `score` after a submission, `refused` for banned players or if there is no document. */
export type Answer = { score: number | undefined } | "done" | "refused" | "unknown";

/** A request under way. */
export interface Open {
  request: Request;
  began: number;
  ended: number;
  answer: Answer;
}

export interface PlayersTwin {
  /** Requests about a player whose order is still open; the search grows with them. */
  overlapping(player: string): number;
  /** Whether so many states are possible that the search would not end: as when nothing has been answered for long. */
  isUnclear(player: string): boolean;
  /** Requests about a player so far. */
  requests(player: string): number;
  /** The submission with this id is not resent: whether it is remembered no longer matters. */
  forget(id: string): void;
  begin(player: string, request: Request): Open;
  /** @throws a violation if no order explains the answers. */
  end(player: string, open: Open, answer: Answer): void;
  /** @throws a violation unless some order leads to the document. Only when nothing is open. */
  atRest(player: string, actual: PlayerState | undefined): void;
  players(): string[];
}

/** The most states that the search begins in. */
const statesMax = 1_000;

interface Group {
  states: (PlayerState | undefined)[];
  requests: Open[];
  open: number;
  count: number;
  /** Whether a status may be kept for future seasons: a request that dies can leave one without a document. */
  mayBeKept: boolean;
}

/** No player yet. It is one function, as requests and stored documents decide together which states are possible. */
export function createPlayersTwin(definition: Pick<Definition, "aggregation" | "order">): PlayersTwin {
  const groups = new Map<string, Group>();
  const forgotten = new Set<string>();
  let clock = 0;

  function groupOf(player: string): Group {
    let group = groups.get(player);
    if (group === undefined)
      groups.set(
        player,
        (group = { states: [undefined], requests: [], open: 0, count: 0, mayBeKept: false }),
      );
    return group;
  }

  return {
    overlapping: (player) => groups.get(player)?.requests.length ?? 0,
    isUnclear(player) {
      const group = groupOf(player);
      const mayForget = group.requests.length === 0 && group.states.length > statesMax;
      if (mayForget) group.states = withoutIds(group.states, forgotten);
      return group.states.length > statesMax;
    },
    requests: (player) => groups.get(player)?.count ?? 0,
    forget: (id) => void forgotten.add(id),
    begin(player, request) {
      const group = groupOf(player);
      const open: Open = { request, began: ++clock, ended: Infinity, answer: "unknown" };
      group.requests.push(open);
      group.open += 1;
      group.count += 1;
      group.mayBeKept ||= request.kind === "set status" && request.status !== "active";
      return open;
    },
    end(player, open, answer) {
      const group = groupOf(player);
      open.ended = ++clock;
      open.answer = answer;
      group.open -= 1;
      if (group.open > 0) return;
      const states = explain(definition, group);
      insist(
        states.length > 0,
        () => `nothing lost: no order of requests explains the answers about ${player}: ${describe(group)}`,
      );
      group.states = withoutIds(states, forgotten);
      group.requests = [];
    },
    atRest(player, actual) {
      const group = groupOf(player);
      const fits = group.states.filter((state) => sameDocument(state, actual));
      insist(
        fits.length > 0,
        () =>
          `nothing lost: ${player} is ${JSON.stringify(actual)}, but answered was ${JSON.stringify(group.states)}`,
      );
      group.states = fits;
    },
    players: () => [...groups.keys()],
  };
}

/** The distinct states once some ids no longer matter. */
function withoutIds(states: Group["states"], forgotten: ReadonlySet<string>): Group["states"] {
  const left = states.map(
    (state) => state && { ...state, ids: state.ids.filter((id) => !forgotten.has(id)) },
  );
  return [...new Map(left.map((state) => [keyOf(state), state])).values()];
}

/** All states that some order of a group's requests leads to, consistent with every answer. */
function explain(
  definition: Pick<Definition, "aggregation" | "order">,
  { states, requests, mayBeKept }: Group,
) {
  const ends = new Map<string, PlayerState | undefined>();
  const seen = new Set<string>();
  // Erasing a player also erases the remembered ids: a submission whose answer was lost before may then count again.
  const isErased = requests.some(({ request }) => request.kind === "remove" || request.kind === "overwrite");
  const mustHappen = requests.reduce(
    (mask, { answer }, i) => (answer === "unknown" ? mask : mask | (1 << i)),
    0,
  );

  function search(done: number, state: PlayerState | undefined, repeated = 0): void {
    const name = `${done} ${repeated} ${keyOf(state)}`;
    if (seen.has(name)) return;
    seen.add(name);
    if ((done & mustHappen) === mustHappen) ends.set(keyOf(state), state);
    requests.forEach((open, i) => {
      if ((done & (1 << i)) !== 0) return;
      // Every request answered before this one began must have happened before it.
      const tooEarly = requests.some(
        (other, j) => (mustHappen & (1 << j)) !== 0 && (done & (1 << j)) === 0 && other.ended < open.began,
      );
      // Nor can it happen after its own end, whatever its result.
      const tooLate = requests.some((other, j) => (done & (1 << j)) !== 0 && other.began > open.ended);
      if (tooEarly || tooLate) return;
      for (const next of outcomes(definition, state, open, mayBeKept))
        search(done | (1 << i), next, repeated);
      const mayOnceMore = isErased && open.request.kind === "submit" && (repeated & (1 << i)) === 0;
      if (!mayRepeat(definition, open.request) && !mayOnceMore) return;
      const again = mayOnceMore ? repeated | (1 << i) : repeated;
      for (const next of outcomes(definition, state, { ...open, answer: "unknown" }, mayBeKept))
        search(done, next, again);
    });
  }

  for (const state of states) search(0, state);
  return [...ends.values()];
}

/**
 * Whether a request may take effect before the moment of its answer: the client library repeats a transaction if a
 * commit's answer is lost. So an erasure may also take along what was submitted while it was under way. A sum without an
 * id may not be repeated.
 */
function mayRepeat({ aggregation }: Pick<Definition, "aggregation">, request: Request): boolean {
  if (request.kind === "set status" || request.kind === "remove") return true;
  return request.kind === "submit" && (aggregation !== "sum" || request.id !== undefined);
}

/** The states after a request, if its answer is possible in this state. */
function outcomes(
  definition: Pick<Definition, "aggregation" | "order">,
  state: PlayerState | undefined,
  { request, answer }: Open,
  mayBeKept: boolean,
): (PlayerState | undefined)[] {
  switch (request.kind) {
    case "submit":
      return submitted(definition, state, request, answer);
    case "set score":
      if (answer === "refused") return [];
      return [{ ids: [], status: "active", ...state, score: request.score }];
    case "overwrite":
      return answer === "refused" ? [] : [request.state];
    case "set status":
      if (state === undefined) return setOnNobody(request.status, answer, mayBeKept);
      return answer === "refused" ? [] : [{ ...state, status: request.status }];
    case "remove":
      return answer === "refused" ? [] : [undefined];
  }
}

/** If a status is kept, it can be lifted, and set again: then the player gets a document with nothing else. */
function setOnNobody(
  status: PlayerState["status"],
  answer: Answer,
  mayBeKept: boolean,
): (PlayerState | undefined)[] {
  const made = mayBeKept && status !== "active" ? [{ score: undefined, status, ids: [] }] : [];
  if (answer === "done") return mayBeKept && status === "active" ? [undefined] : made;
  return answer === "refused" ? [undefined] : [undefined, ...made];
}

function submitted(
  { aggregation, order }: Pick<Definition, "aggregation" | "order">,
  state: PlayerState | undefined,
  { score, id, isRetry }: Request & { kind: "submit" },
  answer: Answer,
): (PlayerState | undefined)[] {
  if (state?.status === "banned") return answer === "refused" || answer === "unknown" ? [state] : [];
  if (answer === "refused") return [];
  const before = state?.score;
  const possible: (PlayerState | undefined)[] = [];
  const isRepeated = id !== undefined && state?.ids.includes(id) === true;
  // If only the best score counts, an id is remembered only if the submission improved it.
  if (isRepeated || (isRetry && aggregation === "best" && before !== undefined)) possible.push(state);
  if (!isRepeated) {
    const sum = {
      best: before !== undefined && !isBetter(order, score, before) ? before : score,
      latest: score,
      sum: (before ?? 0) + score,
    };
    const next = sum[aggregation];
    const remembers = id !== undefined && (aggregation !== "best" || next !== before);
    const ids = remembers ? [...(state?.ids ?? []), id].sort() : (state?.ids ?? []);
    possible.push({ status: state?.status ?? "active", score: next, ids });
  }
  if (answer === "unknown" || answer === "done") return possible;
  return possible.filter((after) => after?.score === answer.score);
}

function sameDocument(a: PlayerState | undefined, b: PlayerState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.score === b.score && a.status === b.status;
}

function keyOf(state: PlayerState | undefined): string {
  return state === undefined ? "none" : `${state.score} ${state.status} ${state.ids.join(",")}`;
}

function describe({ states, requests }: Group): string {
  const list = requests.map(({ request, answer, began, ended }) => ({ ...request, answer, began, ended }));
  return `${JSON.stringify(list)} from ${JSON.stringify(states)}`;
}
