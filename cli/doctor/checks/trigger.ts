/** Whether the trigger on players' documents listens to the database, and is retried. */
import type { Check } from "../check.ts";
import { type Finding, listed, NotChecked, type Unchecked } from "../finding.ts";

export const trigger: Check = {
  name: "trigger",
  byHand: "Google Cloud console, Eventarc: the trigger of indexPlayer, its database and its retry policy",
  async look({ deployment, database, emulators, project }) {
    const { own } = await deployment();
    const [indexPlayer] = own.get("indexPlayer") ?? [];
    if (indexPlayer === undefined) throw new NotChecked("indexPlayer is not deployed.");
    const { name, database: listens = "(default)", retry } = indexPlayer;
    const findings: Finding[] = [];
    if (listens !== database) {
      findings.push({
        id: "trigger-database",
        what: `${name} listens to the database ${listens}, and you asked about ${database}: scores in ${database} are never ranked.`,
        known: "The filter of its event trigger.",
        todo: `Run this with --database "${listens}"; or set DATABASE=${database} in the codebase's .env, and deploy.`,
      });
    }
    const others = Array.from(own.values())
      .flat()
      .filter(({ variables }) => (variables?.["DATABASE"] ?? listens) !== listens);
    if (others.length > 0) {
      const [first] = others;
      findings.push({
        id: "functions-database",
        what: `${name} listens to the database ${listens}, and ${listed(others.map((one) => one.name))} use ${first?.variables?.["DATABASE"] ?? ""}, so scores are not ranked where they are.`,
        known: "The filter of its event trigger, and the variable DATABASE of the others.",
        todo: `Set DATABASE in the codebase's .env, and deploy all functions: npx firebase deploy --only functions --project ${project}`,
      });
    }
    if (retry === false) {
      findings.push({
        id: "trigger-no-retry",
        what: `${name} is not retried when it fails, so a player whose event fails once is not ranked until an audit.`,
        known: "The retry policy of its event trigger.",
        todo: `npx firebase deploy --only functions --force --project ${project}; the package asks for retries`,
      });
    }
    const unchecked: Unchecked[] =
      emulators === undefined
        ? []
        : [{ why: "The emulator does not show retries.", byHand: trigger.byHand, isAbsent: true }];
    return { seen: `${name} on ${listens}${retry === true ? ", retried" : ""}`, findings, unchecked };
  },
};
