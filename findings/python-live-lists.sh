#!/usr/bin/env bash
# One would expect: a listener to a query is given the documents that the query's get() gives, in the same order, in
# Google's Python library as in Node's.
#
# What happens with on_snapshot in Python:
#   - A descending list comes in ascending order. The top three by score are the right ones, the lowest of them first.
#   - limit_to_last(2) is given the first two: other documents than get() finds.
#   - A list that is ordered by a field named "id" is sorted by the ids of the documents.
#   - One that is ordered by a field within a map ("stats.score") has no snapshot: the listener's thread ends with a
#     ValueError, which on_snapshot does not raise, and the callback is never called.
# Node's library gives each as get() does. So a server in Python sorts what a listener brings, or listens to a document that
# has the list.
#
# It needs a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools downloads (Java 21).
# Versions: google-cloud-firestore 2.34.1, Python 3.11; @google-cloud/firestore 9.4.1, Node 20; Google's emulator 1.19.9.
# Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google-cloud/firestore@9.4.1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check google-cloud-firestore==2.34.1
cat >listen.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { Firestore } from "@google-cloud/firestore";

const players = new Firestore({ projectId: "demo-finding" }).collection("live");
for (const [name, score, id] of [["ann", 30, "x9"], ["bob", 50, "x8"], ["cid", 40, "x7"], ["dan", 40, "x6"]])
  await players.doc(name).set({ score, stats: { score }, id });
const queries = {
  ascending: players.orderBy("score"),
  descending: players.orderBy("score", "desc"),
  "the first three, descending": players.orderBy("score", "desc").limit(3),
  "the last two": players.orderBy("score").limitToLast(2),
  "by the field id": players.orderBy("id"),
  "by a field within a map": players.orderBy("stats.score"),
};
const names = ({ docs }) => docs.map(({ id }) => id).join(" ");
let seen = "";
for (const [name, query] of Object.entries(queries)) {
  const live = await new Promise((resolve, reject) => {
    const stop = query.onSnapshot((snapshot) => (stop(), resolve(names(snapshot))), reject);
  });
  seen += `Node, ${name}: get ${names(await query.get())}; live ${live}\n`;
}
writeFileSync("seen.txt", seen);
process.exit();
EOF
cat >listen.py <<'EOF'
import os
import threading

from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore import Client, Query

players = Client(project="demo-finding", credentials=AnonymousCredentials()).collection("live")
queries = {
    "ascending": players.order_by("score"),
    "descending": players.order_by("score", direction=Query.DESCENDING),
    "the first three, descending": players.order_by("score", direction=Query.DESCENDING).limit(3),
    "the last two": players.order_by("score").limit_to_last(2),
    "by the field id": players.order_by("id"),
    "by a field within a map": players.order_by("stats.score"),
}


def names(documents):
    return " ".join(one.id for one in documents)


with open("seen.txt", "a") as seen:
    for name, query in queries.items():
        came, lists = threading.Event(), []

        def on_snapshot(documents, changes, time):
            lists.append(names(documents))
            came.set()

        query.on_snapshot(on_snapshot)
        came.wait(5)
        print(f"Python, {name}: get {names(query.get())}; live {lists[0] if lists else 'nothing'}", file=seen)
os._exit(0)
EOF
echo 'METADATA_SERVER_DETECTION=none node listen.mjs && python/bin/python listen.py 2>errors.txt' >listen.sh
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  bash listen.sh
else
  echo '{ "emulators": { "firestore": { "port": 29080 }, "ui": { "enabled": false } } }' >firebase.json
  npx --yes firebase-tools@15.34.2 --project demo-finding emulators:exec "bash listen.sh" >log.txt 2>&1 ||
    { cat log.txt; exit 1; }
fi
grep -o "^ValueError: Can only compare fields that exist" errors.txt | sort -u >>seen.txt
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
Node, ascending: get ann cid dan bob; live ann cid dan bob
Node, descending: get bob dan cid ann; live bob dan cid ann
Node, the first three, descending: get bob dan cid; live bob dan cid
Node, the last two: get dan bob; live dan bob
Node, by the field id: get dan cid bob ann; live dan cid bob ann
Node, by a field within a map: get ann cid dan bob; live ann cid dan bob
Python, ascending: get ann cid dan bob; live ann cid dan bob
Python, descending: get bob dan cid ann; live ann cid dan bob
Python, the first three, descending: get bob dan cid; live cid dan bob
Python, the last two: get dan bob; live ann cid
Python, by the field id: get dan cid bob ann; live ann bob cid dan
Python, by a field within a map: get ann cid dan bob; live nothing
ValueError: Can only compare fields that exist
EOF
echo "The same as when this was written."
