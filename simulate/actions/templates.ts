/**
 * Boards of templates are played beside the board: players submit to boards that nobody has made, the game adds and
 * deletes levels, and admins save templates, ban, merge and erase players on all boards, and delete boards.
 */
import { leaderboardPath } from "../../functions/src/documents/paths.ts";
import { type DefinitionChanges, definitionSchema } from "../../functions/src/model/definition.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import { taskSecondsMax } from "../../functions/src/model/limits.ts";
import { definitionId } from "../../functions/src/model/template.ts";
import { deleteLeaderboardSpec } from "../../functions/src/operations/delete-leaderboard.ts";
import { mergePlayersSpec } from "../../functions/src/operations/merge-players.ts";
import { removePlayerSpec } from "../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { answerSubmission, showChanges } from "../../functions/src/operations/shared/submission.ts";
import { recordSubmissions, type SubmissionOutcome } from "../../functions/src/submit/record-submissions.ts";
import { hasCode, oneOf, someOf, somePlayer, someScore } from "../actors.ts";
import type { BoardSubmission } from "../checks/board-players.ts";
import { collectionOf, templates } from "../checks/boards.ts";
import { beginMyBoards } from "../checks/my-boards.ts";
import type { Ending } from "../machine.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** What happens, and how often beside the others. */
const acts: readonly [weight: number, act: (world: World) => void][] = [
  [12, submitSome],
  [1.5, changeLevels],
  [0.6, saveTemplate],
  [1, setStatus],
  [0.4, (world) => removeFrom(world, someTemplate(world))],
  [0.5, mergeOn],
  [1, (world) => beginMyBoards(world, somePlayer(world))],
  [0.15, deleteBoard],
  [0.04, (world) => deleteBoards(world, someTemplate(world))],
];

/** Something happens to boards of templates. */
export function playTemplates(world: World): void {
  let left = world.random() * acts.reduce((sum, [weight]) => sum + weight, 0);
  acts.find(([weight]) => (left -= weight) < 0)?.[1](world);
}

const someTemplate = (world: World) => oneOf(world, templates);

/** Some of their ids differ little from each other. */
const names = ["1", "2", "a_-", "a-", "A"];

const someBoard = (world: World) => `${someTemplate(world)}:${oneOf(world, names)}`;

/** How often a caller sends a submission that was not answered. */
const triesMax = 3;

/** The most that players submit at the same time to a board, before each other's opened it. */
const togetherMax = 3;

/** Some submit at the same time to a board, each through some instance. */
function submitSome(world: World): void {
  const leaderboard = someBoard(world);
  for (let count = 1 + world.index(togetherMax); count > 0; count--) {
    const submission = world.boardPlayers.submits(
      leaderboard,
      somePlayer(world),
      someScore(world),
      world.newId(),
    );
    send(world, submission, 1);
  }
}

function send(world: World, submission: BoardSubmission, tries: number): void {
  const { leaderboard, player, score, id } = submission;
  const since = world.boardPlayers.moment();
  let outcome: SubmissionOutcome | undefined;
  world.invoke({
    name: `submit ${player} ${score} to ${leaderboard}${tries > 1 ? " again" : ""}`,
    work: { kind: "boards" },
    secondsMax,
    async handle(services) {
      [outcome] = await recordSubmissions(services, leaderboard, [{ player, score, submission_id: id }]);
      if (outcome !== undefined && "applied" in outcome)
        await answerSubmission(services, { leaderboard, player, applied: outcome.applied });
      await showChanges(services, outcome?.changes ?? []);
    },
    clear: ["leaderboard_not_found", "player_banned", "player_erased"],
    end(ending) {
      const answer = answerOf(ending, outcome);
      if (answer !== undefined) world.boardPlayers.answered(submission, answer, since);
      else if (tries < triesMax)
        world.retries.push({
          firstSentMs: submission.beganMs,
          againMs: world.now(),
          send() {
            send(world, submission, tries + 1);
          },
        });
    },
  });
}

function answerOf(ending: Ending, outcome: SubmissionOutcome | undefined) {
  if (hasCode(ending, "leaderboard_not_found")) return "missing";
  if (ending.how !== "done" || outcome === undefined) return undefined;
  if ("applied" in outcome) return "taken";
  return outcome.error instanceof FirerankError && outcome.error.code === "player_banned"
    ? "banned"
    : undefined;
}

/** The game adds a level, or deletes one. */
function changeLevels(world: World): void {
  const [template, name] = [someTemplate(world), oneOf(world, names)];
  const path = `${collectionOf(template)}/${name}`;
  const isThere = world.database.store.get(path) !== undefined;
  world.invoke({
    name: `the game ${isThere ? "deletes" : "adds"} ${path}`,
    secondsMax,
    handle: ({ db }) => (isThere ? db.doc(path).delete() : db.doc(path).set({ name })),
  });
}

