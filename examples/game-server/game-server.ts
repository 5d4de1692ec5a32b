/**
 * The game: three dice, thrown by the server, so that nobody can send a score that was not thrown. Players sit at tables,
 * which they name as they like. Each table has a board, and nobody makes it: its first score does.
 */
import { createServer, type Server } from "node:http";
import { type Firerank, Refusal } from "./firerank.ts";

interface Game {
  firerank: Firerank;
  /** The template of the tables' boards. */
  template: string;
  /** 1 to 6. */
  dice: () => number;
  newId: () => string;
}

/** How the game is played by hand, at an address. */
export const curlLines = (address: string) => [
  `curl -X POST ${address}/tables/red/players/ann/throws`,
  `curl ${address}/tables/red/players/ann`,
  `curl ${address}/tables/red/top`,
];

/**
 * An HTTP server. Below `/tables/{table}` are `POST /players/{name}/throws`, `GET /players/{name}` and `GET /top`; `GET /`
 * says so.
 */
export function createGameServer(game: Game): Server {
  return createServer((request, response) => {
    const { method = "", url = "/" } = request;
    const address = `http://${request.headers.host ?? "127.0.0.1:3000"}`;
    answer(game, method, new URL(url, address), address)
      .catch(failed)
      .then(({ status, body }) => {
        response.writeHead(status, { "Content-Type": "application/json" }).end(`${JSON.stringify(body)}\n`);
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
}

interface Answer {
  status: number;
  body: unknown;
}

/** What Firerank refused is told with its status; where it could not be asked, this server is the gateway. */
function failed(error: unknown): Answer {
  const { message } = error as Error;
  return { status: error instanceof Refusal ? error.status : 502, body: { error: message } };
}

async function answer(
  { firerank, template, dice, newId }: Game,
  method: string,
  { pathname: path }: URL,
  address: string,
): Promise<Answer> {
  if (method === "GET" && path === "/") return { status: 200, body: { try: curlLines(address) } };
  const [, tables, table = "", place, name = "", what] = path.split("/").map(decodeURIComponent);
  const board = firerank(`${template}:${table}`);
  if (tables !== "tables" || table === "") return unknown;
  if (method === "GET" && place === "top" && name === "") return { status: 200, body: await board.top(10) };
  if (method === "GET" && place === "players" && name !== "" && what === undefined) {
    const rank = await board.rankOf(name);
    return rank === undefined
      ? { status: 404, body: { error: `${name} has no rank at this table yet` } }
      : { status: 200, body: rank };
  }
  if (method === "POST" && place === "players" && name !== "" && what === "throws") {
    const thrown = [dice(), dice(), dice()];
    const score = thrown.reduce((sum, eyes) => sum + eyes, 0);
    const { seasons } = await board.submit(name, score, newId());
    const [season] = seasons;
    return {
      status: 200,
      body: { dice: thrown, score, best: season?.score, rank: season?.rank?.rank ?? null },
    };
  }
  return unknown;
}

const routes =
  "POST /tables/{table}/players/{name}/throws, GET /tables/{table}/players/{name} or GET /tables/{table}/top";
const unknown: Answer = { status: 404, body: { error: routes } };
