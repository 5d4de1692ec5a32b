/** Fills the bench's season, in a process of its own: what that takes of memory is no closing's. */
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { benchServices, fillSeason } from "./fill.ts";

const players = Number(process.argv[2]);
await fillSeason(benchServices(), drawScores(shapes.chess, players, 1), randomOf(2));
process.disconnect();
