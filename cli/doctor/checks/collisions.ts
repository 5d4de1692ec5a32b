/** Whether functions with Firerank's names are Firerank's. */
import { functionName } from "../../../functions/src/model/function-name.ts";
import { expectedKinds } from "../expected.ts";
import { type Finding, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";

export const collisions: Check = {
  name: "names",
  byHand: "compare the names of your functions with the list in docs/calls.md",
  async look({ deployment }) {
    const { own, prefix, codebase: home } = await deployment();
    if (home === undefined) throw new NotChecked("None of Firerank's functions is deployed.");
    const findings: Finding[] = [];
    for (const [name, all] of own) {
      const expected = expectedKinds.get(name);
      for (const { kind, codebase, region } of all) {
        const deployed = functionName(name, prefix);
        const isOther = codebase !== home;
        if (kind === expected && !isOther) continue;
        findings.push({
          id: "function-foreign",
          what: `${deployed} in ${region} is not Firerank's: ${isOther ? `it belongs to the codebase ${codebase}` : `it is of the kind "${kind}"`}.`,
          known: isOther
            ? `Firerank's others belong to the codebase ${home}.`
            : `Firerank's is of the kind "${expected ?? ""}".`,
          todo: "Rename yours, or give Firerank's a prefix in firebase.json, and deploy both codebases again.",
        });
      }
    }
    return { seen: `${own.size} functions of the codebase ${home}`, findings };
  },
};
