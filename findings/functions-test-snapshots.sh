#!/usr/bin/env bash
# One would expect: a snapshot that firebase-functions-test makes of {} is a document without fields, and exists, as in
# Firestore; and a wrapped trigger gets the parameters of its path from the snapshot's own path.
#
# What happens:
#   - The snapshot of {} does not exist. A test of "a document was written, and has no fields" tests a deletion.
#   - The parameters are empty unless the test names them: of the path players/{player} and a snapshot of players/ann, the
#     event says `params: {}` and `document: "players/undefined"`.
#
# Versions: firebase-functions-test 3.5.0 with firebase-functions 7.4.0 and firebase-admin 13.6.0; Node 20 and 24. Seen on
# 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-functions-test@3.5.0 firebase-functions@7.4.0 \
  firebase-admin@13.6.0
cat >snapshots.mjs <<'EOF'
import { onDocumentWritten } from "firebase-functions/firestore";
import functionsTest from "firebase-functions-test";

const { firestore, makeChange, wrap } = functionsTest({ projectId: "demo-snapshots" });
const snapshot = (data) => firestore.makeDocumentSnapshot(data, "players/ann");
console.log("{} exists:", snapshot({}).exists);
console.log("{score: 1} exists:", snapshot({ score: 1 }).exists);

const trigger = wrap(
  onDocumentWritten("players/{player}", ({ params, document }) => {
    console.log("params", JSON.stringify(params), "document", document);
  }),
);
const data = makeChange(snapshot({ score: 1 }), snapshot({ score: 2 }));
await trigger({ data });
await trigger({ data, params: { player: "ann" } });
process.exit();
EOF
node snapshots.mjs 2>/dev/null | tee seen.txt

# What was seen.
diff - seen.txt <<'EOF'
{} exists: false
{score: 1} exists: true
params {} document players/undefined
params {"player":"ann"} document players/ann
EOF
echo "The same as when this was written."
