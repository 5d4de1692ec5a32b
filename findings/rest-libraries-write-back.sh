#!/usr/bin/env bash
# One would expect: a library for Firestore's REST interface that reads a document and writes what it has read changes
# nothing. (These libraries are for edge functions and small pages, where Google's SDKs are too large.)
#
# What happens: none of four leaves the document as it was.
#   - firestore-rest-serdes makes a text of a time with microseconds: no query takes it for a time any more.
#   - Two others cut the time to milliseconds. Only fireworkers keeps it, and makes a double of each integer.
#   - fireworkers and firestore-rest-serdes make a time of a name that is written as one.
#   - firebase-rest-firestore makes null of an empty map and of bytes, and stores the id in a field.
#   - All others make a text of bytes; all but fireworkers make 850.0 an integer; all four change a 64-bit id.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: fireworkers 0.8.0, firestore-rest-serdes 1.0.5, firebase-rest-firestore 1.6.1, firebase-firestore-lite 1.0.3;
# Node 20, Google's emulator 1.19.9. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fireworkers@0.8.0 firestore-rest-serdes@1.0.5 \
  firebase-rest-firestore@1.6.1 firebase-firestore-lite@1.0.3 esbuild@0.25.12
npx --no-install esbuild node_modules/firebase-firestore-lite/dist/mod.js --bundle --format=esm --outfile=lite.mjs --log-level=error
cat >write-back.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import * as fireworkers from "fireworkers";
import { createFirestoreClient } from "firebase-rest-firestore";
import serdes from "firestore-rest-serdes";
import { Database } from "./lite.mjs";

const projectId = "demo-write-back";
const host = process.env.FIRESTORE_EMULATOR_HOST;
const documents = `http://${host}/v1/projects/${projectId}/databases/(default)/documents`;

async function rest(method, path, body) {
  const headers = { Authorization: "Bearer owner", "content-type": "application/json" };
  const answer = await fetch(documents + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}

// Two libraries come without credentials, so the emulator lets all write.
const rules =
  "rules_version = '2'; service cloud.firestore { match /databases/{db}/documents { match /{all=**} { allow read, write; } } }";
await fetch(`http://${host}/emulator/v1/projects/${projectId}:securityRules`, {
  method: "PUT",
  body: JSON.stringify({ rules: { files: [{ name: "firestore.rules", content: rules }] } }),
});

const before = {
  achieved_at: { timestampValue: "2026-11-29T10:00:00.123456Z" },
  attempts: { integerValue: "3" },
  hash: { bytesValue: "AAEC" },
  name: { stringValue: "2026-11-29T10:00:00Z" },
  score: { doubleValue: 850 },
  segments: { mapValue: {} },
  steam_id: { integerValue: "76561198012345678" },
};

const ways = {
  fireworkers: async () => {
    const db = { project_id: projectId, jwt: "owner" };
    const { fields } = await fireworkers.get(db, "players", "ann");
    await fireworkers.set(db, "players", "ann", fields);
  },
  "firestore-rest-serdes": async () => {
    const { fields } = await rest("GET", "/players/ann");
    await rest("PATCH", "/players/ann", { fields: serdes.serialize(serdes.deserialize(fields)) });
  },
  "firebase-rest-firestore": async () => {
    const [emulatorHost, emulatorPort] = host.split(":");
    const options = { projectId, useEmulator: true, emulatorHost, emulatorPort: Number(emulatorPort) };
    const player = createFirestoreClient(options).collection("players").doc("ann");
    await player.set((await player.get()).data());
  },
  "firebase-firestore-lite": async () => {
    const player = new Database({ projectId, host, ssl: false }).ref("players/ann");
    await player.set({ ...(await player.get()) });
  },
};

let seen = "";
for (const [name, writeBack] of Object.entries(ways)) {
  await rest("PATCH", "/players/ann", { fields: before });
  await writeBack();
  const { fields: after } = await rest("GET", "/players/ann");
  seen += `${name}\n`;
  for (const field of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [was, is] = [before, after].map((fields) => JSON.stringify(fields[field]) ?? "nothing");
    if (was !== is) seen += `  ${field}: ${was} -> ${is}\n`;
  }
}
writeFileSync("seen.txt", seen);
process.exit();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node write-back.mjs >log.txt 2>&1 || { cat log.txt; exit 1; }
else
  echo '{ "emulators": { "firestore": { "port": 29085 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-write-back \
    emulators:exec "node write-back.mjs" >log.txt 2>&1 || { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
fireworkers
  attempts: {"integerValue":"3"} -> {"doubleValue":3}
  hash: {"bytesValue":"AAEC"} -> {"stringValue":"AAEC"}
  name: {"stringValue":"2026-11-29T10:00:00Z"} -> {"timestampValue":"2026-11-29T10:00:00Z"}
  steam_id: {"integerValue":"76561198012345678"} -> {"doubleValue":76561198012345680}
firestore-rest-serdes
  achieved_at: {"timestampValue":"2026-11-29T10:00:00.123456Z"} -> {"stringValue":"2026-11-29T10:00:00.123456Z"}
  hash: {"bytesValue":"AAEC"} -> {"stringValue":"AAEC"}
  name: {"stringValue":"2026-11-29T10:00:00Z"} -> {"timestampValue":"2026-11-29T10:00:00Z"}
  score: {"doubleValue":850} -> {"integerValue":"850"}
  steam_id: {"integerValue":"76561198012345678"} -> {"integerValue":"76561198012345680"}
firebase-rest-firestore
  achieved_at: {"timestampValue":"2026-11-29T10:00:00.123456Z"} -> {"timestampValue":"2026-11-29T10:00:00.123Z"}
  hash: {"bytesValue":"AAEC"} -> {"nullValue":null}
  id: nothing -> {"stringValue":"ann"}
  score: {"doubleValue":850} -> {"integerValue":"850"}
  segments: {"mapValue":{}} -> {"nullValue":null}
  steam_id: {"integerValue":"76561198012345678"} -> {"integerValue":"76561198012345680"}
firebase-firestore-lite
  achieved_at: {"timestampValue":"2026-11-29T10:00:00.123456Z"} -> {"timestampValue":"2026-11-29T10:00:00.123Z"}
  hash: {"bytesValue":"AAEC"} -> {"stringValue":"AAEC"}
  score: {"doubleValue":850} -> {"integerValue":"850"}
  steam_id: {"integerValue":"76561198012345678"} -> {"integerValue":"76561198012345680"}
EOF
echo "The same as when this was written."
