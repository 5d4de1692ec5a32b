#!/usr/bin/env bash
# One would expect: httpsCallable sends what JSON.stringify would. A field that is undefined is left out, as an optional
# field of TypeScript means it; what JSON has no form for is refused, as NaN is.
#
# What happens:
#   - A field that is undefined is sent as null. A server whose field is optional, but not nullable (zod's `.optional()`),
#     refuses the call.
#   - A Map, a Set and a function are sent as {}, and a Uint8Array as an object with the keys "0", "1", …; no error says so.
#   - NaN, Infinity and a BigInt are refused by an Error without a code, so `error.code` tells nothing; an invalid Date by
#     a RangeError.
#
# Versions: firebase 13.2.0 and 12.19.0, which send the same; Node 20 and 24. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/send.mjs" <<'EOF'
import { createServer } from "node:http";
import { initializeApp } from "firebase/app";
import { connectFunctionsEmulator, getFunctions, httpsCallable } from "firebase/functions";

let body;
const server = createServer(async (request, response) => {
  body = (await request.toArray()).join("");
  response.setHeader("content-type", "application/json").end('{"result": null}');
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const functions = getFunctions(initializeApp({ projectId: "demo-callable" }));
connectFunctionsEmulator(functions, "127.0.0.1", server.address().port);
const call = httpsCallable(functions, "call");

for (const [name, value] of Object.entries({
  undefined: { score: 1, display_name: undefined },
  Map: new Map([["country", "AT"]]),
  Set: new Set(["AT"]),
  function: () => 1,
  Uint8Array: new Uint8Array([7, 8]),
})) {
  await call(value);
  console.log(`${name}: ${body}`);
}
for (const value of [NaN, Infinity, 10n, new Date(NaN)]) {
  const error = await call({ value }).catch((refused) => refused);
  console.log(`${value}: ${error.name}, code ${error.code}`);
}
process.exit();
EOF
for version in 13.2.0 12.19.0; do
  mkdir "$work/$version"
  cd "$work/$version"
  npm init --yes >/dev/null
  npm install --silent --no-audit --no-fund --ignore-scripts firebase@$version
  cp ../send.mjs .
  node send.mjs | sed "s/^/$version /"
done | tee "$work/seen.txt"
cd "$work"

# What was seen.
diff - seen.txt <<'EOF'
13.2.0 undefined: {"data":{"score":1,"display_name":null}}
13.2.0 Map: {"data":{}}
13.2.0 Set: {"data":{}}
13.2.0 function: {"data":{}}
13.2.0 Uint8Array: {"data":{"0":7,"1":8}}
13.2.0 NaN: Error, code undefined
13.2.0 Infinity: Error, code undefined
13.2.0 10: Error, code undefined
13.2.0 Invalid Date: RangeError, code undefined
12.19.0 undefined: {"data":{"score":1,"display_name":null}}
12.19.0 Map: {"data":{}}
12.19.0 Set: {"data":{}}
12.19.0 function: {"data":{}}
12.19.0 Uint8Array: {"data":{"0":7,"1":8}}
12.19.0 NaN: Error, code undefined
12.19.0 Infinity: Error, code undefined
12.19.0 10: Error, code undefined
12.19.0 Invalid Date: RangeError, code undefined
EOF
echo "The same as when this was written."