/** A template's definition, or what of it an owner changes: mostly not what its first board freezes. */
function someChanges(world: World): DefinitionChanges {
  const changes: DefinitionChanges[] = [
    { ranking_interval_minutes: oneOf(world, [1, 2, 5]) },
    { top_size: oneOf(world, [1, 3, 10]) },
    { ties: oneOf(world, ["first", "last"] as const) },
    { template: someRule(world, someTemplate(world)) },
    { template: someRule(world, someTemplate(world)) },
    { order: oneOf(world, ["ascending", "descending"] as const) },
    { aggregation: oneOf(world, ["best", "latest", "sum"] as const) },
  ];
  return oneOf(world, changes);
}

function someRule(world: World, template: string): NonNullable<DefinitionChanges["template"]> {
  const most = oneOf(world, [0, 1, 2, 3]);
  const ids = world.random() < 0.5 ? ("any" as const) : { collection: collectionOf(template) };
  return { ids, ...(most === 0 ? {} : { new_boards_per_day: most }) };
}

/** A whole definition. */
export function someDefinition(world: World, template: string): DefinitionChanges {
  return {
    order: oneOf(world, ["ascending", "descending"] as const),
    aggregation: oneOf(world, ["best", "latest", "sum"] as const),
    top_size: oneOf(world, [1, 3, 10]),
    ranking_interval_minutes: oneOf(world, [1, 1, 5]),
    template: someRule(world, template),
  };
}

/** The templates as they are stored when a world begins. */
export function beginTemplates(world: World): void {
  const writes = templates.map((template) => {
    const definition = definitionSchema(0).parse(someDefinition(world, template));
    return { path: leaderboardPath(template), guard: {}, apply: () => ({ ...definition }) };
  });
  world.database.store.commit(writes);
}

/** An owner changes a template, or saves it again where it was deleted. */
function saveTemplate(world: World): void {
  const template = someTemplate(world);
  const isThere = world.boards.definitionOf(template) !== undefined;
  const definition = isThere ? someChanges(world) : someDefinition(world, template);
  world.invoke({
    name: `save ${template} ${JSON.stringify(definition)}`,
    secondsMax: taskSecondsMax,
    handle: (services) =>
      saveLeaderboardSpec.handle(services, { leaderboard: template, definition }, undefined),
    // Without its template, a definition would be a board's.
    clear: ["definition_frozen", "invalid_request"],
  });
}

/** An admin hides, bans or readmits a player on all boards of a template, whichever of them is named. */
function setStatus(world: World): void {
  const [template, player] = [someTemplate(world), somePlayer(world)];
  const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
  const open = world.boards.all().filter((board) => definitionId(board) === template);
  const leaderboard = (world.random() < 0.5 ? someOf(world, open) : undefined) ?? template;
  const asked = world.boardPlayers.asked(template, status, player);
  world.invoke({
    name: `make ${status} ${player} on ${leaderboard}`,
    work: { kind: "boards", asked },
    secondsMax: taskSecondsMax,
    handle: (services) => setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined),
    clear: [...gone, "player_not_ranked", "player_erased"],
    end(ending) {
      const isRefused = hasCode(ending, "player_not_ranked", "player_erased");
      world.boardPlayers.ended(asked, isRefused ? "refused" : ending.how === "done" ? "done" : "unknown");
    },
  });
}

/** A board may be deleted meanwhile. */
const gone = ["leaderboard_not_found", "season_not_found"] as const;

/** An admin erases a player from all boards of a template. */
function removeFrom(world: World, template: string): void {
  const player = somePlayer(world);
  const asked = world.boardPlayers.asked(template, "removed", player);
  world.invoke({
    name: `remove ${player} from ${template}`,
    work: { kind: "boards", asked },
    secondsMax: taskSecondsMax,
    handle: (services) => removePlayerSpec.handle(services, { leaderboard: template, player }, undefined),
    clear: gone,
    end(ending) {
      world.boardPlayers.ended(asked, ending.how === "done" ? "done" : "unknown");
    },
  });
}

/** An admin merges two players on all boards of a template. */
function mergeOn(world: World): void {
  const [template, from, to] = [someTemplate(world), somePlayer(world), somePlayer(world)];
  if (from === to) return;
  const asked = world.boardPlayers.asked(template, "merged", from, to);
  world.invoke({
    name: `merge ${from} into ${to} on ${template}`,
    work: { kind: "boards", asked },
    secondsMax: taskSecondsMax,
    handle: (services) => mergePlayersSpec.handle(services, { leaderboard: template, from, to }, undefined),
    clear: [...gone, "player_not_ranked", "player_erased"],
    end(ending) {
      world.boardPlayers.ended(asked, ending.how === "done" ? "done" : "unknown");
    },
  });
}

/** An admin deletes one board; its next score may open it again. */
function deleteBoard(world: World): void {
  const board = someOf(world, world.boards.all());
  if (board !== undefined) deleteBoards(world, board);
}

/** An admin deletes a board, or a template with all of its boards. */
function deleteBoards(world: World, leaderboard: string): void {
  world.invoke({
    name: `delete ${leaderboard}`,
    work: { kind: "boards" },
    secondsMax: taskSecondsMax,
    handle: (services) => deleteLeaderboardSpec.handle(services, { leaderboard }, undefined),
    clear: gone,
  });
}
