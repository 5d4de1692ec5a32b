import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { wrapperJar, wrapperManifest } from "./wrapper-jar.ts";

const deepPath = `/opt/${"a folder with spaces/".repeat(8)}emulator.jar`;

test("no line of the manifest is longer than the 72 bytes that Java reads", () => {
  for (const line of wrapperManifest("com.example.Main", deepPath).split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(72);
  }
});

test("a folded path reads as it was once the lines are joined", () => {
  const unfolded = wrapperManifest("com.example.Main", deepPath).replaceAll("\r\n ", "");
  const url = /^Class-Path: (.*)\r\n/m.exec(unfolded)?.[1];
  expect(fileURLToPath(String(url))).toBe(deepPath);
});

test("a short manifest is three lines and an empty one", () => {
  expect(wrapperManifest("com.example.Main", "/x.jar")).toBe(
    "Manifest-Version: 1.0\r\nMain-Class: com.example.Main\r\nClass-Path: file:///x.jar\r\n\r\n",
  );
});

test("the jar holds the manifest, uncompressed, under the name that Java looks for", () => {
  const jar = wrapperJar("com.example.Main", "/x.jar");
  const manifest = wrapperManifest("com.example.Main", "/x.jar");
  const name = "META-INF/MANIFEST.MF";
  expect(jar.subarray(30, 30 + name.length).toString()).toBe(name);
  expect(jar.subarray(30 + name.length, 30 + name.length + manifest.length).toString()).toBe(manifest);
});
