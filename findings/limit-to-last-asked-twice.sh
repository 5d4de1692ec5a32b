#!/usr/bin/env bash
# One would expect: asking a query does not change it, in Google's libraries for Go and Python as in Node's. A query that is
# kept, for the last places of a list, and asked twice answers the same.
#
# What happens where the query has LimitToLast, or limit_to_last in Python:
#   - In Go the first GetAll gives the last two. The second one gives the first two, backwards: other documents. The third
#     one gives the last two again, and so on.
#   - In Python the first get() gives the last two, the lower one first. Each get() after it gives them the other way round.
#   - In both, the query that it was made from is reversed, and with it each other query that was made from that one,
#     before or after: base.limit(2) gave the first two, and gives the last two now. In Python that stays; in Go each
#     GetAll of the last turns all of them over once more.
# So asking for the end of a list spoils the question for its beginning, in Python's asynchronous client too. Node's library
# answers the same each time. Make the whole query anew each time, from the collection.
#
# It needs Go, Python, and a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which firebase-tools
# downloads (Java 21).
# Versions: cloud.google.com/go/firestore 1.29.2, Go 1.26; google-cloud-firestore 2.34.1, Python 3.11;
# @google-cloud/firestore 9.4.1, Node 20; Google's emulator 1.19.9. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google-cloud/firestore@9.4.1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check google-cloud-firestore==2.34.1
cat >ask.mjs <<'EOF'
import { writeFileSync } from "node:fs";
import { Firestore } from "@google-cloud/firestore";

const players = new Firestore({ projectId: "demo-finding" }).collection("places");
for (const [name, score] of [["ann", 30], ["bob", 50], ["cid", 40], ["dan", 45]]) await players.doc(name).set({ score });
const base = players.orderBy("score");
const [first, last] = [base.limit(2), base.limitToLast(2)];
let seen = "";
for (const [what, query] of [["first", first], ["last", last], ["last", last], ["first", first], ["all", base]])
  seen += `Node, ${what}: ${(await query.get()).docs.map(({ id }) => id).join(" ")}\n`;
writeFileSync("seen.txt", seen);
process.exit();
EOF
cat >ask.py <<'EOF'
import asyncio

from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore import AsyncClient, Client

options = {"project": "demo-finding", "credentials": AnonymousCredentials()}


def queries(client):
    base = client.collection("places").order_by("score")
    first, last = base.limit(2), base.limit_to_last(2)
    return {"first": first, "last": last, "last again": last, "first again": first, "all": base}


def line(who, what, documents):
    return f"{who}, {what}: {' '.join(one.id for one in documents)}"


async def ask_async():
    return [line("Python, async", what, await query.get()) for what, query in queries(AsyncClient(**options)).items()]


lines = [line("Python", what, query.get()) for what, query in queries(Client(**options)).items()]
with open("seen.txt", "a") as seen:
    print("\n".join(lines + asyncio.run(ask_async())), file=seen)
EOF
mkdir go
cat >go/ask.go <<'EOF'
package main

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"
)

func main() {
	ctx := context.Background()
	client, err := firestore.NewClient(ctx, "demo-finding")
	if err != nil {
		panic(err)
	}
	base := client.Collection("places").OrderBy("score", firestore.Asc)
	first, last := base.Limit(2), base.LimitToLast(2)
	ask := func(what string, query firestore.Query) {
		documents, err := query.Documents(ctx).GetAll()
		if err != nil {
			panic(err)
		}
		fmt.Printf("Go, %s:", what)
		for _, document := range documents {
			fmt.Printf(" %s", document.Ref.ID)
		}
		fmt.Println()
	}
	ask("first", first)
	ask("last", last)
	ask("first again", first)
	ask("last again", last)
	ask("last a third time", last)
	ask("all", base)
}
EOF
(cd go && go mod init example.com/finding && go get cloud.google.com/go/firestore@v1.29.2 && go build -o ask .) >go.txt 2>&1 ||
  { cat go.txt; exit 1; }
echo 'METADATA_SERVER_DETECTION=none node ask.mjs && python/bin/python ask.py && go/ask >>seen.txt' >ask.sh
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  bash ask.sh
else
  echo '{ "emulators": { "firestore": { "port": 29080 }, "ui": { "enabled": false } } }' >firebase.json
  npx --yes firebase-tools@15.34.2 --project demo-finding emulators:exec "bash ask.sh" >log.txt 2>&1 ||
    { cat log.txt; exit 1; }
fi
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
Node, first: ann cid
Node, last: dan bob
Node, last: dan bob
Node, first: ann cid
Node, all: ann cid dan bob
Python, first: ann cid
Python, last: dan bob
Python, last again: bob dan
Python, first again: bob dan
Python, all: bob dan cid ann
Python, async, first: ann cid
Python, async, last: dan bob
Python, async, last again: bob dan
Python, async, first again: bob dan
Python, async, all: bob dan cid ann
Go, first: ann cid
Go, last: dan bob
Go, first again: bob dan
Go, last again: cid ann
Go, last a third time: dan bob
Go, all: bob dan cid ann
EOF
echo "The same as when this was written."
