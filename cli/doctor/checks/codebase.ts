/** Whether the codebase in this folder that has Firerank's functions would load where it is deployed. */
import { codebasesIn } from "../../init/merge-firebase-json.ts";
import { reexportOf, unfitnessOf } from "../../init/their-functions.ts";
import type { Finding } from "../finding.ts";
import { type Check, configOf } from "../patient.ts";

export const codebase: Check = {
  name: "codebase",
  byHand:
    'the codebase\'s package.json: its "file:" path to the package is inside the codebase, and "engines"',
  async look(patient) {
    const { folder, config } = configOf(patient);
    const { own, others } = codebasesIn(config);
    const sources = others.map(({ source }) => source);
    const known = [
      ...(own === undefined ? [] : [own]),
      ...others.filter((one) => reexportOf(folder, one, sources) !== undefined),
    ];
    // The instances of a kit have one folder.
    const once = Array.from(new Map(known.map((one) => [one.source, one])).values());
    const findings = once
      .flatMap((one) => unfitnessOf(folder, one))
      .map(({ what, todo }): Finding => ({
        id: "codebase-unfit",
        what,
        known: `The files in ${folder}.`,
        todo,
      }));
    return { seen: once.map(({ source }) => `${source}/`).join(", "), findings };
  },
};
