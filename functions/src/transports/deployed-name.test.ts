import { expect, test } from "vitest";
import { type Environment, queueOf } from "./deployed-name.ts";

/** The variables of a function, with its name in the code and that of its service. */
function running(target: string, service: string, more: Environment = {}): Environment {
  return { FUNCTION_TARGET: target, K_SERVICE: service, ...more };
}

const kit = "FIREBASE_KIT_INSTANCE_ID";

test.each<[shape: string, environment: Environment, queue: string]>([
  ["deployed, without a prefix", running("rankSeasons", "rankseasons"), "stepSeason"],
  ["deployed, with a prefix", running("rankSeasons", "mine-rankseasons"), "mine-stepSeason"],
  ["a prefix of several words", running("indexPlayer", "my-game-2-indexplayer"), "my-game-2-stepSeason"],
  ["a prefix that is a function's name", running("getTop", "gettop-gettop"), "gettop-stepSeason"],
  ["on the emulators, without a prefix", running("rankSeasons", "rankSeasons"), "stepSeason"],
  ["on the emulators, with a prefix", running("rankSeasons", "mine-rankSeasons"), "mine-stepSeason"],
  ["in a group", running("board.rankSeasons", "board-rankseasons"), "board-stepSeason"],
  ["in a group of large letters", running("Board.rankSeasons", "board-rankseasons"), "Board-stepSeason"],
  ["in groups", running("my_games.board.getTop", "my-games-board-gettop"), "my_games-board-stepSeason"],
  ["in a group, with a prefix", running("my_game.getTop", "a-my-game-gettop"), "a-my_game-stepSeason"],
  ["in all of one process", {}, "stepSeason"],
  ["a service without a target", { K_SERVICE: "mine-rankseasons" }, "stepSeason"],
  ["a target without a service", { FUNCTION_TARGET: "board.rankSeasons" }, "board-stepSeason"],
  ["in all of one process, told the prefix", { FIRERANK_PREFIX: "mine" }, "mine-stepSeason"],
  ["told an empty prefix", { FIRERANK_PREFIX: "" }, "stepSeason"],
  ["told another prefix", running("getTop", "a-gettop", { FIRERANK_PREFIX: "b" }), "a-stepSeason"],
  ["told a prefix that it has not", running("getTop", "gettop", { FIRERANK_PREFIX: "b" }), "stepSeason"],
  ["a service with a name by hand", running("getTop", "ranks"), "stepSeason"],
  ["a service that ends alike", running("getTop", "forgettop"), "stepSeason"],
  ["a service by hand, told the prefix", running("getTop", "x", { FIRERANK_PREFIX: "b" }), "b-stepSeason"],
  ["an empty instance, which is no kit", running("getTop", "a-gettop", { [kit]: "" }), "a-stepSeason"],
])("a queue's name is found: %s", (_shape, environment, queue) => {
  expect(queueOf("stepSeason", environment)).toEqual(asItIs(queue));
});

test("when deployed, firebase-admin puts a kit's instance in front, whose name may have a line", () => {
  const environment = running("rankSeasons", "kit-my-board-rankseasons", { [kit]: "my_board" });
  expect(queueOf("stepSeason", environment)).toEqual({ name: "stepSeason", scope: { scope: "current" } });
});

test.each([
  ["a process for each function", running("rankSeasons", "kit-my_board-rankSeasons")],
  ["one process for all", {}],
])("on the emulators, which have no tokens for kits, the whole name is given: %s", (_where, environment) => {
  const emulated = { [kit]: "my_board", FUNCTIONS_EMULATOR: "true" };
  expect(queueOf("stepSeason", { ...environment, ...emulated })).toEqual(asItIs("kit-my_board-stepSeason"));
});

/** A queue whose name firebase-admin leaves alone. */
function asItIs(name: string) {
  return { name, scope: { scope: "global" } };
}
