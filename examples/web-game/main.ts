/**
 * `npm run example:web`: a reaction game in one HTML file, with the player's rank and the best ten live. Runs against
 * `npm run emulators`.
 */
import { optionsOf } from "../../scripts/options.ts";
import { createToken } from "../admin.ts";
import { saveBoard } from "../board.ts";
import { emulators } from "../emulators.ts";
import { serveGame } from "./serve.ts";

optionsOf("[PORT=3001] [LEADERBOARD=reaction] npm run example:web", {});
const leaderboard = process.env["LEADERBOARD"] ?? "reaction";
const port = Number(process.env["PORT"] ?? 3001);

const addresses = emulators(process.env);
await saveBoard(addresses, createToken(addresses, "admin"), leaderboard, {
  order: "ascending",
  top_size: 10,
  min_score: 80, // nobody is faster
  max_score: 60_000,
  private_groups: true, // challenges among friends
  ranking_interval_minutes: 0.1, // production allows 1 at least
});

const server = await serveGame({ ...addresses, leaderboard });
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : port;
  console.log(`The reaction game is on http://127.0.0.1:${listening}`);
});
process.once("SIGTERM", () => server.close());
