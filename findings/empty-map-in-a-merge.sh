#!/usr/bin/env bash
# One would expect: set(…, { merge: true }) never takes a field away. Merging { segments: { country: "DE" } } keeps
# segments.guild, so merging { segments: {} } changes nothing.
#
# What happens: an empty map replaces the map that is there, in the server's library and in the web's. A writer that merges
# "what it knows" empties the map as soon as it knows nothing. Only an empty map deeper down is added beside the others.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: firebase-admin 13.6.0, firebase 13.2.0; Node 20 and 24, Google's emulator 1.19.9. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0 firebase@13.2.0
cat >merge.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { initializeApp } from "firebase/app";
import * as web from "firebase/firestore";
import { initializeApp as initializeAdmin } from "firebase-admin/app";
import { getFirestore } from "firebase-admin/firestore";

const db = getFirestore(initializeAdmin({ projectId: "demo-merge" }));
const webDb = web.getFirestore(initializeApp({ projectId: "demo-merge" }));
const [host, port] = process.env.FIRESTORE_EMULATOR_HOST.split(":");
web.connectFirestoreEmulator(webDb, host, Number(port), { mockUserToken: "owner" });

const before = { segments: { country: "AT", guild: "red" } };
let seen = "";
for (const merged of [{ segments: { country: "DE" } }, { segments: {} }, { segments: { team: {} } }]) {
  const ofServer = db.doc("players/server");
  await ofServer.set(before);
  await ofServer.set(merged, { merge: true });
  const ofWeb = web.doc(webDb, "players/web");
  await web.setDoc(ofWeb, before);
  await web.setDoc(ofWeb, merged, { merge: true });
  const after = [(await ofServer.get()).data(), (await web.getDocFromServer(ofWeb)).data()];
  const sorted = ({ segments }) => JSON.stringify(Object.fromEntries(Object.entries(segments).sort()));
  seen += `${JSON.stringify(merged)}: server ${sorted(after[0])}, web ${sorted(after[1])}\n`;
}
writeFileSync("seen.txt", seen);
process.exit();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node merge.mjs
else
  echo '{ "emulators": { "firestore": { "port": 29080 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-merge emulators:exec "node merge.mjs" >log.txt 2>&1 ||
    { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
{"segments":{"country":"DE"}}: server {"country":"DE","guild":"red"}, web {"country":"DE","guild":"red"}
{"segments":{}}: server {}, web {}
{"segments":{"team":{}}}: server {"country":"AT","guild":"red","team":{}}, web {"country":"AT","guild":"red","team":{}}
EOF
echo "The same as when this was written."
