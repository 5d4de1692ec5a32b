/** What Cloud Functions, or the Functions emulator, says of Firerank's functions. */
import { functionName } from "../../../functions/src/model/function-name.ts";
import { count } from "../../progress.ts";
import { nodeMajorMin } from "../../../functions/src/model/node-version.ts";
import { version as ownVersion, versionLabel } from "../../../functions/src/model/version.ts";
import { commandName } from "../../command-name.ts";
import { configIn } from "../../init/merge-firebase-json.ts";
import { reexportOf, unfitnessOf } from "../../init/their-functions.ts";
import { variablesOf } from "../deployment.ts";
import { expectedKinds } from "../expected.ts";
import { danger, fault, type Finding, listed, NotChecked, note } from "../finding.ts";
import { type Check, configOf, deployOf, type Patient, restart } from "../patient.ts";

/** Whether all are there and active, under the names and in the region that are expected. */
export const functions: Check = {
  name: "functions",
  byHand: "Firebase console, Functions",
  known: "The list of functions, of Cloud Functions or of the emulator.",
  async *look(patient) {
    const { region, project, emulators } = patient;
    const { own, prefix, prefixes, codebase = "firerank", isTriggerLeftOut } = await patient.deployment();
    if (own.size === 0) {
      yield noneOf(patient, prefix, prefixes);
      return "";
    }
    const missing = [...expectedKinds.keys()].filter(
      (name) => !own.has(name) && !(name === "indexPlayer" && isTriggerLeftOut),
    );
    if (missing.length > 0) {
      const names = missing.map((name) => functionName(name, prefix));
      const todo =
        emulators === undefined
          ? deployOf(patient, `functions:${codebase}`)
          : `${restart}. Its output says why a function did not load.`;
      yield fault("functions-missing", `Not deployed: ${listed(names, 8)}.`, todo);
    }
    const all = [...own.values()].flat();
    const bad = all.filter(({ state = "ACTIVE" }) => state !== "ACTIVE");
    if (bad.length > 0)
      yield fault(
        "functions-failed",
        `Not active: ${listed(bad.map(({ name, state }) => `${name} (${state ?? ""})`))}.`,
        `${deployOf(patient, "functions")}; the logs are in the Firebase console, Functions`,
      );
    const regions = [...new Set(all.map((one) => one.region))];
    const where = regions.join(", ");
    if (region !== undefined && !regions.includes(region))
      yield fault(
        "region-differs",
        `The functions are in ${where}, not in ${region}.`,
        `Name ${where} in your apps, or set REGION=${region} in the codebase's .env and deploy; firebase deploy offers to delete the old ones.`,
      );
    else if (regions.length > 1)
      yield fault(
        "regions-several",
        `Firerank's functions are in several regions: ${where}.`,
        `Delete those that are left over: npx firebase functions:delete <name> --region <region> --project ${project}`,
      );
    const named = prefix === "" ? "" : ` named ${prefix}-…`;
    return `${own.size} of ${expectedKinds.size}${named} in ${where}`;
  },
};

function noneOf(patient: Patient, prefix: string, prefixes: readonly string[]): Finding {
  const { emulators } = patient;
  const start = "then npx firebase emulators:start";
  if (prefixes.length > 0) {
    const there = prefixes.map((one) => (one === "" ? "no prefix" : `the prefix ${one}`)).join(", ");
    return fault(
      "prefix-differs",
      `No function of Firerank is called ${functionName("stepSeason", prefix)} or the like. Those that are there have ${there}.`,
      `Run this with --prefix ${prefixes[0] || '""'}. Apps must name the same one: leaderboard(app, id, { prefix }).`,
    );
  }
  if (emulators !== undefined && emulators["functions"] === undefined)
    return fault(
      "functions-none",
      "No Functions emulator runs, so nothing is ranked or answered.",
      `npx --no-install firerank init adds the emulators that are missing to firebase.json; ${start}`,
      "The emulators' hub.",
    );
  return fault(
    "functions-none",
    "None of Firerank's functions is deployed.",
    emulators === undefined
      ? deployOf(patient, "functions:firerank,firestore")
      : `npx --no-install firerank init adds Firerank to firebase.json; ${start}. Its output says why a function did not load.`,
  );
}

