/** Whether the rules in force have Firerank's part, as it is in this package. */
import { z } from "zod";
import { ownFile } from "../../init/package.ts";
import { compareRules } from "../../init/merge-rules.ts";
import type { Check } from "../check.ts";
import { type Finding, NotChecked, type Seen } from "../finding.ts";
import type { Patient } from "../patient.ts";

const release = z.looseObject({ rulesetName: z.string() });
const ruleset = z.looseObject({
  source: z.looseObject({ files: z.array(z.looseObject({ content: z.string() })).default([]) }),
});

export const rules: Check = {
  name: "rules",
  byHand:
    "Firebase console, Firestore, Rules: the block between // firerank:begin and // firerank:end is there",
  async look(patient) {
    return patient.emulators === undefined ? inForce(patient) : tried(patient);
  },
};

async function inForce({ api, project, database }: Patient): Promise<Seen> {
  const service = "firebaserules.googleapis.com";
  const name = database === "(default)" ? "cloud.firestore" : `cloud.firestore/${database}`;
  const released = await api.get(service, `v1/projects/${project}/releases/${name}`, release);
  if (released === undefined) return { seen: "", findings: [missing(project, "No rules are released.")] };
  const found = await api.get(service, `v1/${released.rulesetName}`, ruleset);
  if (found === undefined)
    throw new NotChecked(`The ruleset ${released.rulesetName} does not exist any more.`);
  const text = found.source.files.map(({ content }) => content).join("\n");
  const { part, open, openReads } = compareRules(text, ownFile("firestore.rules"));
  const findings: Finding[] = [];
  const known = `The released ruleset ${released.rulesetName.split("/").at(-1) ?? ""}.`;
  if (part === "missing") findings.push(missing(project, known));
  if (part === "differs") {
    findings.push({
      id: "rules-differ",
      what: "The rules in force for Firerank are not those of this package: somebody changed them, or they are of another version.",
      known,
      todo: `npx --no-install firerank init, which replaces Firerank's block and shows the difference; then npx firebase deploy --only firestore:rules --project ${project}`,
    });
  }
  const ways = [
    ...(open.length > 0 ? [`by the match in line ${open.join(", ")}, clients may write scores`] : []),
    ...(openReads.length > 0
      ? [`by the match in line ${openReads.join(", ")}, clients may read what Firerank hides`]
      : []),
  ];
  if (ways.length > 0) findings.push(openTo(known, ways.join("; ")));
  return { seen: part === "same" ? "as in this package" : "", findings };
}

/**
 * An emulator does not show its rules, so it is asked as a player's app would ask, for documents that do not exist. The
 * one write requires that its document exists, so nothing is ever written.
 */
async function tried({ emulators, project, database }: Patient): Promise<Seen> {
  const host = emulators?.["firestore"];
  if (host === undefined) throw new NotChecked("No Firestore emulator is known.");
  const documents = `http://${host}/v1/projects/${project}/databases/${database}/documents`;
  const player = { Authorization: `Bearer ${playerToken(project)}` };
  const ask = async (method: string, path: string) => {
    const { status } = await fetch(`${documents}/leaderboards/${probe}${path}`, { method, headers: player });
    return status !== 403 && status !== 401;
  };
  const season = `/seasons/${probe}`;
  const [mayReadBoard, mayReadShards, mayWrite] = [
    await ask("GET", ""),
    await ask("GET", `${season}/scores/${probe}`),
    await ask("DELETE", `${season}/players/${probe}?currentDocument.exists=true`),
  ];
  const known = "Requests of a player who does not exist, for documents that do not exist.";
  const findings: Finding[] = [];
  if (!mayReadBoard) findings.push(missing(project, known));
  if (mayReadShards || mayWrite) {
    const what = [mayReadShards ? "read what only admins may read" : [], mayWrite ? "write scores" : []]
      .flat()
      .join(" and ");
    findings.push(openTo(known, `any player may ${what}`));
  }
  return { seen: "tried as a player", findings };
}

const probe = "firerank-doctor";

/** The emulator takes tokens without a signature. */
function playerToken(project: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: `https://securetoken.google.com/${project}`,
    aud: project,
    sub: probe,
    user_id: probe,
    auth_time: seconds,
    iat: seconds,
    exp: seconds + 600,
    firebase: { sign_in_provider: "anonymous", identities: {} },
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

function missing(project: string, known: string): Finding {
  return {
    id: "rules-missing",
    what: "The rules in force have no part for Firerank, so apps cannot read boards, ranks and tops directly.",
    known,
    todo: `npx --no-install firerank init, which adds the block; then npx firebase deploy --only firestore:rules --project ${project}, or start the emulators again`,
  };
}

function openTo(known: string, how: string): Finding {
  return {
    id: "rules-open",
    what: `Rules are open: ${how}. Firestore allows what any one rule allows.`,
    known,
    todo: "Narrow the match in firestore.rules to your own collections, so that it does not reach leaderboards, and deploy.",
  };
}
