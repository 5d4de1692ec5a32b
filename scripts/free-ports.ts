/** Ports that nobody listens on. */
import { createServer, type AddressInfo } from "node:net";

export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const servers = await Promise.all(
    names.map(async (name) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { name, server, port: (server.address() as AddressInfo).port };
    }),
  );
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(servers.map(({ name, port }) => [name, port])) as Record<Name, number>;
}
