/** A proxy of an emulator that makes some requests fail, as networks and servers in between do. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * What happens to a request:
 * - `passes`: forwarded, and answered;
 * - `answer_lost`: forwarded, and the connection ends before any answer;
 * - `body_lost`: forwarded, and the connection ends after the headers of the answer;
 * - `body_cut`: forwarded, and the connection ends in the middle of the answer's body;
 * - `unheard`: the connection ends, and the request is not forwarded;
 * - a status: forwarded, but a server in between answers with that status and an HTML page;
 * - a body: not forwarded, and answered with HTTP 401 and this body.
 */
export type Fate =
  "passes" | "answer_lost" | "body_lost" | "body_cut" | "unheard" | number | { unauthenticated: string };

export interface FailingProxy {
  port: number;
  /** The requests that came, failed ones too. */
  requests: { data?: { submission_id?: string }; headers: IncomingHttpHeaders }[];
}

/**
 * Starts it, until the test ends.
 * @param target `host:port`.
 * @param fates the fates of the first requests; all later ones pass.
 * @param concerns which requests have a fate; all others pass and are not counted.
 */
export async function startFailingProxy(
  target: string,
  fates: readonly Fate[],
  concerns = ({ method }: IncomingMessage) => method === "POST",
): Promise<FailingProxy> {
  const requests: FailingProxy["requests"] = [];

  function fateOf(request: IncomingMessage, body: string): Fate {
    if (!concerns(request)) return "passes";
    const { headers } = request;
    const isJson = headers["content-type"]?.startsWith("application/json") === true;
    requests.push({ ...(isJson ? (JSON.parse(body) as object) : {}), headers });
    return fates[requests.length - 1] ?? "passes";
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const fate = fateOf(request, body.toString());
    if (fate === "unheard" || typeof fate === "object") {
      if (fate === "unheard") response.destroy();
      else response.writeHead(401, { "content-type": "application/json" }).end(fate.unauthenticated);
      return;
    }
    const { status, headers, text } = await passOn(target, request, body);
    if (typeof fate === "number") {
      const origin = headers["access-control-allow-origin"] ?? "*";
      const html = { "content-type": "text/html; charset=utf-8", "access-control-allow-origin": origin };
      response.writeHead(fate, html).end(`<!doctype html><title>${fate}</title><p>Try again later.`);
    } else if (fate === "answer_lost") {
      response.destroy();
    } else {
      const whole = Buffer.from(text);
      response.writeHead(status, { ...headers, "content-length": whole.length });
      if (fate === "passes") response.end(whole);
      else cutOff(response, whole.subarray(0, fate === "body_cut" ? whole.length / 2 : 0));
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await server[Symbol.asyncDispose]();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

/** Sends the headers and what there is of a body, and ends the connection once they have left. */
function cutOff(response: ServerResponse, part: Buffer): void {
  response.flushHeaders();
  // An empty write has no callback to wait for; a byte of white space is no more of an answer.
  response.write(part.length === 0 ? " " : part, () => response.socket?.destroySoon());
}

async function passOn(target: string, request: IncomingMessage, body: Buffer) {
  const { method = "GET", url = "" } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !connectionHeaders.includes(name)),
  ) as Record<string, string>;
  const hasBody = method !== "GET" && method !== "HEAD" && body.length > 0;
  const answered = await fetch(`http://${target}${url}`, {
    method,
    headers,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
  const passed = [...answered.headers].filter(([name]) => !connectionHeaders.includes(name));
  return { status: answered.status, headers: Object.fromEntries(passed), text: await answered.text() };
}

/** Headers that belong to one connection, not to the message, and the encoding, which `fetch` undoes. */
const connectionHeaders =
  "connection content-encoding content-length host keep-alive transfer-encoding".split(" ");
