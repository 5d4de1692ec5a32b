/** Whether App Check is enforced, and whether the apps of the project and its dashboards can pass it. */
import { z } from "zod";
import type { Api } from "../api.ts";
import { variablesOf } from "../deployment.ts";
import { type Finding, listed, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";

const app = z.looseObject({
  appId: z.string(),
  displayName: z.string().optional(),
  state: z.string().optional(),
  /** Of an app for iOS. */
  teamId: z.string().optional(),
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
const kinds: Record<string, (api: Api, project: string, app: App) => Promise<boolean>> = {
  webApps: async (api, _, { appId }) =>
    Boolean((await settingsOf(api, appId, "recaptchaEnterpriseConfig"))?.siteKey) ||
    (await settingsOf(api, appId, "recaptchaV3Config"))?.siteSecretSet === true,
  iosApps: async (api, _, { appId, teamId = "" }) =>
    // Both of Apple's providers need the team.
    teamId !== "" &&
    ((await settingsOf(api, appId, "appAttestConfig")) !== undefined ||
      (await settingsOf(api, appId, "deviceCheckConfig"))?.privateKeySet === true),
  androidApps: async (api, project, { appId }) => {
    if ((await settingsOf(api, appId, "playIntegrityConfig")) === undefined) return false;
    // Play Integrity needs the fingerprint that the app is signed with.
    const path = `v1beta1/projects/${project}/androidApps/${appId}/sha`;
    const all = await api.list("firebase.googleapis.com", path, "certificates", certificate);
    return all.some(({ certType }) => certType === "SHA_256");
  },
};

export const appCheck: Check = {
  name: "app check",
  byHand:
    "Firebase console, App Check: each app that plays is registered; and ENFORCE_APP_CHECK in the codebase's .env",
  absent: "App Check has no emulator; there nobody is asked for a token.",
  async look({ deployment, api, project }) {
    const set = variablesOf((await deployment()).own, "ENFORCE_APP_CHECK");
    if (set.length === 0)
      throw new NotChecked("None of Firerank's functions has a variable ENFORCE_APP_CHECK.");
    const open = set.filter(({ value }) => value !== "true");
    const isOff = open.length === set.length;
    const findings: Finding[] = [];
    if (open.length > 0) {
      const which = isOff ? "" : ` of ${listed(open.map(({ name }) => name))}`;
      findings.push({
        id: "app-check-off",
        what: `Calls${which} need no App Check token, so scores can be sent by scripts with an account of a player.`,
        known: `ENFORCE_APP_CHECK is ${open[0]?.value ?? ""}${which}.`,
        todo: "Set App Check up in your apps (Firebase console, App Check), then deploy with ENFORCE_APP_CHECK=true.",
      });
    }
    const firestore = `v1/projects/${project}/services/firestore.googleapis.com`;
    const failures = new Map<string, NotChecked>();
    const tried = async <T>(ask: Promise<T>): Promise<T | undefined> => {
      try {
        return await ask;
      } catch (error) {
        if (!(error instanceof NotChecked)) throw error;
        failures.set(error.message, error);
        return undefined;
      }
    };
    const answer = await tried(api.get("firebaseappcheck.googleapis.com", firestore, enforcement));
    const isOfFirestore = answer?.enforcementMode === "ENFORCED";
    const seen = [
      isOff ? "off" : open.length > 0 ? "off for some" : "enforced",
      ...(isOfFirestore ? ["enforced for Firestore"] : []),
    ];
    if (open.length === 0 || isOfFirestore) {
      const apps = await tried(appsOf(api, project));
      if (apps !== undefined) seen.push(`${apps.length} apps`);
      const unset = (await tried(unsetOf(api, project, apps ?? []))) ?? [];
      if (unset.length > 0) findings.push(unsetFinding(unset, { isOfCalls: !isOff, isOfFirestore }));
    }
    if (isOfFirestore) findings.push(...((await tried(findDashboards(api, project))) ?? []));
    const unchecked = Array.from(failures.values(), ({ message, byHand, isAbsent }) => ({
      why: message,
      isAbsent,
      ...(byHand === undefined ? {} : { byHand }),
    }));
    return { seen: seen.join("; "), findings, unchecked };
  },
};

/** The names of those that can't pass. */
async function unsetOf(
  api: Api,
  project: string,
  apps: readonly { kind: string; app: App }[],
): Promise<string[]> {
  const unset: string[] = [];
  for (const { kind, app } of apps)
    if ((await kinds[kind]?.(api, project, app)) !== true) unset.push(app.displayName ?? app.appId);
  return unset;
}

function unsetFinding(
  unset: readonly string[],
  { isOfCalls, isOfFirestore }: { isOfCalls: boolean; isOfFirestore: boolean },
): Finding {
  const calls = "the calls of their players are refused";
  const reads = "what they read from Firestore is refused";
  const refused = [...(isOfCalls ? [calls] : []), ...(isOfFirestore ? [reads] : [])].join(", and ");
  const deploy = "deploy with ENFORCE_APP_CHECK=false";
  const end = "end the enforcement for Cloud Firestore";
  const or = [...(isOfCalls ? [deploy] : []), ...(isOfFirestore ? [end] : [])].join(", and ");
  return {
    id: "app-check-unset",
    what: `App Check is enforced, and these apps have no provider, so ${refused}: ${listed(unset)}.`,
    known:
      "App Check's settings of each app, the team of apps for iOS, the SHA-256 fingerprints of apps for Android. Providers of your own do not show.",
    todo: `Firebase console, App Check, Apps: register them, and call initializeAppCheck in the app. Or ${or}.`,
  };
}

/** The dashboards on the project's sites that were built without a key. */
async function findDashboards(api: Api, project: string): Promise<Finding[]> {
  const list = `v1beta1/projects/${project}/sites`;
  const sites = await api.list("firebasehosting.googleapis.com", list, "sites", site);
  const without: string[] = [];
  for (const { name } of sites) {
    const host = `${name.split("/").at(-1) ?? ""}.web.app` as const;
    const page = await api.page(host);
    // Such a build forbids itself to load reCAPTCHA; see web/vite.config.ts.
    if (page.includes("<title>Firerank</title>") && page.includes("Content-Security-Policy"))
      without.push(host);
  }
  if (without.length === 0) return [];
  const finding: Finding = {
    id: "app-check-dashboard",
    what: `Firestore asks for App Check tokens, and the dashboard has no key for them, so it is refused everything: ${listed(without)}.`,
    known: "App Check's enforcement for Cloud Firestore, and the pages of the project's sites.",
    todo: "Build and deploy the dashboard with VITE_FIRERANK_APP_CHECK_KEY set, the site key of its web app; docs/dashboard.md.",
  };
  return [finding];
}

async function appsOf(api: Api, project: string): Promise<{ kind: string; app: App }[]> {
  const found: { kind: string; app: App }[] = [];
  for (const kind of Object.keys(kinds)) {
    const path = `v1beta1/projects/${project}/${kind}?pageSize=100`;
    const all = await api.list("firebase.googleapis.com", path, "apps", app);
    found.push(...all.filter(({ state }) => state !== "DELETED").map((one) => ({ kind, app: one })));
  }
  return found;
}

function settingsOf(api: Api, appId: string, name: string): Promise<z.infer<typeof provider> | undefined> {
  // The number of the project is part of the app's id: 1:<number>:web:<hash>.
  const path = `v1/projects/${appId.split(":")[1] ?? "-"}/apps/${appId}/${name}`;
  return api.get("firebaseappcheck.googleapis.com", path, provider);
}