/** Whether they are of the version of this command, whose rules, indexes and stored forms it compares with. */
export const version: Check = {
  name: "version",
  byHand: `Google Cloud console, Cloud Run functions: the label firerank of each function is ${versionLabel}`,
  known: "The functions' label firerank.",
  async *look(patient) {
    const all = await patient.ownFunctions();
    const others = all.filter((one) => one.version !== versionLabel);
    if (others.length === 0) return ownVersion;
    const said = Array.from(
      Map.groupBy(others, (one) => one.version),
      ([label, some]) => {
        const names = some.length === all.length ? "all functions" : listed(some.map(({ name }) => name));
        return `${label?.replaceAll("-", ".") ?? "an older version without a label"} (${names})`;
      },
    );
    const deploy =
      patient.emulators === undefined ? deployOf(patient, "functions") : "start the emulators again";
    yield danger(
      "version-differs",
      `This command is of version ${ownVersion}, and the functions are of ${said.join(", ")}.`,
      `If the command is the newer one: npx --no-install firerank init, then ${deploy}; docs/upgrading.md has the order. Otherwise install the package of the functions, and use its command.`,
    );
    return "";
  },
};

/** Whether functions with Firerank's names are Firerank's. */
export const collisions: Check = {
  name: "names",
  byHand: "compare the names of your functions with the list in docs/calls.md",
  known: "The codebases and kinds of functions.",
  async *look({ deployment }) {
    const { own, prefix, codebase: home } = await deployment();
    if (home === undefined) throw new NotChecked("None of Firerank's functions is deployed.");
    for (const [name, all] of own) {
      const expected = expectedKinds.get(name) ?? "";
      for (const { kind, codebase, region } of all) {
        const isOther = codebase !== home;
        if (kind === expected && !isOther) continue;
        const is = isOther ? `it belongs to the codebase ${codebase}` : `it is of the kind "${kind}"`;
        yield fault(
          "function-foreign",
          `${functionName(name, prefix)} in ${region} is not Firerank's: ${is}.`,
          "Rename yours, or give Firerank's a prefix in firebase.json, and deploy both codebases again.",
          isOther
            ? `Firerank's others belong to the codebase ${home}.`
            : `Firerank's is of the kind "${expected}".`,
        );
      }
    }
    return `${count(own.size, "function")} of the codebase ${home}`;
  },
};

/** A deployment takes minutes; a function that came so much later was added to those that were there. */
const laterMs = 3_600_000;
const repairEach = `repair each season that takes scores: ${commandName} repair <board> --season <season>`;

/** Whether the trigger on players' documents listens to the database, is retried, and is there if it should be. */
export const trigger: Check = {
  name: "trigger",
  byHand: "Google Cloud console, Eventarc: the trigger of indexPlayer, its database and its retry policy",
  known: "The filter and the retry policy of the event trigger.",
  async *look(patient) {
    const { database, emulators, project } = patient;
    const { own, isTriggerLeftOut } = await patient.deployment();
    const [indexPlayer] = own.get("indexPlayer") ?? [];
    const elsewhere = (who: string, other: string) =>
      fault(
        "trigger-database",
        `${who} the database ${other}, and you asked about ${database}: scores in ${database} are never ranked.`,
        `Run this with --database "${other}"; or set DATABASE=${database} in the codebase's .env, and deploy.`,
        "The filter of the event trigger, or the variable DATABASE.",
      );
    if (indexPlayer === undefined) {
      if (!isTriggerLeftOut) throw new NotChecked("indexPlayer is not deployed.");
      yield note(
        "trigger-left-out",
        "Nobody follows what servers of yours write to players' documents by themselves; it waits for a repair.",
        `If you have just changed DIRECT_WRITES, ${repairEach}. If servers of yours write players' documents, set DIRECT_WRITES=true in the codebase's .env, deploy, and do the same.`,
        "indexPlayer is not there, and the variable DIRECT_WRITES of the others.",
      );
      const uses = variablesOf(own, "DATABASE").find(({ value }) => value !== database);
      if (uses !== undefined) yield elsewhere("The functions use", uses.value);
      return "left out, as DIRECT_WRITES is false";
    }
    const { name, region, database: listens = "(default)", retry, createdAt = "" } = indexPlayer;
    if (listens !== database) yield elsewhere(`${name} listens to`, listens);
    const others = variablesOf(own, "DATABASE").filter(({ value }) => value !== listens);
    if (others.length > 0)
      yield fault(
        "functions-database",
        `${name} listens to the database ${listens}, and ${listed(others.map((one) => one.name))} use ${others[0]?.value ?? ""}, so scores are not ranked where they are.`,
        `Set DATABASE in the codebase's .env, and deploy all functions: ${deployOf(patient, "functions")}`,
        "The filter of its event trigger, and the variable DATABASE of the others.",
      );
    if (retry === false)
      yield danger(
        "trigger-no-retry",
        `${name} is not retried when it fails, so a write of your own servers whose event fails once is not counted until a repair.`,
        `${deployOf(patient, "functions", "--force")}; the package asks for retries`,
      );
    const without = variablesOf(own, "DIRECT_WRITES").filter(({ value }) => value === "false");
    if (without.length > 0)
      yield danger(
        "trigger-unneeded",
        `${name} is deployed, and DIRECT_WRITES is false for ${listed(without.map((one) => one.name))}, as after a deployment that did not delete it. Each score costs a call of it.`,
        `npx firebase functions:delete ${name} --region ${region} --project ${project}; then ${repairEach}. Or set DIRECT_WRITES=true in the codebase's .env, and deploy.`,
        "The variable DIRECT_WRITES.",
      );
    // Whether it was added to a deployment without it: nobody counted direct writes before.
    const [first] = own.get("rankSeasons") ?? [];
    if (Date.parse(createdAt) - Date.parse(first?.createdAt ?? "") > laterMs)
      yield note(
        "trigger-later",
        `${name} is there since ${createdAt}, and ${first?.name ?? ""} since ${first?.createdAt ?? ""}. What servers of yours wrote in between by themselves is not counted.`,
        `Unless you have done so since, ${repairEach}.`,
        "When the functions were created.",
      );
    if (emulators !== undefined) yield { why: "The emulator does not show retries.", isAbsent: true };
    return `${name} on ${listens}${retry === true ? ", retried" : ""}`;
  },
};

