#!/usr/bin/env bash
# One would expect: a server that loads a player by a model, changes the name and saves the player changes the name.
# (The model of Python knows score, name and time; other code keeps a status and columns in the same document.)
#
# What happens: two of six do just that: an update() of FireO, and of firestore-pydantic-odm.
#   - firedantic's save() and FireO's save() take away each field that the model does not know.
#   - fireorm's update() cuts the time to milliseconds, so a player can win or lose a tie by it, and stores the id in a
#     field.
#   - firestore-storage's save() stores its own `_rawPath` in the document.
#   - Both of JavaScript make an integer of the score 850.0, which other languages read as another type.
#
# It needs Python 3.11 or later, and a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which
# firebase-tools downloads (Java 21).
# Versions: firedantic 0.12.0, fireo 2.2.2, firestore-pydantic-odm 1.0.22 (Python); fireorm 0.23.3, firestore-storage 7.2.1,
# firebase-admin 13.6.0, Node 20, Google's emulator 1.19.9. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0 fireorm@0.23.3 reflect-metadata@0.1.14 \
  firestore-storage@7.2.1
for package in firedantic==0.12.0 fireo==2.2.2 firestore-pydantic-odm==1.0.22; do
  python3 -m venv "${package%%=*}"
  "${package%%=*}/bin/pip" install --quiet --disable-pip-version-check "$package" setuptools==80.9.0
done
cat >save.cjs <<'EOF'
const { initializeApp } = require("firebase-admin/app");
const { getFirestore } = require("firebase-admin/firestore");

const db = getFirestore(initializeApp({ projectId: "demo-models" }));
const ways = {
  fireorm: async () => {
    require("reflect-metadata");
    const fireorm = require("fireorm");
    fireorm.initialize(db);
    class Player {}
    fireorm.Collection("players")(Player);
    const players = fireorm.getRepository(Player);
    const player = await players.findById("ann");
    player.name = "Anna";
    await players.update(player);
  },
  "firestore-storage": async () => {
    const { BaseRepository } = require("firestore-storage");
    const { CollectionPath, Repository } = require("firestore-storage-core");
    class Players extends BaseRepository {}
    Repository({ path: new CollectionPath("players", "playerId") })(Players);
    const players = new Players(db);
    const player = await players.findById({ playerId: "ann" });
    player.name = "Anna";
    await players.save(player, {});
  },
};
ways[process.argv[2]]().then(() => process.exit());
EOF
cat >save.py <<'EOF'
import asyncio
import os
import sys
from datetime import datetime

from google.cloud import firestore

project = "demo-models"
os.environ["GOOGLE_CLOUD_PROJECT"] = project


def firedantic():
    from firedantic import Model, configure

    configure(firestore.Client(project=project))

    class Player(Model):
        __collection__ = "players"
        score: float
        name: str
        achieved_at: datetime

    player = Player.get_by_id("ann")
    player.name = "Anna"
    player.save()


def fireo(way):
    import fireo as library
    from fireo.fields import DateTime, NumberField, TextField
    from fireo.models import Model

    library.connection(client=firestore.Client(project=project))

    class Player(Model):
        class Meta:
            collection_name = "players"

        score = NumberField()
        name = TextField()
        achieved_at = DateTime()

    player = Player.collection.get("players/ann")
    player.name = "Anna"
    getattr(player, way)()


def pydantic_odm():
    from firestore_pydantic_odm import BaseFirestoreModel, FirestoreDB, init_firestore_odm

    class Player(BaseFirestoreModel):
        class Settings:
            name = "players"

        score: float
        name: str
        achieved_at: datetime

    host = os.environ["FIRESTORE_EMULATOR_HOST"]
    init_firestore_odm(FirestoreDB(project_id=project, emulator_host=host), [Player])

    async def rename():
        player = await Player.get("ann")
        player.name = "Anna"
        await player.update()

    asyncio.run(rename())


{
    "firedantic save": firedantic,
    "fireo save": lambda: fireo("save"),
    "fireo update": lambda: fireo("update"),
    "firestore-pydantic-odm update": pydantic_odm,
}[sys.argv[1]]()
EOF
cat >all.cjs <<'EOF'
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");

const host = process.env.FIRESTORE_EMULATOR_HOST;
const url = `http://${host}/v1/projects/demo-models/databases/(default)/documents/players/ann`;
async function rest(method, body) {
  const headers = { Authorization: "Bearer owner", "content-type": "application/json" };
  return (await fetch(url, { method, headers, body: body && JSON.stringify(body) })).json();
}
const before = {
  achieved_at: { timestampValue: "2026-11-29T10:00:00.123456Z" },
  columns: { mapValue: { fields: { coins: { integerValue: "3" } } } },
  name: { stringValue: "Ann" },
  score: { doubleValue: 850 },
  status: { stringValue: "hidden" },
};
const ways = [
  ["firedantic/bin/python", "save.py", "firedantic save"],
  ["fireo/bin/python", "save.py", "fireo save"],
  ["fireo/bin/python", "save.py", "fireo update"],
  ["firestore-pydantic-odm/bin/python", "save.py", "firestore-pydantic-odm update"],
  ["node", "save.cjs", "fireorm"],
  ["node", "save.cjs", "firestore-storage"],
];

(async () => {
  let seen = "";
  for (const [program, ...words] of ways) {
    await rest("PATCH", { fields: before });
    execFileSync(program, words, { stdio: "pipe" });
    const after = (await rest("GET")).fields;
    seen += `${words[1]}\n`;
    for (const field of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
      const [was, is] = [before, after].map((fields) => JSON.stringify(fields[field]) ?? "nothing");
      if (was !== is) seen += `  ${field}: ${was} -> ${is}\n`;
    }
    await rest("DELETE");
  }
  writeFileSync("seen.txt", seen);
})();
EOF
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  METADATA_SERVER_DETECTION=none node all.cjs >log.txt 2>&1 || { cat log.txt; exit 1; }
else
  echo '{ "emulators": { "firestore": { "port": 29083 }, "ui": { "enabled": false } } }' >firebase.json
  METADATA_SERVER_DETECTION=none npx --yes firebase-tools@15.34.2 --project demo-models emulators:exec "node all.cjs" \
    >log.txt 2>&1 || { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
firedantic save
  columns: {"mapValue":{"fields":{"coins":{"integerValue":"3"}}}} -> nothing
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
  status: {"stringValue":"hidden"} -> nothing
fireo save
  columns: {"mapValue":{"fields":{"coins":{"integerValue":"3"}}}} -> nothing
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
  status: {"stringValue":"hidden"} -> nothing
fireo update
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
firestore-pydantic-odm update
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
fireorm
  achieved_at: {"timestampValue":"2026-11-29T10:00:00.123456Z"} -> {"timestampValue":"2026-11-29T10:00:00.123Z"}
  id: nothing -> {"stringValue":"ann"}
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
  score: {"doubleValue":850} -> {"integerValue":"850"}
firestore-storage
  _rawPath: nothing -> {"stringValue":"players/ann"}
  name: {"stringValue":"Ann"} -> {"stringValue":"Anna"}
  score: {"doubleValue":850} -> {"integerValue":"850"}
EOF
echo "The same as when this was written."
