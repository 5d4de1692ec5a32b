/** Who may do what: the roles of the functions' account, who may call them, and who is an admin. */
import { z } from "zod";
import { neededRoles } from "../../../functions/src/model/needed-roles.ts";
import { grantIn, roleProblem } from "../../../functions/src/model/role.ts";
import { commandName } from "../../command-name.ts";
import { jsonIn } from "../../init/json-file.ts";
import type { DeployedFunction } from "../deployment.ts";
import { danger, fault, listed, NotChecked, note } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

const policy = z.looseObject({
  bindings: z
    .array(z.looseObject({ role: z.string(), members: z.array(z.string()).default([]) }))
    .default([]),
});
type Policy = z.infer<typeof policy>;

/** The wider roles that hold each. */
const widerRoles: Record<(typeof neededRoles)[number], readonly string[]> = {
  "roles/datastore.user": ["roles/editor", "roles/owner", "roles/datastore.owner"],
  "roles/cloudtasks.enqueuer": ["roles/editor", "roles/owner", "roles/cloudtasks.admin"],
  // Not roles/iam.serviceAccountAdmin, which manages accounts and may not act as them.
  "roles/iam.serviceAccountUser": ["roles/editor", "roles/owner"],
  // firebase-tools grants these two to the default account, which is an Editor, so they are not part of that role.
  "roles/eventarc.eventReceiver": ["roles/owner", "roles/eventarc.admin"],
  "roles/run.invoker": ["roles/owner", "roles/run.admin"],
};
const actAs = "roles/iam.serviceAccountUser";

/** Whether the account of the functions has the roles that they need. */
export const roles: Check = {
  name: "roles",
  byHand: `Google Cloud console, IAM: the functions' service account has ${neededRoles.join(", ")}`,
  absent: "On the emulators the functions may do everything.",
  known: "The project's IAM policy. Rights on a single queue or service are not looked at.",
  async *look({ ownFunctions, api, project }) {
    const accounts = [...new Set((await ownFunctions()).flatMap(({ account }) => account ?? []))];
    if (accounts.length === 0)
      throw new NotChecked("Cloud Functions names no service account of Firerank's functions.");
    const path = `v1/projects/${project}:getIamPolicy`;
    const granted = await api.post("cloudresourcemanager.googleapis.com", path, policy);
    if (granted === undefined) throw new NotChecked(`There is no policy of project ${project}.`);
    /** An account may also be allowed to act as itself on itself. */
    const maySelf = async (account: string) => {
      const ofAccount = `v1/projects/${project}/serviceAccounts/${account}:getIamPolicy`;
      const own = await api.post("iam.googleapis.com", ofAccount, policy);
      return own !== undefined && rolesOf(own, account).has(actAs);
    };
    for (const account of accounts) {
      const has = rolesOf(granted, account);
      const missing = neededRoles.filter((role) => ![role, ...widerRoles[role]].some((one) => has.has(one)));
      const lacking =
        missing.includes(actAs) && (await maySelf(account))
          ? missing.filter((role) => role !== actAs)
          : missing;
      if (lacking.length === 0) continue;
      // A role of the owner's own may hold what is missing; nobody but IAM knows.
      const custom = [...has].filter((role) => !role.startsWith("roles/"));
      const maybe =
        custom.length === 0 ? "" : ` Unless ${listed(custom)} holds what is missing: look there first.`;
      const add = `gcloud projects add-iam-policy-binding ${project} --member serviceAccount:${account}`;
      yield danger(
        "role-missing",
        `${account} lacks ${listed(lacking)}.${maybe}`,
        lacking.map((role) => `${add} --role ${role}`).join("\n"),
      );
    }
    return `of ${listed(accounts)}`;
  },
};

function rolesOf({ bindings }: Policy, account: string): Set<string> {
  return new Set(
    bindings.flatMap(({ role, members }) => (members.includes(`serviceAccount:${account}`) ? role : [])),
  );
}

const service = z.looseObject({ invokerIamDisabled: z.boolean().default(false) });