/** Whether they run on a Node that the package loads on. */
export const runtime: Check = {
  name: "runtime",
  byHand: "Firebase console, Functions: the column Runtime",
  absent: "On the emulators it is the Node that started them.",
  known: "Cloud Functions' list.",
  async *look(patient) {
    const all = (await patient.ownFunctions()).map(({ name, runtime: on = "unknown" }) => ({ name, on }));
    const old = all.filter(({ on }) => Number(/^nodejs(\d+)$/.exec(on)?.[1] ?? 0) < nodeMajorMin);
    if (old.length === 0) return [...new Set(all.map(({ on }) => on))].join(", ");
    yield fault(
      "runtime-old",
      `On a Node older than ${nodeMajorMin}: ${listed(old.map(({ name, on }) => `${name} (${on})`))}.`,
      `Set "runtime": "nodejs24" for the codebase in firebase.json, then ${deployOf(patient, "functions")}`,
    );
    return "";
  },
};

/** Whether the codebase in this folder that has Firerank's functions would load where it is deployed. */
export const codebase: Check = {
  name: "codebase",
  byHand:
    'the codebase\'s package.json: its "file:" path to the package is inside the codebase, and "engines"',
  known: "The files in this folder.",
  async *look(patient) {
    const { folder, config } = configOf(patient);
    const { own, others } = configIn(config);
    const sources = others.map(({ source }) => source);
    const exporting = others.filter((one) => reexportOf(folder, one, sources) !== undefined);
    // The instances of a kit have one folder.
    const known = new Map([own ?? [], exporting].flat().map((one) => [one.source, one]));
    for (const one of known.values())
      for (const { what, todo } of unfitnessOf(folder, one)) yield danger("codebase-unfit", what, todo);
    return [...known.keys()].map((source) => `${source}/`).join(", ");
  },
};

/** The regions in or beside which a multi-region keeps its copies. */
const regionsOf: Partial<Record<string, readonly string[]>> = {
  nam5: ["us-central1", "us-central2", "us-east1"],
  nam7: ["us-central1", "us-east4", "us-central2"],
  eur3: ["europe-west1", "europe-west4", "europe-north1"],
};

/** Whether functions and database are close to each other. */
export const regions: Check = {
  name: "regions",
  byHand: "compare the place of the database (Firebase console, Firestore) with that of the functions",
  absent: "Emulators have no place.",
  known: "Firestore's and Cloud Functions' lists.",
  async *look(patient) {
    const location = (await patient.storedDatabase())?.locationId;
    if (location === undefined) throw new NotChecked("There is no such database.");
    const region = await patient.functionsRegion();
    const near = regionsOf[location] ?? [location];
    if (!near.includes(region)) {
      const isFar = continentOf(region) !== continentOf(location);
      const what = `The functions are in ${region}, and the database is in ${location}`;
      const todo = `Set REGION=${near[0] ?? location} in the codebase's .env, ${deployOf(patient, "functions")}, and name the region in your apps: leaderboard(app, id, { region }).`;
      yield isFar
        ? danger("region-far", `${what}, on another continent.`, todo)
        : note("region-apart", `${what}.`, todo);
    }
    return `functions in ${region}, database in ${location}`;
  },
};

/** `europe` of `europe-west1` and `eur3`. */
function continentOf(location: string): string {
  const [first = ""] = location.split(/[-\d]/);
  return { nam: "us", northamerica: "us", eur: "europe" }[first] ?? first;
}
