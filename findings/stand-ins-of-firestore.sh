#!/usr/bin/env bash
# One would expect: a stand-in of Firestore for unit tests answers the five questions of a leaderboard as Firestore does:
# the list by score, the next page after a score, the players above a score, and what is left after a failed batch and
# after players wrote at the same time.
#
# What happens: none of four does. One of them writes a warning, for two of the questions.
#   - Firestore's ties go the way of the list: of two equal scores in descending order, the larger id is first. Three
#     stand-ins keep the order in which players were added (here zoe before ann, which happens to agree), one takes
#     ascending ids.
#   - Firestore leaves players without a score out. Three stand-ins list them, one raises an error.
#   - 10.5 is above 9. One stand-in sorts all integers before all doubles and does not find 10.5.
#   - startAfter(score) skips all players with the score. Stand-ins ignore it, include them, or skip one.
#   - A failed batch writes nothing. In stand-ins the first write stays.
#   - Of three players' transactions at the same time that add one, two stand-ins keep only one addition.
#
# It needs Python 3.11 or later, and a Firestore emulator: the one at FIRESTORE_EMULATOR_HOST, or Google's, which
# firebase-tools downloads (Java 21).
# Versions: @firestore-emulator/server 0.3.15, mock-cloud-firestore 0.12.0, firebase-mock 2.3.2, fake-firestore 0.13.1
# (Python); firebase-admin 13.6.0, Node 20, Google's emulator 1.19.9. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0 @firestore-emulator/server@0.3.15 \
  mock-cloud-firestore@0.12.0 firebase-mock@2.3.2
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check fake-firestore==0.13.1
cat >ask.cjs <<'EOF'
const { initializeApp } = require("firebase-admin/app");
const { getFirestore } = require("firebase-admin/firestore");

const makers = {
  firestore: async () => getFirestore(initializeApp({ projectId: "demo-stand-ins" })),
  "@firestore-emulator/server": async () => {
    const { FirestoreServer } = require("@firestore-emulator/server");
    await new FirestoreServer().start(29182);
    process.env.FIRESTORE_EMULATOR_HOST = "127.0.0.1:29182";
    return getFirestore(initializeApp({ projectId: "demo-stand-ins" }));
  },
  "mock-cloud-firestore": async () => new (require("mock-cloud-firestore"))({}).firestore(),
  "firebase-mock": async () => {
    const { MockFirestore } = require("firebase-mock");
    const db = new MockFirestore();
    db.autoFlush();
    return db;
  },
};

(async () => {
  const db = await makers[process.argv[2]]();
  const players = db.collection("players");
  const scores = { zoe: 50, ann: 50, bob: 70, eve: -5, fay: 9, gus: 10.5 };
  for (const [id, score] of Object.entries(scores)) await players.doc(id).set({ score });
  await players.doc("cem").set({ name: "No score yet" });

  const ids = async (query) => {
    const found = [];
    (await query.get()).forEach((player) => found.push(player.id));
    return found.join(" ");
  };
  const say = (question, answer) => console.log(`  ${question}: ${answer}`);
  const list = () => players.orderBy("score", "desc");

  console.log(process.argv[2]);
  say("list", await ids(list()));
  say("at least 9", await ids(players.where("score", ">=", 9)));
  say("two after 50", await ids(list().startAfter(50).limit(2)));

  const batch = db.batch();
  batch.update(players.doc("eve"), { score: 1 });
  batch.update(players.doc("nobody"), { score: 2 });
  await batch.commit().catch(() => {});
  say("-5 after a failed batch", (await players.doc("eve").get()).data().score);

  const addOne = () =>
    db.runTransaction(async (transaction) => {
      const bob = await transaction.get(players.doc("bob"));
      await new Promise((resolve) => setTimeout(resolve, 20));
      transaction.update(bob.ref, { score: bob.data().score + 1 });
    });
  await Promise.all([addOne(), addOne(), addOne()]);
  say("70 after three times one more", (await players.doc("bob").get()).data().score);
  process.exit();
})();
EOF
cat >ask.py <<'EOF'
from fake_firestore import MockFirestore

db = MockFirestore()
players = db.collection("players")
for id, score in {"zoe": 50, "ann": 50, "bob": 70, "eve": -5, "fay": 9, "gus": 10.5}.items():
    players.document(id).set({"score": score})


def ids(query):
    return " ".join(player.id for player in query.stream())


def ordered():
    return players.order_by("score", direction="DESCENDING")


print("fake-firestore")
print("  list:", ids(ordered()))
print("  at least 9:", ids(players.where("score", ">=", 9)))
print("  two after 50:", ids(ordered().start_after({"score": 50}).limit(2)))

batch = db.batch()
batch.update(players.document("eve"), {"score": 1})
batch.update(players.document("nobody"), {"score": 2})
try:
    batch.commit()
except Exception:
    pass
print("  -5 after a failed batch:", players.document("eve").get().to_dict()["score"])

players.document("cem").set({"name": "No score yet"})
try:
    print("  list with a player who has no score:", ids(ordered()))
except Exception as error:
    print("  list with a player who has no score:", type(error).__name__)
EOF
export METADATA_SERVER_DETECTION=none
if [ -n "${FIRESTORE_EMULATOR_HOST-}" ]; then
  curl --silent --request DELETE \
    "http://$FIRESTORE_EMULATOR_HOST/emulator/v1/projects/demo-stand-ins/databases/(default)/documents" >/dev/null
  node ask.cjs firestore >seen.txt 2>log.txt || { cat log.txt; exit 1; }
else
  echo '{ "emulators": { "firestore": { "port": 29082 }, "ui": { "enabled": false } } }' >firebase.json
  npx --yes firebase-tools@15.34.2 --project demo-stand-ins emulators:exec "node ask.cjs firestore >seen.txt" \
    >log.txt 2>&1 || { cat log.txt; exit 1; }
fi
for name in @firestore-emulator/server mock-cloud-firestore firebase-mock; do node ask.cjs "$name" >>seen.txt; done
python/bin/python ask.py >>seen.txt 2>log.txt || { cat log.txt; exit 1; }
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
firestore
  list: bob zoe ann gus fay eve
  at least 9: fay gus ann zoe bob
  two after 50: gus fay
  -5 after a failed batch: -5
  70 after three times one more: 73
@firestore-emulator/server
  list: bob zoe ann fay eve gus cem
  at least 9: zoe ann bob fay
  two after 50: bob zoe
  -5 after a failed batch: 1
  70 after three times one more: 71
mock-cloud-firestore
  list: bob zoe ann gus fay eve cem
  at least 9: zoe ann bob fay gus
  two after 50: bob
  -5 after a failed batch: 1
  70 after three times one more: 73
firebase-mock
  list: cem bob zoe ann gus fay eve
  at least 9: zoe ann bob eve fay gus cem
  two after 50: cem bob
  -5 after a failed batch: 1
  70 after three times one more: 71
fake-firestore
  list: bob ann zoe gus fay eve
  at least 9: ann bob fay gus zoe
  two after 50: zoe gus
  -5 after a failed batch: 1
  list with a player who has no score: KeyError
EOF
echo "The same as when this was written."
