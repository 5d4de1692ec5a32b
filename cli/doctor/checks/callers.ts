/** Whether anybody may reach the functions that apps call; the functions themselves check who may do what. */
import { z } from "zod";
import { type DeployedFunction } from "../deployment.ts";
import { type Finding, listed } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";
import { policy } from "./roles.ts";

const service = z.looseObject({ invokerIamDisabled: z.boolean().default(false) });
const run = "run.googleapis.com";

export const callers: Check = {
  name: "callers",
  byHand: "Google Cloud console, Cloud Run, each service of a callable, Security: public access is allowed",
  absent: "On the emulators everybody may call the functions.",
  async look(patient) {
    const called = (await patient.ownFunctions()).filter(
      ({ kind }) => kind === "callable" || kind === "request",
    );
    const isOpen = await Promise.all(called.map((one) => mayBeCalled(patient, one)));
    const shut = called.filter((_, i) => !isOpen[i]);
    const seen = `${called.length - shut.length} of ${called.length} that apps call let everybody in`;
    return { seen, findings: shut.length === 0 ? [] : [findingOf(patient, shut)] };
  },
};

async function mayBeCalled({ api }: Patient, { service: name }: DeployedFunction): Promise<boolean> {
  if (name === undefined) return true;
  const granted = await api.get(run, `v2/${name}:getIamPolicy`, policy);
  // Without a service there is nothing to call, which another check says.
  if (granted === undefined) return true;
  const invokers = granted.bindings.filter(({ role }) => role === "roles/run.invoker");
  if (invokers.some(({ members }) => members.includes("allUsers"))) return true;
  return (await api.get(run, `v2/${name}`, service))?.invokerIamDisabled === true;
}

function findingOf({ project }: Patient, shut: readonly DeployedFunction[]): Finding {
  return {
    id: "callers-refused",
    what: `Nobody without a role may call ${listed(shut.map(({ name }) => name))}, so apps get 403 before any code runs.`,
    known: "The policies of the functions' services in Cloud Run.",
    todo: shut
      .map(
        ({ service: name = "", region }) =>
          `gcloud run services update ${name.split("/").at(-1) ?? ""} --no-invoker-iam-check --region ${region} --project ${project}`,
      )
      .join("\n"),
  };
}
