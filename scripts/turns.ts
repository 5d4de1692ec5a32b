/**
 * Turns for processes that must not run at the same time: a turn lasts from its message until the process ends, however
 * it ends.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Gives turns for the rest of this process's life. @returns the environment that waiting processes need. */
export async function giveTurns(): Promise<Record<string, string>> {
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined); // "close" follows
    socket.once("close", () => {
      const isItsTurn = waiting[0] === socket;
      waiting.splice(waiting.indexOf(socket), 1);
      if (isItsTurn) waiting[0]?.write("go");
    });
    waiting.push(socket);
    if (waiting[0] === socket) socket.write("go");
  });
  server.unref().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { FIRERANK_TURNS: String((server.address() as AddressInfo).port) };
}

/** Waits for this process's turn, if turns are given. It ends when the process ends, or with the returned socket. */
export async function takeTurn(env: NodeJS.ProcessEnv = process.env): Promise<Socket | undefined> {
  const port = env["FIRERANK_TURNS"];
  if (port === undefined) return undefined;
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "data");
  return socket.unref();
}