/** Whether anybody may reach the functions that apps call; the functions themselves check who may do what. */
export const callers: Check = {
  name: "callers",
  byHand: "Google Cloud console, Cloud Run, each service of a callable, Security: public access is allowed",
  absent: "On the emulators everybody may call the functions.",
  known: "The policies of the functions' services in Cloud Run.",
  async *look(patient) {
    const all = await patient.ownFunctions();
    const called = all.filter(({ kind }) => kind === "callable" || kind === "request");
    const isOpen = await Promise.all(called.map((one) => mayBeCalled(patient, one)));
    const shut = called.filter((_, i) => !isOpen[i]);
    if (shut.length > 0) {
      const todo = shut.map(({ service: name = "", region }) => {
        const short = name.split("/").at(-1) ?? "";
        return `gcloud run services update ${short} --no-invoker-iam-check --region ${region} --project ${patient.project}`;
      });
      yield fault(
        "callers-refused",
        `Nobody without a role may call ${listed(shut.map(({ name }) => name))}, so apps get 403 before any code runs.`,
        todo.join("\n"),
      );
    }
    return `${called.length - shut.length} of ${called.length} that apps call let everybody in`;
  },
};

async function mayBeCalled({ api }: Patient, { service: name }: DeployedFunction): Promise<boolean> {
  if (name === undefined) return true;
  const granted = await api.get("run.googleapis.com", `v2/${name}:getIamPolicy`, policy);
  // Without a service there is nothing to call, which another check says.
  if (granted === undefined) return true;
  const invokers = granted.bindings.filter(({ role }) => role === "roles/run.invoker");
  if (invokers.some(({ members }) => members.includes("allUsers"))) return true;
  return (await api.get("run.googleapis.com", `v2/${name}`, service))?.invokerIamDisabled === true;
}

const user = z.looseObject({
  localId: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  customAttributes: z.string().default("{}"),
  disabled: z.boolean().default(false),
});

/** Accounts that are looked at: Firebase Authentication cannot be asked for those with a claim. */
const accountsMost = 20_000;

/** Who has the role of an admin, and whose claims are wrong. */
export const admins: Check = {
  name: "admins",
  byHand: "ask a person whom you made an admin to open the dashboard",
  known: "The custom claims of the accounts.",
  async *look({ api, project, emulators }) {
    if (emulators !== undefined && emulators["auth"] === undefined)
      throw new NotChecked("No Auth emulator runs.");
    const path = `v1/projects/${project}/accounts:batchGet?maxResults=1000`;
    const how = { pageTokenName: "nextPageToken", most: accountsMost };
    const found = await api.list("identitytoolkit.googleapis.com", path, "users", user, how);
    const all = found.map((one) => ({ ...one, named: one.email ?? one.localId, claims: claimsIn(one) }));
    const wrong = all.flatMap((one) => {
      const problem = roleProblem(one.claims);
      return problem === undefined ? [] : [{ ...one, problem }];
    });
    if (wrong.length > 0)
      yield danger(
        "role-claims-wrong",
        `The claims of ${listed(wrong.map(({ named, problem }) => `${named} (${problem})`))} are wrong.`,
        wrong
          .slice(0, 3)
          .map(({ localId }) => `${commandName} grant ${localId} <role> --project ${project}`)
          .join("\n"),
      );
    // A disabled account cannot sign in.
    const having = all.filter(({ claims, disabled }) => {
      const grant = grantIn(claims);
      return grant?.role === "admin" && grant.boards === undefined && !disabled;
    });
    const names = having.map(({ named }) => named);
    const unverified = having.filter((one) => one.email !== undefined && one.emailVerified !== true);
    if (unverified.length > 0)
      yield note(
        "admin-unverified",
        `Admins whose address is not verified: ${listed(unverified.map(({ named }) => named))}.`,
        `Make sure that you know them: anybody can register any address. Let them verify it, or take the role away: ${commandName} revoke <uid>`,
      );
    if (all.length >= accountsMost)
      yield {
        why: `Only the first ${accountsMost.toLocaleString("en")} accounts were looked at.`,
        isAbsent: names.length > 0,
      };
    else if (names.length === 0)
      yield danger(
        "admin-none",
        `None of ${all.length.toLocaleString("en")} accounts can sign in and has the role of an admin, so nobody can create or change a board.`,
        `${commandName} grant <address> admin --project ${project}`,
      );
    return [names.length, ...(names.length === 0 ? [] : [listed(names)])].join(": ");
  },
};

/** None where they were not written by Firebase. */
const claimsIn = ({ customAttributes }: z.infer<typeof user>) =>
  (jsonIn(customAttributes) ?? {}) as Record<string, unknown>;
