/** Whether the rules in force have Firerank's part as it is in this package, and allow what they should and no more. */
import { z } from "zod";
import { ownFile } from "../../init/package.ts";
import { compareRules } from "../../init/merge-rules.ts";
import { configIn } from "../../init/merge-firebase-json.ts";
import { severalDatabases } from "../../init/notes.ts";
import { readIn } from "../../init/project-folder.ts";
import { danger, fault, note, NotChecked, orUnchecked } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";
import { testedByService, triedOnEmulator, type Tried } from "../rules-tried.ts";

const release = z.looseObject({ rulesetName: z.string() });
const source = z.looseObject({ files: z.array(z.looseObject({ content: z.string() })).default([]) });
const ruleset = z.looseObject({ source });
/** What an emulator says of the rules that it has loaded. */
const coverage = z.looseObject({ rules: source });
const textOf = ({ files }: z.infer<typeof source>) => files.map(({ content }) => content).join("\n");

export const rules: Check = {
  name: "rules",
  byHand:
    "Firebase console, Firestore, Rules: the block between // firerank:begin and // firerank:end is there",
  known: "The rules in force, and what they allow a signed-in player.",
  async *look(patient) {
    const inForce = patient.emulators === undefined ? await ofProject(patient) : await ofEmulator(patient);
    const { text, known, tries } = inForce;
    if (areOff(patient, text)) {
      yield note("rules-off", severalDatabases, todoWhereOff, "The folder's firebase.json.");
      return "";
    }
    const { answer: tried, unchecked } = await orUnchecked(tries?.());
    if (unchecked !== undefined) yield unchecked;
    const refused = tried?.refused ?? [];
    // Of rules that nobody shows, what they did tells whether Firerank's part is there.
    const unseen = { part: refused.includes("leaderboards") ? "missing" : "same", open: [], openReads: [] };
    const { part, open, openReads } =
      text === undefined ? unseen : compareRules(text, ownFile("firestore.rules"));
    const then = `npx firebase deploy --only firestore:rules --project ${patient.project}, or start the emulators again`;
    if (part === "missing")
      yield fault(
        "rules-missing",
        "The rules in force have no part for Firerank, so apps cannot read boards, ranks and tops directly.",
        `npx --no-install firerank init, which adds the block; then ${then}`,
        known,
      );
    if (part === "differs")
      yield danger(
        "rules-differ",
        "The rules in force for Firerank are not those of this package: somebody changed them, or they are of another version.",
        `npx --no-install firerank init, which replaces Firerank's block and shows the difference; then ${then}`,
        known,
      );
    if (part !== "missing" && refused.length > 0)
      yield fault(
        "rules-refuse",
        `Apps may not read ${inWords(refused)}, so they show no ranks.`,
        `npx --no-install firerank init, which replaces Firerank's block; then ${then}`,
        `${known} They were tried as a signed-in player.`,
      );
    const { reads = [], writes = [] } = tried ?? {};
    const may = [["write", writes] as const, ["read", reads] as const]
      .filter(([, names]) => names.length > 0)
      .map(([way, names]) => `${way} ${inWords(names)}`);
    const byMatch = (lines: readonly number[], what: string) =>
      lines.length === 0 ? [] : [`by the match in line ${lines.join(", ")}, clients may ${what}`];
    const ways = [
      ...byMatch(open, "write scores"),
      ...byMatch(openReads, "read what Firerank hides"),
      ...(may.length > 0 ? [`any signed-in player may ${may.join(" and may ")}`] : []),
    ];
    if (ways.length > 0)
      yield danger(
        "rules-open",
        `Rules are open: ${ways.join("; ")}. Firestore allows what any one rule allows.`,
        "Narrow the match in firestore.rules to your own collections, so that it does not reach leaderboards, and deploy.",
        known,
      );
    const isAsHere = part === "same" && text !== undefined;
    return [isAsHere ? "as in this package" : [], tried === undefined ? [] : "tried as a player"]
      .flat()
      .join(", ");
  },
};

const todoWhereOff =
  "Nothing for a deployment, which has the rules of each database. To try yours here, make firestore a single object in " +
  "firebase.json, that of Firerank's database, and start the emulators again.";

/** Whether firebase-tools has switched rules off on the emulators; an emulator may not show which it has. */
function areOff({ emulators, folder }: Patient, text: string | undefined): boolean {
  const config = folder === undefined ? undefined : readIn(folder, "firebase.json");
  if (emulators === undefined || configIn(config).firestore.length < 2) return false;
  return text === undefined || compareRules(text, ownFile("firestore.rules")).part === "missing";
}

interface InForce {
  /** Undefined where an emulator does not show it. */
  text: string | undefined;
  known: string;
  /** What they allow. @throws NotChecked where they cannot be tried */
  tries?: () => Promise<Tried>;
}

async function ofProject(patient: Patient): Promise<InForce> {
  const { api, project, database } = patient;
  const service = "firebaserules.googleapis.com";
  const name = database === "(default)" ? "cloud.firestore" : `cloud.firestore/${database}`;
  const released = await api.get(service, `v1/projects/${project}/releases/${name}`, release);
  if (released === undefined) return { text: "", known: "No rules are released." };
  const found = await api.get(service, `v1/${released.rulesetName}`, ruleset);
  if (found === undefined)
    throw new NotChecked(`The ruleset ${released.rulesetName} does not exist any more.`);
  const text = textOf(found.source);
  const known = `The released ruleset ${released.rulesetName.split("/").at(-1) ?? ""}.`;
  return { text, known, tries: () => testedByService(patient, text) };
}

async function ofEmulator(patient: Patient): Promise<InForce> {
  const host = patient.emulators?.["firestore"];
  if (host === undefined) throw new NotChecked("No Firestore emulator is known.");
  const response = await fetch(`http://${host}/emulator/v1/projects/${patient.project}:ruleCoverage`);
  const loaded = coverage.safeParse(response.ok ? await response.json() : undefined).data?.rules;
  return {
    text: loaded === undefined || loaded.files.length === 0 ? undefined : textOf(loaded),
    known: "The rules that the emulator has loaded, and requests for documents that do not exist.",
    tries: () => triedOnEmulator(patient, host),
  };
}

/** "players and top", "players, scores and top". */
function inWords(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}
