/** The game: three dice, thrown by the server, so that nobody can send a score that was not thrown. */
import { createServer, type Server } from "node:http";
import { type Firerank, Refusal } from "./firerank.ts";

interface Game {
  firerank: Firerank;
  /** 1 to 6. */
  dice: () => number;
  newId: () => string;
}

/** How the game is played by hand, at an address. */
export const curlLines = (address: string) => [
  `curl -X POST ${address}/players/ann/throws`,
  `curl ${address}/players/ann`,
  `curl ${address}/top`,
];

/** An HTTP server with `POST /players/{name}/throws`, `GET /players/{name}` and `GET /top`; `GET /` says so. */
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
  { firerank, dice, newId }: Game,
  method: string,
  { pathname: path }: URL,
  address: string,
): Promise<Answer> {
  if (method === "GET" && path === "/") return { status: 200, body: { try: curlLines(address) } };
  const [, place, name = "", what] = path.split("/").map(decodeURIComponent);
  if (method === "GET" && path === "/top") return { status: 200, body: await firerank.top(10) };
  if (method === "GET" && place === "players" && name !== "" && what === undefined) {
    const rank = await firerank.rankOf(name);
    return rank === undefined
      ? { status: 404, body: { error: `${name} has no rank yet` } }
      : { status: 200, body: rank };
  }
  if (method === "POST" && place === "players" && name !== "" && what === "throws") {
    const thrown = [dice(), dice(), dice()];
    const score = thrown.reduce((sum, eyes) => sum + eyes, 0);
    const { seasons } = await firerank.submit(name, score, newId());
    const [season] = seasons;
    return {
      status: 200,
      body: { dice: thrown, score, best: season?.score, rank: season?.rank?.rank ?? null },
    };
  }
  return { status: 404, body: { error: "POST /players/{name}/throws, GET /players/{name} or GET /top" } };
}
