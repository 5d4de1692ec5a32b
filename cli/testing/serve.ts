/** A local server in the place of Google's: the first part of a path says of which. For tests only. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";

export interface Asked {
  method: string;
  /** Service and path, without a query: `cloudtasks.googleapis.com/v2/…`. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, unknown>;
  /** An empty one for what is not JSON. */
  body: unknown;
}

/** A body, or a status with one. */
export type Answer = object;

export type Served = Awaited<ReturnType<typeof serve>>;

/** Starts it. @param answerTo what is undefined is a 404 @returns also the requests so far */
export async function serve(answerTo: (asked: Asked) => Answer | undefined) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const { method = "", headers } = request;
    const [path = "", query] = (request.url ?? "").slice(1).split("?");
    void text(request).then((sent) => {
      const body: unknown = sent.startsWith("{") ? JSON.parse(sent) : {};
      const one = {
        method,
        path: decodeURIComponent(path),
        query: new URLSearchParams(query),
        headers,
        body,
      };
      asked.push(one);
      const answer = answerOf(answerTo(one));
      response.writeHead(answer.status, { "Content-Type": "application/json" });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    addressOf: (service: string) => `http://${host}/${service}`,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answerOf(answer: Answer | undefined): { status: number; body: object | string } {
  if (answer === undefined)
    return { status: 404, body: { error: { code: 404, message: "Not found.", status: "NOT_FOUND" } } };
  const isRefused = "status" in answer && "body" in answer;
  return isRefused ? (answer as { status: number; body: object | string }) : { status: 200, body: answer };
}
