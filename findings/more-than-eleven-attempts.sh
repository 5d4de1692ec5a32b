#!/usr/bin/env bash
# One would expect: a transaction of Google's Node.js library with `maxAttempts: 20` is tried up to twenty times where others
# are first each time, and then rejects with Firestore's error, ABORTED (code 10).
#
# What happens: it is tried eleven times, and then rejects with an error of the library's own, "Exceeded maximum number of
# retries allowed.", which has no code. So whoever tells contention from faults by the code takes it for a fault. With
# `maxAttempts: 11` the same eleven attempts reject with ABORTED. The pauses between them grow by half each time and come to
# about two minutes: longer than a callable function has by default.
#
# It needs no emulator: the transaction's own work fails, as a commit that was beaten does. It takes about two minutes.
# Versions: @google-cloud/firestore 9.4.1, Node 20. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google-cloud/firestore@9.4.1
cat >try.mjs <<'EOF'
import { Firestore } from "@google-cloud/firestore";

const aborted = 10;

async function tried(maxAttempts) {
  const db = new Firestore({ projectId: "demo-finding" });
  let attempts = 0;
  const work = () => {
    attempts += 1;
    throw Object.assign(new Error("another writer was first"), { code: aborted });
  };
  const error = await db.runTransaction(work, { maxAttempts }).catch((cause) => cause);
  return `${maxAttempts} asked: ${attempts} made, code ${error.code}, ${error.message}`;
}

console.log((await Promise.all([2, 11, 12, 20].map(tried))).join("\n"));
process.exit();
EOF
export FIRESTORE_EMULATOR_HOST=127.0.0.1:1
seen=$(node try.mjs)
expected='2 asked: 2 made, code 10, another writer was first
11 asked: 11 made, code 10, another writer was first
12 asked: 11 made, code undefined, Exceeded maximum number of retries allowed.
20 asked: 11 made, code undefined, Exceeded maximum number of retries allowed.'
echo "$seen"
if [ "$seen" != "$expected" ]; then
  echo "This has changed. It was:"
  echo "$expected"
  exit 1
fi
