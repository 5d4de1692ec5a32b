#!/usr/bin/env bash
# One would expect: verifyIdToken(token) and verifyIdToken(token, false) only look at the token, as their documentation
# says: whether the account was disabled, deleted or signed out is asked with `true` alone. So a token of a deleted account
# is good for up to an hour.
#
# What happens: while FIREBASE_AUTH_EMULATOR_HOST is set, firebase-admin asks in any case, also with `false`. So a test on
# the emulator sees a deleted account refused at once, where production lets it in; no emulator shows that hour.
#
# Versions: firebase-admin 13.6.0 and the Auth emulator of firebase-tools 15.34.2; Node 20 and 24. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts firebase-admin@13.6.0 firebase-tools@15.34.2
cat >firebase.json <<'EOF'
{ "emulators": { "auth": { "port": 29099 }, "hub": { "port": 29400 }, "logging": { "port": 29500 }, "ui": { "enabled": false } } }
EOF
cat >tokens.mjs <<'EOF'
import { appendFileSync } from "node:fs";
import { initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";

const auth = getAuth(initializeApp({ projectId: "demo-tokens" }));
const account = { uid: "ann", email: "ann@example.com", password: "a password" };
await auth.createUser(account);
const address = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`;
const signedIn = await fetch(address, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ ...account, returnSecureToken: true }),
});
const { idToken } = await signedIn.json();
async function tell(state) {
  const answer = await auth.verifyIdToken(idToken, false).then(
    () => "accepted",
    ({ code }) => code,
  );
  appendFileSync("seen.txt", `${state}: ${answer}\n`);
}
await tell("signed in");
await auth.updateUser("ann", { disabled: true });
await tell("disabled");
await auth.deleteUser("ann");
await tell("deleted");
EOF
METADATA_SERVER_DETECTION=none npx --no-install firebase --project demo-tokens emulators:exec --only auth "node tokens.mjs" >log.txt 2>&1 ||
  { cat log.txt; exit 1; }
cat seen.txt

# What was seen.
diff - seen.txt <<'EOF'
signed in: accepted
disabled: auth/user-disabled
deleted: auth/user-not-found
EOF
echo "The same as when this was written."
