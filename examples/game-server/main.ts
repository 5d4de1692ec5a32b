/**
 * `npm run example:server`: a dice game whose server throws the dice, submits for its players over Firerank's REST
 * interface and tells them their ranks, at each table by itself. Runs against `npm run emulators`.
 *
 *     curl -X POST localhost:3000/tables/red/players/ann/throws   # {"dice":[6,3,5],"score":14,"rank":…}
 *     curl localhost:3000/tables/red/players/ann                  # {"rank":1,…}
 *     curl localhost:3000/tables/red/top                          # {"entries":[…]}
 */
import { randomInt, randomUUID } from "node:crypto";
import { optionsOf } from "../../scripts/options.ts";
import { createToken } from "../admin.ts";
import { saveBoard } from "../board.ts";
import { emulators } from "../emulators.ts";
import { createFirerank } from "./firerank.ts";
import { createGameServer, curlLines } from "./game-server.ts";

optionsOf("[PORT=3000] [LEADERBOARD=dice] npm run example:server", {});
const template = process.env["LEADERBOARD"] ?? "dice";
const port = Number(process.env["PORT"] ?? 3000);

const addresses = emulators(process.env);
// Only this server may submit: players have no way to send a score of their own. So any table may open a board.
await saveBoard(addresses, createToken(addresses, "admin"), template, {
  template: { ids: "any" },
  submit: "server",
  visibility: "public",
  ranking_interval_minutes: 0.1, // production allows 1 at least
});

const token = createToken(addresses, "submitter");
const firerank = createFirerank({ url: addresses.rest, token });
const server = createGameServer({ firerank, template, dice: () => randomInt(1, 7), newId: randomUUID });
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : port;
  const at = `http://127.0.0.1:${listening}`;
  console.log([`The dice game is on ${at}`, ...curlLines(at)].join("\n"));
});
process.once("SIGTERM", () => server.close());
