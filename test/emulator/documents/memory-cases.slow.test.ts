/** The emulator passes the same cases as the database in memory, so that imitates it faithfully. */
import { testCases } from "../../../simulate/memory/cases/index.ts";
import { createWorld } from "../../support/world.ts";

const { db } = createWorld();
testCases(() => db);
