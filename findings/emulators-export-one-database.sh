#!/usr/bin/env bash
# One would expect: `firebase emulators:export` (and --export-on-exit) writes what the Firestore emulator holds, so an
# import brings all of it back as it was.
#
# What happens: only the database "(default)" of the suite's own project is exported, and no line of output says so. After
# the import a second database is gone. Another project's documents are gone too, and in their place each project id,
# also one that was never used, begins with the documents of the first. In the default database values are the same, but
# each document's createTime and updateTime is the time of the import, one for all: whoever asks "what has changed since"
# finds everything.
#
# It starts Google's emulator, which firebase-tools downloads (Java 21).
# Versions: firebase-tools 15.34.2, Google's emulator 1.19.9; Node 20. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >visit.mjs <<'EOF'
import { writeFileSync } from "node:fs";

const places = [
  "projects/demo-export/databases/(default)/documents/players/ann",
  "projects/demo-export/databases/(default)/documents/players/bob",
  "projects/demo-export/databases/second/documents/players/ann",
  "projects/demo-another/databases/(default)/documents/players/ann",
  "projects/demo-never-used/databases/(default)/documents/players/ann",
];

async function rest(method, place, body) {
  const headers = { Authorization: "Bearer owner", "content-type": "application/json" };
  const url = `http://${process.env.FIRESTORE_EMULATOR_HOST}/v1/${place}`;
  return (await fetch(url, { method, headers, body: body && JSON.stringify(body) })).json();
}

if (process.argv[2] === "fill")
  for (const [index, place] of places.slice(0, 4).entries()) {
    await rest("PATCH", place, { fields: { score: { doubleValue: index + 0.5 } } });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
const found = [];
for (const place of places) found.push(await rest("GET", place));
const scoreOf = ({ fields }) => fields?.score.doubleValue ?? "not found";
const times = new Set(found.slice(0, 2).map(({ updateTime }) => updateTime));
writeFileSync(
  `${process.argv[2]}.txt`,
  [
    ...places.map((place, index) => `${place}: ${scoreOf(found[index])}`),
    `times at which the two players of the default database were written: ${times.size}`,
    "",
  ].join("\n"),
);
EOF
echo '{ "emulators": { "firestore": { "port": 29084 }, "ui": { "enabled": false } } }' >firebase.json
export METADATA_SERVER_DETECTION=none
suite() { npx --yes firebase-tools@15.34.2 --project demo-export emulators:exec "$@" >log.txt 2>&1 || { cat log.txt; exit 1; }; }
suite "node visit.mjs fill" --export-on-exit kept
suite "node visit.mjs after" --import kept
{ echo before; cat fill.txt; echo "after export and import"; cat after.txt; } >seen.txt
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
before
projects/demo-export/databases/(default)/documents/players/ann: 0.5
projects/demo-export/databases/(default)/documents/players/bob: 1.5
projects/demo-export/databases/second/documents/players/ann: 2.5
projects/demo-another/databases/(default)/documents/players/ann: 3.5
projects/demo-never-used/databases/(default)/documents/players/ann: not found
times at which the two players of the default database were written: 2
after export and import
projects/demo-export/databases/(default)/documents/players/ann: 0.5
projects/demo-export/databases/(default)/documents/players/bob: 1.5
projects/demo-export/databases/second/documents/players/ann: not found
projects/demo-another/databases/(default)/documents/players/ann: 0.5
projects/demo-never-used/databases/(default)/documents/players/ann: 0.5
times at which the two players of the default database were written: 1
EOF
echo "The same as when this was written."
