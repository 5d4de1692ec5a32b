/** Fills the bench's season in a separate process: its memory must not count as the closing's. */
import { randomOf } from "../generators/random.ts";
import { drawScores, shapes } from "../generators/shapes.ts";
import { benchServices, fillSeason } from "./fill.ts";

const players = Number(process.argv[2]);
await fillSeason(benchServices(), drawScores(shapes.chess, players, 1), randomOf(2));
process.disconnect();
