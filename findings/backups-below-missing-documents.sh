#!/usr/bin/env bash
# One would expect: a tool that backs up Firestore "with subcollections" has every document afterwards. Players are stored
# at boards/time/players/…, and the document boards/time itself was never made, as nothing needs it.
#
# What happens: two of three tools list documents by a query, which finds only documents that exist. All that is stored
# below the missing one is left out, and no error or warning says so. The third tool has it; its restore makes the missing
# document, empty. With boards/time made, all three have the players, and what they restore still differs: a time comes
# back as a map of two numbers, a score of 850.0 as an integer, and a 64-bit id as another number.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: firestore-export-import 1.7.0, firestore-backfire 2.6.0, node-firestore-import-export 1.1.0; Node 20, Google's
# emulator 1.19.9. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0 @google-cloud/firestore@7.11.6 \
  firestore-export-import@1.7.0 firestore-backfire@2.6.0 node-firestore-import-export@1.1.0
cat >backups.cjs <<'EOF'
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");

const project = "demo-backups";
const host = process.env.FIRESTORE_EMULATOR_HOST;
const documents = `http://${host}/v1/projects/${project}/databases/(default)/documents`;

async function rest(method, path, body) {
  const headers = { Authorization: "Bearer owner", "content-type": "application/json" };
  const answer = await fetch(`${documents}${path}`, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}

const clear = () => fetch(documents.replace("/v1/", "/emulator/v1/"), { method: "DELETE" });

const player = {
  at: { timestampValue: "2026-11-29T10:00:00.123456Z" },
  score: { doubleValue: 850 },
  steam_id: { integerValue: "76561198012345678" },
};

async function fill(withBoard) {
  await clear();
  if (withBoard) await rest("PATCH", "/boards/time", { fields: { name: { stringValue: "Time trial" } } });
  await rest("PATCH", "/boards/time/players/ann", { fields: player });
}

/** Each tool exports all into JSON, the database is emptied, and the tool imports the JSON. */
const tools = {
  "firestore-export-import": async () => {
    const { initializeApp } = require("firebase-admin/app");
    const { getFirestore } = require("firebase-admin/firestore");
    const { backups, restore } = require("firestore-export-import");
    const db = getFirestore(initializeApp({ projectId: project }, `export-import-${Date.now()}`));
    const json = JSON.stringify(await backups(db));
    await clear();
    await restore(db, JSON.parse(json));
  },
  "firestore-backfire": async () => {
    const run = (...words) =>
      execFileSync("npx", ["backfire", ...words, "--project", project, "--emulator", host], { stdio: "pipe" });
    run("export", "backup.ndjson", "--overwrite");
    await clear();
    run("import", "backup.ndjson", "--mode", "overwrite");
  },
  "node-firestore-import-export": async () => {
    const { firestoreExport, firestoreImport } = require("node-firestore-import-export");
    // It knows only values of its own release of firebase-admin.
    const admin = createRequire(require.resolve("node-firestore-import-export"))("firebase-admin");
    const db = (admin.apps[0] ?? admin.initializeApp({ projectId: project })).firestore();
    const json = JSON.stringify(await firestoreExport(db));
    await clear();
    await firestoreImport(JSON.parse(json), db);
  },
};

(async () => {
  let seen = "";
  for (const [name, backUpAndRestore] of Object.entries(tools))
    for (const withBoard of [false, true]) {
      await fill(withBoard);
      await backUpAndRestore();
      const { fields } = await rest("GET", "/boards/time/players/ann");
      const board = (await rest("GET", "/boards/time")).name ? "is there" : "is missing";
      const before = withBoard ? "is there" : "is missing";
      const sorted = fields && Object.fromEntries(Object.entries(fields).sort());
      seen += `${name}: the board ${before}, then ${board}; the player is ${JSON.stringify(sorted) ?? "gone"}\n`;
    }
  writeFileSync("seen.txt", seen);
  process.exit();
})();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node backups.cjs >log.txt 2>&1 || { cat log.txt; exit 1; }
else
  echo '{ "emulators": { "firestore": { "port": 29081 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-backups emulators:exec "node backups.cjs" \
    >log.txt 2>&1 || { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
firestore-export-import: the board is missing, then is missing; the player is gone
firestore-export-import: the board is there, then is there; the player is {"at":{"mapValue":{"fields":{"_seconds":{"integerValue":"1795946400"},"_nanoseconds":{"integerValue":"123456000"}}}},"score":{"integerValue":"850"},"steam_id":{"doubleValue":76561198012345680}}
firestore-backfire: the board is missing, then is missing; the player is gone
firestore-backfire: the board is there, then is there; the player is {"at":{"timestampValue":"2026-11-29T10:00:00.123456Z"},"score":{"integerValue":"850"},"steam_id":{"doubleValue":76561198012345680}}
node-firestore-import-export: the board is missing, then is there; the player is {"at":{"timestampValue":"2026-11-29T10:00:00.123456Z"},"score":{"integerValue":"850"},"steam_id":{"doubleValue":76561198012345680}}
node-firestore-import-export: the board is there, then is there; the player is {"at":{"timestampValue":"2026-11-29T10:00:00.123456Z"},"score":{"integerValue":"850"},"steam_id":{"doubleValue":76561198012345680}}
EOF
echo "The same as when this was written."
