#!/usr/bin/env bash
# One would expect: orderBy("score").offset(2).limitToLast(3) leaves the first two out and takes the last three of the rest:
# the three highest scores. In SQL and in limit() the offset is counted from the beginning of the order.
#
# What happens: limitToLast turns the query round, and the offset is counted from the end. The two highest scores are left
# out. With startAfter in place of an offset the three highest come. So one who pages backwards by offset must not mix both.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: firebase-admin 13.6.0; Node 20 and 24, Google's emulator 1.19.9. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0
cat >last.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { initializeApp } from "firebase-admin/app";
import { getFirestore } from "firebase-admin/firestore";

const players = getFirestore(initializeApp({ projectId: "demo-last" })).collection("players");
for (let score = 0; score < 10; score++) await players.doc(`p${score}`).set({ score });
const inOrder = players.orderBy("score");
const scores = async (query) => (await query.get()).docs.map((one) => one.get("score")).join(" ");
writeFileSync(
  "seen.txt",
  [
    `offset(2).limit(3): ${await scores(inOrder.offset(2).limit(3))}`,
    `offset(2).limitToLast(3): ${await scores(inOrder.offset(2).limitToLast(3))}`,
    `startAfter(1).limitToLast(3): ${await scores(inOrder.startAfter(1).limitToLast(3))}`,
    "",
  ].join("\n"),
);
process.exit();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node last.mjs
else
  echo '{ "emulators": { "firestore": { "port": 29080 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-last emulators:exec "node last.mjs" >log.txt 2>&1 ||
    { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
offset(2).limit(3): 2 3 4
offset(2).limitToLast(3): 5 6 7
startAfter(1).limitToLast(3): 7 8 9
EOF
echo "The same as when this was written."
