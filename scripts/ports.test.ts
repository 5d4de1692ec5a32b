import { createServer } from "node:net";
import { expect, test } from "vitest";
import { assertPortsFree, configFor } from "./ports.ts";

test("a taken port is named with its emulator, and what to do", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const check = assertPortsFree({ firestore: port });
  await expect(check).rejects.toThrow(`port ${port} (the firestore emulator)`);
  await expect(check).rejects.toThrow(`lsof -i :${port}`);
  await new Promise((resolve) => server.close(resolve));
  await expect(assertPortsFree({ firestore: port })).resolves.toBeUndefined();
});

test("the tests use other ports than manually started emulators", () => {
  const taken = Object.values(configFor("default").ports);
  const tests = Object.values(configFor("tests").ports);
  expect(tests).toHaveLength(taken.length);
  expect(taken.filter((port) => tests.includes(port))).toEqual([]);
});
