/** Whether the rules in force have Firerank's part as it is in this package, and allow what they should and no more. */
import { z } from "zod";
import { ownFile } from "../../init/package.ts";
import { type ComparedRules, compareRules } from "../../init/merge-rules.ts";
import { type Finding, NotChecked, type Seen } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";
import { testedByService, triedOnEmulator, type Tried } from "../rules-tried.ts";

const release = z.looseObject({ rulesetName: z.string() });
const ruleset = z.looseObject({
  source: z.looseObject({ files: z.array(z.looseObject({ content: z.string() })).default([]) }),
});
/** What an emulator says of the rules that it has loaded. */
const coverage = z.looseObject({
  rules: z.looseObject({ files: z.array(z.looseObject({ content: z.string() })).default([]) }),
});

export const rules: Check = {
  name: "rules",
  byHand:
    "Firebase console, Firestore, Rules: the block between // firerank:begin and // firerank:end is there",
  async look(patient) {
    return patient.emulators === undefined ? ofProject(patient) : ofEmulator(patient);
  },
};

interface InForce {
  /** Undefined where an emulator does not show it. */
  text: string | undefined;
  known: string;
}

async function ofProject(patient: Patient): Promise<Seen> {
  const { api, project, database } = patient;
  const service = "firebaserules.googleapis.com";
  const name = database === "(default)" ? "cloud.firestore" : `cloud.firestore/${database}`;
  const released = await api.get(service, `v1/projects/${project}/releases/${name}`, release);
  if (released === undefined) return { seen: "", findings: [missing(project, "No rules are released.")] };
  const found = await api.get(service, `v1/${released.rulesetName}`, ruleset);
  if (found === undefined)
    throw new NotChecked(`The ruleset ${released.rulesetName} does not exist any more.`);
  const text = found.source.files.map(({ content }) => content).join("\n");
  const known = `The released ruleset ${released.rulesetName.split("/").at(-1) ?? ""}.`;
  try {
    return judged(project, { text, known }, await testedByService(patient, text));
  } catch (error) {
    if (!(error instanceof NotChecked)) throw error;
    const { findings, seen } = judged(project, { text, known });
    return { findings, seen, unchecked: [{ why: error.message, isAbsent: error.isAbsent }] };
  }
}

async function ofEmulator(patient: Patient): Promise<Seen> {
  const { emulators, project } = patient;
  const host = emulators?.["firestore"];
  if (host === undefined) throw new NotChecked("No Firestore emulator is known.");
  const known = "The rules that the emulator has loaded, and requests for documents that do not exist.";
  const response = await fetch(`http://${host}/emulator/v1/projects/${project}:ruleCoverage`);
  const loaded = coverage.safeParse(response.ok ? await response.json() : undefined).data?.rules.files ?? [];
  const text = loaded.length === 0 ? undefined : loaded.map(({ content }) => content).join("\n");
  return judged(project, { text, known }, await triedOnEmulator(patient, host));
}

/** What follows from the text of the rules, and from what they allowed where they were tried. Pure. */
function judged(project: string, { text, known }: InForce, tried?: Tried): Seen {
  const { part, open, openReads } =
    text === undefined ? unseen(tried) : compareRules(text, ownFile("firestore.rules"));
  const findings: Finding[] = [];
  if (part === "missing") findings.push(missing(project, known));
  if (part === "differs") {
    findings.push({
      id: "rules-differ",
      what: "The rules in force for Firerank are not those of this package: somebody changed them, or they are of another version.",
      known,
      todo: `npx --no-install firerank init, which replaces Firerank's block and shows the difference; then ${inForceBy(project)}`,
    });
  }
  if (part !== "missing" && tried !== undefined && tried.refused.length > 0) {
    findings.push({
      id: "rules-refuse",
      what: `Apps may not read ${inWords(tried.refused)}, so they show no ranks.`,
      known: `${known} They were tried as a signed-in player.`,
      todo: `npx --no-install firerank init, which replaces Firerank's block; then ${inForceBy(project)}`,
    });
  }
  const may = [
    ...(tried === undefined || tried.writes.length === 0 ? [] : [`write ${inWords(tried.writes)}`]),
    ...(tried === undefined || tried.reads.length === 0 ? [] : [`read ${inWords(tried.reads)}`]),
  ];
  const ways = [
    ...(open.length > 0 ? [`by the match in line ${open.join(", ")}, clients may write scores`] : []),
    ...(openReads.length > 0
      ? [`by the match in line ${openReads.join(", ")}, clients may read what Firerank hides`]
      : []),
    ...(may.length > 0 ? [`any signed-in player may ${may.join(" and may ")}`] : []),
  ];
  if (ways.length > 0) findings.push(openTo(known, ways.join("; ")));
  const said = [
    ...(part === "same" && text !== undefined ? ["as in this package"] : []),
    ...(tried === undefined ? [] : ["tried as a player"]),
  ];
  return { seen: said.join(", "), findings };
}

/** Of rules that nobody shows, what they did tells whether Firerank's part is there. */
function unseen(tried: Tried | undefined): ComparedRules {
  const isMissing = tried?.refused.includes("leaderboards") === true;
  return { part: isMissing ? "missing" : "same", open: [], openReads: [] };
}

/** "players and top", "players, scores and top". */
function inWords(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

const inForceBy = (project: string) =>
  `npx firebase deploy --only firestore:rules --project ${project}, or start the emulators again`;

function missing(project: string, known: string): Finding {
  return {
    id: "rules-missing",
    what: "The rules in force have no part for Firerank, so apps cannot read boards, ranks and tops directly.",
    known,
    todo: `npx --no-install firerank init, which adds the block; then ${inForceBy(project)}`,
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
