/** Whether functions and database are close to each other. */
import { type Finding, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";

/** The regions in or beside which a multi-region keeps its copies. */
const regionsOf: Partial<Record<string, readonly string[]>> = {
  nam5: ["us-central1", "us-central2", "us-east1"],
  nam7: ["us-central1", "us-east4", "us-central2"],
  eur3: ["europe-west1", "europe-west4", "europe-north1"],
};

export const regions: Check = {
  name: "regions",
  byHand: "compare the place of the database (Firebase console, Firestore) with that of the functions",
  absent: "Emulators have no place.",
  async look({ storedDatabase, functionsRegion, project }) {
    const location = (await storedDatabase())?.locationId;
    if (location === undefined) throw new NotChecked("There is no such database.");
    const region = await functionsRegion();
    const near = regionsOf[location] ?? [location];
    const seen = `functions in ${region}, database in ${location}`;
    if (near.includes(region)) return { seen, findings: [] };
    const isFar = continentOf(region) !== continentOf(location);
    const finding: Finding = {
      id: isFar ? "region-far" : "region-apart",
      what: `The functions are in ${region}, and the database is in ${location}${isFar ? ", on another continent" : ""}.`,
      known: "Firestore's and Cloud Functions' lists.",
      todo: `Set REGION=${near[0] ?? location} in the codebase's .env, npx firebase deploy --only functions --project ${project}, and name the region in your apps: leaderboard(app, id, { region }).`,
    };
    return { seen, findings: [finding] };
  },
};

/** `europe` of `europe-west1` and `eur3`. */
function continentOf(location: string): string {
  const [first = ""] = location.split(/[-\d]/);
  return { nam: "us", northamerica: "us", eur: "europe" }[first] ?? first;
}
