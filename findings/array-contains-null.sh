#!/usr/bin/env bash
# One would expect: where("tags", "array-contains", null) finds the documents whose list holds null, and with NaN those
# whose list holds NaN; or it is refused.
#
# What happens: the library sends the comparison with null or NaN as "is not null" and "is not NaN", whatever the operator
# is. So the query finds every document that has the field, also one whose list holds neither.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: @google-cloud/firestore 9.4.1 (version 7.11 refuses both); Node 22 or later, Google's emulator
# 1.19.9. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google-cloud/firestore@9.4.1
cat >ask.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { Firestore } from "@google-cloud/firestore";

const players = new Firestore({ projectId: "demo-finding" }).collection("tagged");
await players.doc("both").set({ tags: [NaN, null] });
await players.doc("null").set({ tags: [null] });
await players.doc("one").set({ tags: [1] });
let seen = "";
for (const wanted of [1, null, NaN]) {
  const { docs } = await players.where("tags", "array-contains", wanted).get();
  seen += `array-contains ${wanted}: ${docs.map(({ id }) => id).join(" ")}\n`;
}
writeFileSync("seen.txt", seen);
process.exit();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node ask.mjs
else
  echo '{ "emulators": { "firestore": { "port": 29080 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-finding emulators:exec "node ask.mjs" >log.txt 2>&1 ||
    { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
array-contains 1: one
array-contains null: null both one
array-contains NaN: null both one
EOF
echo "The same as when this was written."
