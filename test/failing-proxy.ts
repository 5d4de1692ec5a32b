/** A proxy before the Functions emulator that lets some requests fail, as networks do. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a request: passed on; passed on and its answer lost; refused unheard. */
export type Fate = "passes" | "answer_lost" | "unheard";

export interface FailingProxy {
  port: number;
  /** The bodies of the requests that came, failed ones too. */
  requests: { data?: { submission_id?: string } }[];
  close(): Promise<void>;
}

/**
 * @param target `host:port`.
 * @param fates of the first requests; all later ones pass.
 * @param meanwhile what happens between a request and its answer, or the loss of it.
 */
export async function startFailingProxy(
  target: string,
  fates: readonly Fate[],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<FailingProxy> {
  const requests: FailingProxy["requests"] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const fate = fates[requests.length] ?? "passes";
    requests.push(JSON.parse(body) as FailingProxy["requests"][number]);
    if (fate === "unheard") {
      await meanwhile();
      response.destroy();
      return;
    }
    const { authorization = "" } = request.headers;
    const answered = await fetch(`http://${target}${request.url ?? ""}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body,
    });
    const text = await answered.text();
    await meanwhile();
    if (fate === "answer_lost") response.destroy();
    else response.writeHead(answered.status, { "content-type": "application/json" }).end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
