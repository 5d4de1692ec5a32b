/** Whether seasons are ranked, closed, audited and repaired: the alerts of all boards, in the words of `listAlerts`. */
import { type Alert, alertCodes } from "../../../functions/src/jobs/alerts.ts";
import { listAlertsSpec } from "../../../functions/src/operations/list-alerts.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import { ownProcess } from "../../../functions/src/world/own-process.ts";
import { call } from "../../call.ts";
import type { AlertFinding } from "../catalog.ts";
import { type Finding, listed } from "../finding.ts";
import { type Check, commandOn, type Patient } from "../patient.ts";
import { silent } from "../../../functions/src/world/world.ts";

/** Of as many seasons with the same alert each is told in full. */
const toldMost = 5;

export const alerts: Check = {
  name: "alerts",
  byHand: "look at the seasons in the dashboard: each shows its alerts",
  async look(patient) {
    const services = createServices({
      ...ownProcess(patient.db, patient.emulators !== undefined),
      now: patient.now,
      log: silent,
    });
    const { alerts: all, is_complete: isComplete } = await call(listAlertsSpec, services, {});
    const findings = alertCodes.flatMap((code) => {
      const some = all.filter((alert) => alert.code === code);
      return some.length === 0 ? [] : [findingOf(patient, some as [Alert, ...Alert[]])];
    });
    const why =
      "There is more than one look reads: the first 1,000 boards, the newest runs, and 50 million players of idle seasons. Audit the largest ones.";
    return {
      seen: `${all.length}`,
      findings,
      unchecked: isComplete ? [] : [{ why, isAbsent: false }],
    };
  },
};

const commands = { runRanking: "rank", auditSeason: "audit", repairSeason: "repair" } as const;

function findingOf(patient: Patient, some: readonly [Alert, ...Alert[]]): Finding {
  const [{ code, what_to_do: todo }] = some;
  const told = some.slice(0, toldMost);
  const more = some.length > toldMost ? [`And ${listed(some.slice(toldMost).map(nameOf))}.`] : [];
  const ways = told.flatMap(({ call: way, leaderboard, season }) =>
    way === undefined ? [] : [commandOn(patient, `${commands[way]} ${leaderboard} --season ${season}`)],
  );
  const clock =
    patient.emulators !== undefined && code === "season_late"
      ? ["The functions' clock runs from the first call or event on, unless FIRERANK_EMULATOR_CLOCK is off."]
      : [];
  return {
    id: code.replaceAll("_", "-") as AlertFinding,
    what: [...told.map((one) => `${nameOf(one)}, ${ageOf(patient, one)}: ${one.message}`), ...more].join(
      "\n",
    ),
    known: "The seasons and their runs, as listAlerts reads them.",
    todo: [todo, ...clock, ...ways].join("\n"),
  };
}

const nameOf = ({ leaderboard, season }: Alert) => `${leaderboard}/${season}`;

/** `for 7 minutes`, `for 3 hours`, `for 2 days`. */
function ageOf({ now }: Patient, { since }: Alert): string {
  const minutes = Math.round((now() - Date.parse(since)) / 60_000);
  if (minutes < 120) return `for ${minutes} minutes`;
  return minutes < 48 * 60
    ? `for ${Math.round(minutes / 60)} hours`
    : `for ${Math.round(minutes / 1_440)} days`;
}
