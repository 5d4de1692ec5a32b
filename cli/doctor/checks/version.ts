/** Whether the functions are of the version of this command, whose rules, indexes and stored forms it compares with. */
import { version as ownVersion, versionLabel } from "../../../functions/src/model/version.ts";
import { type Finding, listed } from "../finding.ts";
import type { Check } from "../patient.ts";

export const version: Check = {
  name: "version",
  byHand: `Google Cloud console, Cloud Run functions: the label firerank of each function is ${versionLabel}`,
  async look({ ownFunctions, emulators, project }) {
    const all = await ownFunctions();
    const others = all.filter((one) => one.version !== versionLabel);
    if (others.length === 0) return { seen: ownVersion, findings: [] };
    const groups = Map.groupBy(others, (one) => one.version);
    const said = Array.from(groups, ([label, some]) => {
      const names = some.length === all.length ? "all functions" : listed(some.map(({ name }) => name));
      return `${label === undefined ? "an older version without a label" : dotted(label)} (${names})`;
    });
    const deploy =
      emulators === undefined
        ? `npx firebase deploy --only functions --project ${project}`
        : "start the emulators again";
    const finding: Finding = {
      id: "version-differs",
      what: `This command is of version ${ownVersion}, and the functions are of ${said.join(", ")}.`,
      known: "The functions' label firerank.",
      todo: `If the command is the newer one: npx --no-install firerank init, then ${deploy}; docs/upgrading.md has the order. Otherwise install the package of the functions, and use its command.`,
    };
    return { seen: "", findings: [finding] };
  },
};

const dotted = (label: string) => label.replaceAll("-", ".");
