import { expect, test } from "vitest";
import { type Environment, queueName } from "./deployed-name.ts";

/** The variables of a function, with its name in the code and that of its service. */
function running(target: string, service: string, more: Environment = {}): Environment {
  return { FUNCTION_TARGET: target, K_SERVICE: service, ...more };
}

test.each<[shape: string, environment: Environment, queue: string]>([
  ["deployed, without a prefix", running("rankSeasons", "rankseasons"), "rankSeason"],
  ["deployed, with a prefix", running("rankSeasons", "mine-rankseasons"), "mine-rankSeason"],
  ["a prefix of several words", running("indexPlayer", "my-game-2-indexplayer"), "my-game-2-rankSeason"],
  ["a prefix that is a function's name", running("getTop", "gettop-gettop"), "gettop-rankSeason"],
  ["the task asking for itself", running("rankSeason", "mine-rankseason"), "mine-rankSeason"],
  ["on the emulators, without a prefix", running("rankSeasons", "rankSeasons"), "rankSeason"],
  ["on the emulators, with a prefix", running("rankSeasons", "mine-rankSeasons"), "mine-rankSeason"],
  ["in a group", running("board.rankSeasons", "board-rankseasons"), "board-rankSeason"],
  ["in a group of large letters", running("Board.rankSeasons", "board-rankseasons"), "Board-rankSeason"],
  [
    "in groups",
    running("my_games.board.rankSeasons", "my-games-board-rankseasons"),
    "my_games-board-rankSeason",
  ],
  ["in a group, with a prefix", running("board.rankSeasons", "a-board-rankseasons"), "a-board-rankSeason"],
  ["in all of one process", {}, "rankSeason"],
  ["in all of one process, told the prefix", { FIRERANK_PREFIX: "mine" }, "mine-rankSeason"],
  ["told an empty prefix", { FIRERANK_PREFIX: "" }, "rankSeason"],
  [
    "told another prefix than it has",
    running("getTop", "a-gettop", { FIRERANK_PREFIX: "b" }),
    "a-rankSeason",
  ],
  ["told a prefix that it has not", running("getTop", "gettop", { FIRERANK_PREFIX: "b" }), "rankSeason"],
  ["a service with a name by hand", running("getTop", "ranks"), "rankSeason"],
  ["a service that ends alike", running("getTop", "forgettop"), "rankSeason"],
  ["a service by hand, told the prefix", running("getTop", "x", { FIRERANK_PREFIX: "b" }), "b-rankSeason"],
])("a queue's name is found: %s", (_shape, environment, queue) => {
  expect(queueName("rankSeason", environment)).toBe(queue);
});

test.each([
  ["deployed", running("rankSeasons", "kit-main-rankseasons")],
  ["on the emulators", running("rankSeasons", "kit-my_board-rankSeasons")],
  ["in all of one process", {}],
])("firebase-admin puts a kit's instance in front, so the name is without it: %s", (_where, environment) => {
  expect(queueName("rankSeason", { ...environment, FIREBASE_KIT_INSTANCE_ID: "main" })).toBe("rankSeason");
});

test("an empty instance is no kit", () => {
  const environment = running("getTop", "mine-gettop", { FIREBASE_KIT_INSTANCE_ID: "" });
  expect(queueName("rankSeason", environment)).toBe("mine-rankSeason");
});
