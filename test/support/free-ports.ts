/** Ports that nobody listens on. */
import { createServer, type AddressInfo } from "node:net";

/** A free port for each name. */
export async function freePorts(names: string[]): Promise<Record<string, number>> {
  const servers = names.map(() => createServer());
  const found = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => {
            resolve((server.address() as AddressInfo).port);
          });
        }),
    ),
  );
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) =>
          server.close(() => {
            resolve();
          }),
        ),
    ),
  );
  return Object.fromEntries(names.map((name, i) => [name, found[i] ?? 0]));
}
