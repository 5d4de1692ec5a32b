import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeLeftShims } from "./hidane-shims.ts";

test("what a killed hidane has left goes; what a running one needs, and what others made, stays", () => {
  const folder = mkdtempSync(join(tmpdir(), "firerank-shims-"));
  try {
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    const stays = [
      `hidane-shim-${process.pid}`,
      "hidane-shim-1",
      `hidane-shim-${ended}.txt`,
      `shim-${ended}`,
    ];
    for (const name of [`hidane-shim-${ended}`, ...stays]) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "java"), "#!/bin/sh\n");
    }
    removeLeftShims(folder);
    expect(readdirSync(folder).sort()).toEqual(stays.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
