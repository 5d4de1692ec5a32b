#!/usr/bin/env bash
# One would expect: what can be ordered by its id can be ordered the other way round. limitToLast(1) of an order by id is
# the document with the last id.
#
# What happens: both are refused, as Firestore does not go through ids backwards. As soon as an equality stands in front,
# both work. So a page back in a list by id needs a field to compare with, or ids that sort the other way.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: firebase-admin 13.6.0; Node 20 and 24, Google's emulator 1.19.9. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0
cat >ask.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { initializeApp } from "firebase-admin/app";
import { FieldPath, getFirestore } from "firebase-admin/firestore";

const players = getFirestore(initializeApp({ projectId: "demo-finding" })).collection("by-id");
for (const id of ["ann", "eve", "zoe"]) await players.doc(id).set({ status: "active" });
const id = FieldPath.documentId();
const active = players.where("status", "==", "active");
const asked = {
  "orderBy(id)": players.orderBy(id),
  "orderBy(id).limitToLast(1)": players.orderBy(id).limitToLast(1),
  "orderBy(id, desc)": players.orderBy(id, "desc"),
  "where(status).orderBy(id).limitToLast(1)": active.orderBy(id).limitToLast(1),
  "where(status).orderBy(id, desc)": active.orderBy(id, "desc"),
};
let seen = "";
for (const [name, query] of Object.entries(asked)) {
  const found = await query.get().then(
    ({ docs }) => docs.map((one) => one.id).join(" "),
    ({ code }) => `refused with code ${code}`,
  );
  seen += `${name}: ${found}\n`;
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
orderBy(id): ann eve zoe
orderBy(id).limitToLast(1): refused with code 9
orderBy(id, desc): refused with code 9
where(status).orderBy(id).limitToLast(1): zoe
where(status).orderBy(id, desc): zoe eve ann
EOF
echo "The same as when this was written."
