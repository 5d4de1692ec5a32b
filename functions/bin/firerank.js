#!/usr/bin/env node
/** `npx firerank`: the command line, bundled from cli/ when the package is packed. */
import { nodeTooOld } from "../lib/model/node-version.js";

const sentence = nodeTooOld(process.version);
if (sentence === undefined) {
  await import("../lib/cli/main.js");
} else {
  console.error(sentence);
  process.exitCode = 1;
}
