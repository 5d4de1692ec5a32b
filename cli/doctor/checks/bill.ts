/** What Firestore billed for Firerank in the last day, by the records of its runs. It finds nothing; it tells. */
import { z } from "zod";
import { leaderboardsPath } from "../../../functions/src/documents/paths.ts";
import { runsSince } from "../../../functions/src/documents/queries.ts";
import { cost, isLeast, type Operations, type PricedRegion, pricesAsOf } from "../../prices.ts";
import { NotChecked } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

const operations = z.object({
  reads: z.number().default(0),
  writes: z.number().default(0),
  deletes: z.number().default(0),
});
const record = z.looseObject({
  billed: operations.optional(),
  found: z.looseObject({ changed_players: z.number().default(0) }).nullish(),
});

const dayMs = 86_400_000;
const runsMost = 2_000;

/** Cost: one read for each run of the last day, at most 8,000. */
export const bill: Check = {
  name: "bill",
  byHand: "Firebase console, Usage and billing",
  async look(patient) {
    const { db, now } = patient;
    const total = { reads: 0, writes: 0, deletes: 0 };
    let count = 0;
    let isCut = false;
    for (const outcome of ["published", "failed", "done", "running"] as const) {
      const { docs } = await runsSince(db, outcome, { sinceMs: now() - dayMs }, runsMost).get();
      isCut ||= docs.length === runsMost;
      for (const document of docs) {
        const { data } = record.safeParse(document.data());
        if (data === undefined || !document.ref.path.startsWith(`${leaderboardsPath}/`)) continue;
        count++;
        // The commits of the changes that a run published are not in its own bill: at most 1 read and 2 writes each.
        const changes = data.found?.changed_players ?? 0;
        for (const one of [data.billed, { reads: changes, writes: 2 * changes, deletes: 0 }]) add(total, one);
      }
    }
    const region = await pricedRegion(patient);
    const { reads, writes, deletes } = total;
    const numbers = [reads, writes, deletes].map((one) => one.toLocaleString("en"));
    const dollars = `${isLeast(region) ? "at least " : ""}$${cost(total, region).toFixed(4)}`;
    const seen = `${dollars} in the last day for ${count.toLocaleString("en")} runs and at most for the changes that they published: ${numbers[0] ?? ""} reads, ${numbers[1] ?? ""} writes, ${numbers[2] ?? ""} deletes, at the list prices of ${region} as of ${pricesAsOf}`;
    const why = `The bill is of the newest ${runsMost.toLocaleString("en")} runs of each outcome only.`;
    return { seen, findings: [], unchecked: isCut ? [{ why, isAbsent: true }] : [] };
  },
};

function add(total: Operations, one: Operations | undefined): void {
  if (one === undefined) return;
  total.reads += one.reads;
  total.writes += one.writes;
  total.deletes += one.deletes;
}

/** The database's place and edition if their prices are known, and us-central1's otherwise. */
async function pricedRegion({ storedDatabase, isEnterprise }: Patient): Promise<PricedRegion> {
  if (await isEnterprise()) return "us-central1, Enterprise";
  try {
    return (await storedDatabase())?.locationId === "nam5" ? "nam5" : "us-central1";
  } catch (error) {
    if (error instanceof NotChecked) return "us-central1";
    throw error;
  }
}
