/** Whether the account of the functions has the roles that they need. */
import { z } from "zod";
import { type Finding, listed, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";

export const policy = z.looseObject({
  bindings: z
    .array(z.looseObject({ role: z.string(), members: z.array(z.string()).default([]) }))
    .default([]),
});
type Policy = z.infer<typeof policy>;

/** The roles, as functions/src/transports/needs.ts declares them, and the wider ones that hold each. */
export const neededRoles: Record<string, readonly string[]> = {
  "roles/datastore.user": ["roles/editor", "roles/owner", "roles/datastore.owner"],
  "roles/cloudtasks.enqueuer": ["roles/editor", "roles/owner", "roles/cloudtasks.admin"],
  // Not roles/iam.serviceAccountAdmin, which manages accounts and may not act as them.
  "roles/iam.serviceAccountUser": ["roles/editor", "roles/owner"],
  // firebase-tools grants these two to the default account, which is an Editor, so they are not part of that role.
  "roles/eventarc.eventReceiver": ["roles/owner", "roles/eventarc.admin"],
  "roles/run.invoker": ["roles/owner", "roles/run.admin"],
};

export const roles: Check = {
  name: "roles",
  byHand: `Google Cloud console, IAM: the functions' service account has ${Object.keys(neededRoles).join(", ")}`,
  absent: "On the emulators the functions may do everything.",
  async look({ ownFunctions, api, project }) {
    const all = await ownFunctions();
    const accounts = [...new Set(all.flatMap(({ account }) => account ?? []))];
    if (accounts.length === 0)
      throw new NotChecked("Cloud Functions names no service account of Firerank's functions.");
    const granted = await api.post(
      "cloudresourcemanager.googleapis.com",
      `v1/projects/${project}:getIamPolicy`,
      policy,
    );
    if (granted === undefined) throw new NotChecked(`There is no policy of project ${project}.`);
    const findings: Finding[] = [];
    for (const account of accounts) {
      const has = rolesOf(granted, account);
      const missing = Object.entries(neededRoles).flatMap(([role, wider]) =>
        has.has(role) || wider.some((one) => has.has(one)) ? [] : [role],
      );
      const lacking =
        missing.includes(actAs) && (await maySelf()) ? missing.filter((role) => role !== actAs) : missing;
      const custom = [...has].filter((role) => !role.startsWith("roles/"));
      // A role of the owner's own may hold what is missing; nobody but IAM knows.
      const maybe =
        custom.length === 0 ? "" : ` Unless ${listed(custom)} holds what is missing: look there first.`;
      if (lacking.length === 0) continue;
      findings.push({
        id: "role-missing",
        what: `${account} lacks ${listed(lacking)}.${maybe}`,
        known: "The project's IAM policy. Rights on a single queue or service are not looked at.",
        todo: lacking
          .map(
            (role) =>
              `gcloud projects add-iam-policy-binding ${project} --member serviceAccount:${account} --role ${role}`,
          )
          .join("\n"),
      });

      /** The account may also be allowed to act as itself on itself. */
      async function maySelf(): Promise<boolean> {
        const path = `v1/projects/${project}/serviceAccounts/${account}:getIamPolicy`;
        const own = await api.post("iam.googleapis.com", path, policy);
        return own !== undefined && rolesOf(own, account).has(actAs);
      }
    }
    return { seen: `of ${listed(accounts)}`, findings };
  },
};

const actAs = "roles/iam.serviceAccountUser";

function rolesOf({ bindings }: Policy, account: string): Set<string> {
  return new Set(
    bindings.flatMap(({ role, members }) => (members.includes(`serviceAccount:${account}`) ? role : [])),
  );
}
