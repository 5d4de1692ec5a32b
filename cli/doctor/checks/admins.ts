/** Who has the claim of admins. */
import { z } from "zod";
import { commandName } from "../../command-name.ts";
import type { Check } from "../check.ts";
import { type Finding, listed, NotChecked, type Seen } from "../finding.ts";

const user = z.looseObject({
  localId: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  customAttributes: z.string().optional(),
  disabled: z.boolean().default(false),
});
type User = z.infer<typeof user>;

/** Accounts that are looked at: Firebase Authentication cannot be asked for those with a claim. */
const accountsMost = 20_000;

export const admins: Check = {
  name: "admins",
  byHand: "ask a person whom you made an admin to open the dashboard",
  async look({ api, project, emulators }) {
    if (emulators !== undefined && emulators["auth"] === undefined)
      throw new NotChecked("No Auth emulator runs.");
    const path = `v1/projects/${project}/accounts:batchGet?maxResults=1000`;
    const how = { pageTokenName: "nextPageToken", most: accountsMost };
    const all = await api.list("identitytoolkit.googleapis.com", path, "users", user, how);
    const findings: Finding[] = [];
    const known = "The custom claims of the accounts.";
    // A disabled account cannot sign in.
    const having = all.filter((one) => claimOf(one) === true && !one.disabled);
    const untrue = all.filter((one) => !([true, false, undefined, null] as unknown[]).includes(claimOf(one)));
    const unverified = having.filter(
      ({ email, emailVerified }) => email !== undefined && emailVerified !== true,
    );
    const grant = `${commandName} grant-admin`;
    if (untrue.length > 0) {
      findings.push({
        id: "admin-claim-untrue",
        what: `leaderboard_admin is set, and is not true, for ${listed(untrue.map((one) => `${nameOf(one)} (${JSON.stringify(claimOf(one))})`))}.`,
        known,
        todo: untrue
          .slice(0, 3)
          .map(({ localId }) => `${grant} --uid ${localId} --project ${project}`)
          .join("\n"),
      });
    }
    if (unverified.length > 0) {
      findings.push({
        id: "admin-unverified",
        what: `Admins whose address is not verified: ${listed(unverified.map(nameOf))}.`,
        known,
        todo: "Make sure that you know them: anybody can register any address. Let them verify it, or take the claim away with setCustomUserClaims.",
      });
    }
    const unchecked: Seen["unchecked"] = [];
    if (all.length >= accountsMost) {
      const why = `Only the first ${accountsMost.toLocaleString("en")} accounts were looked at.`;
      unchecked.push({ why, isAbsent: having.length > 0 });
    } else if (having.length === 0) {
      const what = `None of ${all.length.toLocaleString("en")} accounts can sign in and has the claim leaderboard_admin, so nobody can create or change a board.`;
      findings.push({ id: "admin-none", what, known, todo: `${grant} <address> --project ${project}` });
    }
    return {
      seen: [having.length, ...(having.length === 0 ? [] : [listed(having.map(nameOf))])].join(": "),
      findings,
      unchecked,
    };
  },
};

function claimOf({ customAttributes = "{}" }: User): unknown {
  try {
    return (JSON.parse(customAttributes) as Record<string, unknown>)["leaderboard_admin"];
  } catch {
    return undefined; // not written by Firebase
  }
}

const nameOf = ({ email, localId }: User) => email ?? localId;
