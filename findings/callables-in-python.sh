#!/usr/bin/env bash
# One would expect: a callable function in Python gets and answers what the same function in Node does, as one protocol
# describes both, with whole numbers of 64 bits as {"@type": ".../google.protobuf.Int64Value", "value": "48213"}.
#
# What happens:
#   - A score that an app sends as a 64-bit number, as Android's library sends each Long, is a number in Node. In Python it
#     is a dict with "@type" and "value", so `score > best` is a TypeError, and the caller gets INTERNAL.
#   - Python answers NaN and infinity as `NaN` and `Infinity`, which is no JSON, so the device gets an error about the
#     answer, although the call is done. Node answers INTERNAL, and says why in its log.
# So a function in Python decodes such numbers itself, and answers no NaN.
#
# Versions: firebase-functions 0.6.0 and functions-framework 3.10.2 on Python 3.11; firebase-functions 7.4.0 and
# @google-cloud/functions-framework 5.0.5 on Node 20; firebase 12.19.0 as the device. Seen on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-functions@7.4.0 firebase-admin@14.5.1 \
  @google-cloud/functions-framework@5.0.5 firebase@12.19.0
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check firebase-functions==0.6.0 functions-framework==3.10.2
cat >index.js <<'EOF'
const { onCall } = require("firebase-functions/v2/https");

const answers = { nothing: null, nan: NaN, infinite: Infinity };
exports.call = onCall(({ data: { score, answer } }) => {
  return score === undefined ? { score: answers[answer] } : { kind: typeof score, score };
});
EOF
cat >main.py <<'EOF'
from firebase_functions import https_fn

answers = {"nothing": None, "nan": float("nan"), "infinite": float("inf")}


@https_fn.on_call()
def call(request):
    score = request.data.get("score")
    if score is None:
        return {"score": answers[request.data["answer"]]}
    return {"kind": type(score).__name__, "score": score}
EOF
cat >device.mjs <<'EOF'
import { initializeApp } from "firebase/app";
import { getFunctions, httpsCallableFromURL } from "firebase/functions";

const functions = getFunctions(initializeApp({ projectId: "demo-finding", apiKey: "none", appId: "none" }));
const long = { "@type": "type.googleapis.com/google.protobuf.Int64Value", value: "48213" };
for (const [language, port] of [["Node", 29081], ["Python", 29082]]) {
  const url = `http://127.0.0.1:${port}/call`;
  for (let tries = 0; tries < 100; tries++)
    if (await fetch(url).then(() => true, () => false)) break;
    else await new Promise((done) => setTimeout(done, 200));
  // As Android's library sends a Long.
  const sent = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { score: long } }),
  });
  console.log(`${language} is sent a 64-bit number: ${JSON.stringify((await sent.json()).result)}`);
  for (const answer of ["nothing", "nan", "infinite"]) {
    const said = await httpsCallableFromURL(functions, url)({ answer }).then(
      ({ data }) => JSON.stringify(data),
      ({ code, message }) => `${code}: ${message}`,
    );
    console.log(`${language} answers ${answer}: ${said}`);
  }
}
process.exit();
EOF
GCLOUD_PROJECT=demo-finding npx functions-framework --target=call --port=29081 >node.txt 2>&1 &
pids+=($!)
python/bin/functions-framework --target=call --port=29082 >python.txt 2>&1 &
pids+=($!)
node device.mjs >seen.txt || { cat seen.txt node.txt python.txt; exit 1; }
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
Node is sent a 64-bit number: {"kind":"number","score":48213}
Node answers nothing: {"score":null}
Node answers nan: functions/internal: INTERNAL [500]
Node answers infinite: functions/internal: INTERNAL [500]
Python is sent a 64-bit number: {"kind":"dict","score":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"48213"}}
Python answers nothing: {"score":null}
Python answers nan: functions/internal: Response is not valid JSON object.
Python answers infinite: functions/internal: Response is not valid JSON object.
EOF
echo "The same as when this was written."
