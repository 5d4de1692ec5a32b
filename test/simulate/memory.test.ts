/** The cases that the simulation's database in memory passes, passed by the emulator: so it is no mere imitation. */
import { testCases } from "../../simulate/memory/cases/index.ts";
import { createWorld } from "../support/world.ts";

const { db } = createWorld();
testCases(() => db);
