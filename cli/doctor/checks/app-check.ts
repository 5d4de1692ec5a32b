/** Whether App Check is enforced, and whether the apps of the project and its dashboards can pass it. */
import { z } from "zod";
import { variablesOf } from "../deployment.ts";
import { count } from "../../progress.ts";
import { danger, fault, listed, NotChecked, note, orUnchecked, type Unchecked } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

const app = z.looseObject({
  appId: z.string(),
  displayName: z.string().optional(),
  state: z.string().optional(),
  /** Of an app for iOS. */
  teamId: z.string().default(""),
});
type App = z.infer<typeof app>;

/** Settings of any provider: those of the others are absent. */
const provider = z.looseObject({
  siteKey: z.string().optional(),
  siteSecretSet: z.boolean().optional(),
  privateKeySet: z.boolean().optional(),
});
const enforcement = z.looseObject({ enforcementMode: z.string().optional() });
const site = z.looseObject({ name: z.string() });
const certificate = z.looseObject({ certType: z.string().optional() });

/** The kinds of apps, each with how one of them can pass. */
const kinds: Record<string, (patient: Patient, app: App) => Promise<boolean>> = {
  webApps: async (patient, one) =>
    Boolean((await settingsOf(patient, one, "recaptchaEnterpriseConfig"))?.siteKey) ||
    (await settingsOf(patient, one, "recaptchaV3Config"))?.siteSecretSet === true,
  iosApps: async (patient, one) =>
    // Both of Apple's providers need the team.
    one.teamId !== "" &&
    ((await settingsOf(patient, one, "appAttestConfig")) !== undefined ||
      (await settingsOf(patient, one, "deviceCheckConfig"))?.privateKeySet === true),
  androidApps: async (patient, one) => {
    if ((await settingsOf(patient, one, "playIntegrityConfig")) === undefined) return false;
    // Play Integrity needs the fingerprint that the app is signed with.
    const path = `v1beta1/projects/${patient.project}/androidApps/${one.appId}/sha`;
    const all = await patient.api.list("firebase.googleapis.com", path, "certificates", certificate);
    return all.some(({ certType }) => certType === "SHA_256");
  },
};

function settingsOf({ api }: Patient, { appId }: App, name: string) {
  // The number of the project is part of the app's id: 1:<number>:web:<hash>.
  const path = `v1/projects/${appId.split(":")[1] ?? "-"}/apps/${appId}/${name}`;
  return api.get("firebaseappcheck.googleapis.com", path, provider);
}

export const appCheck: Check = {
  name: "app check",
  byHand:
    "Firebase console, App Check: each app that plays is registered; and ENFORCE_APP_CHECK in the codebase's .env",
  absent: "App Check has no emulator; there nobody is asked for a token.",
  known:
    "App Check's settings of each app, the team of apps for iOS, the SHA-256 fingerprints of apps for Android. Providers of your own do not show.",
  async *look(patient) {
    const { api, project } = patient;
    const set = variablesOf((await patient.deployment()).own, "ENFORCE_APP_CHECK");
    if (set.length === 0)
      throw new NotChecked("None of Firerank's functions has a variable ENFORCE_APP_CHECK.");
    const open = set.filter(({ value }) => value === "false");
    const isOff = open.length === set.length;
    if (open.length > 0) {
      const which = isOff ? "" : ` of ${listed(open.map(({ name }) => name))}`;
      yield note(
        "app-check-off",
        `Calls${which} need no App Check token, so scores can be sent by scripts with an account of a player.`,
        "Set App Check up in your apps (Firebase console, App Check), then deploy with ENFORCE_APP_CHECK=true.",
        `ENFORCE_APP_CHECK is ${open[0]?.value ?? ""}${which}.`,
      );
    }
    const failures = new Map<string, Unchecked>();
    const tried = async <T>(ask: Promise<T>): Promise<T | undefined> => {
      const { answer, unchecked } = await orUnchecked(ask);
      if (unchecked !== undefined) failures.set(unchecked.why, unchecked);
      return answer;
    };
    const firestore = `v1/projects/${project}/services/firestore.googleapis.com`;
    const answer = await tried(api.get("firebaseappcheck.googleapis.com", firestore, enforcement));
    const isOfFirestore = answer?.enforcementMode === "ENFORCED";
    const seen = [
      isOff ? "off" : open.length > 0 ? "off for some" : "enforced",
      ...(isOfFirestore ? ["enforced for Firestore"] : []),
    ];
    if (open.length === 0 || isOfFirestore) {
      const apps = await tried(appsOf(patient));
      if (apps !== undefined) seen.push(count(apps.length, "app"));
      const unset = (await tried(unsetOf(patient, apps ?? []))) ?? [];
      if (unset.length > 0) yield unsetFinding(unset, !isOff, isOfFirestore);
    }
    const without = isOfFirestore ? ((await tried(dashboardsWithout(patient))) ?? []) : [];
    if (without.length > 0)
      yield fault(
        "app-check-dashboard",
        `Firestore asks for App Check tokens, and the dashboard has no key for them, so it is refused everything: ${listed(without)}.`,
        "Build and deploy the dashboard with VITE_FIRERANK_APP_CHECK_KEY set, the site key of its web app; docs/dashboard.md.",
        "App Check's enforcement for Cloud Firestore, and the pages of the project's sites.",
      );
    yield* failures.values();
    return seen.join("; ");
  },
};

async function appsOf({ api, project }: Patient): Promise<{ kind: string; app: App }[]> {
  const found: { kind: string; app: App }[] = [];
  for (const kind of Object.keys(kinds)) {
    const path = `v1beta1/projects/${project}/${kind}?pageSize=100`;
    const all = await api.list("firebase.googleapis.com", path, "apps", app);
    found.push(...all.filter(({ state }) => state !== "DELETED").map((one) => ({ kind, app: one })));
  }
  return found;
}

/** The names of those that can't pass. */
async function unsetOf(patient: Patient, apps: Awaited<ReturnType<typeof appsOf>>): Promise<string[]> {
  const unset: string[] = [];
  for (const { kind, app } of apps)
    if ((await kinds[kind]?.(patient, app)) !== true) unset.push(app.displayName ?? app.appId);
  return unset;
}

function unsetFinding(unset: readonly string[], isOfCalls: boolean, isOfFirestore: boolean) {
  const both = (calls: string, firestore: string) =>
    [...(isOfCalls ? [calls] : []), ...(isOfFirestore ? [firestore] : [])].join(", and ");
  const refused = both("the calls of their players are refused", "what they read from Firestore is refused");
  const or = both("deploy with ENFORCE_APP_CHECK=false", "end the enforcement for Cloud Firestore");
  return danger(
    "app-check-unset",
    `App Check is enforced, and these apps have no provider, so ${refused}: ${listed(unset)}.`,
    `Firebase console, App Check, Apps: register them, and call initializeAppCheck in the app. Or ${or}.`,
  );
}

/** The sites of the project with a dashboard that was built without a key. */
async function dashboardsWithout({ api, project }: Patient): Promise<string[]> {
  const path = `v1beta1/projects/${project}/sites`;
  const without: string[] = [];
  for (const { name } of await api.list("firebasehosting.googleapis.com", path, "sites", site)) {
    const host = `${name.split("/").at(-1) ?? ""}.web.app` as const;
    const page = await api.page(host);
    // Such a build forbids itself to load reCAPTCHA; see web/vite.config.ts.
    if (page.includes("<title>Firerank</title>") && page.includes("Content-Security-Policy"))
      without.push(host);
  }
  return without;
}
