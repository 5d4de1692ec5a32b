/** Who has the role of an admin, and whose claims are wrong. */
import { z } from "zod";
import { grantIn, roleProblem } from "../../../functions/src/model/role.ts";
import { commandName } from "../../command-name.ts";
import { type Finding, listed, NotChecked, type Seen } from "../finding.ts";
import type { Check } from "../patient.ts";

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
    const having = all.filter((one) => isAdmin(one) && !one.disabled);
    const wrong = all.flatMap((one) => {
      const problem = roleProblem(claimsOf(one));
      return problem === undefined ? [] : [{ ...one, problem }];
    });
    const unverified = having.filter(
      ({ email, emailVerified }) => email !== undefined && emailVerified !== true,
    );
    const grant = `${commandName} grant`;
    if (wrong.length > 0) {
      findings.push({
        id: "role-claims-wrong",
        what: `The claims of ${listed(wrong.map((one) => `${nameOf(one)} (${one.problem})`))} are wrong.`,
        known,
        todo: wrong
          .slice(0, 3)
          .map(({ localId }) => `${grant} ${localId} <role> --project ${project}`)
          .join("\n"),
      });
    }
    if (unverified.length > 0) {
      findings.push({
        id: "admin-unverified",
        what: `Admins whose address is not verified: ${listed(unverified.map(nameOf))}.`,
        known,
        todo: `Make sure that you know them: anybody can register any address. Let them verify it, or take the role away: ${commandName} revoke <uid>`,
      });
    }
    const unchecked: Seen["unchecked"] = [];
    if (all.length >= accountsMost) {
      const why = `Only the first ${accountsMost.toLocaleString("en")} accounts were looked at.`;
      unchecked.push({ why, isAbsent: having.length > 0 });
    } else if (having.length === 0) {
      const what = `None of ${all.length.toLocaleString("en")} accounts can sign in and has the role of an admin, so nobody can create or change a board.`;
      findings.push({ id: "admin-none", what, known, todo: `${grant} <address> admin --project ${project}` });
    }
    return {
      seen: [having.length, ...(having.length === 0 ? [] : [listed(having.map(nameOf))])].join(": "),
      findings,
      unchecked,
    };
  },
};

/** Of the whole project. */
function isAdmin(one: User): boolean {
  const grant = grantIn(claimsOf(one));
  return grant?.role === "admin" && grant.boards === undefined;
}

function claimsOf({ customAttributes = "{}" }: User): Record<string, unknown> {
  try {
    return JSON.parse(customAttributes) as Record<string, unknown>;
  } catch {
    return {}; // not written by Firebase
  }
}

const nameOf = ({ email, localId }: User) => email ?? localId;
