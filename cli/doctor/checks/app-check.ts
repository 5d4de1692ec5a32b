/** Whether App Check is enforced, and whether the web apps can pass it. */
import { z } from "zod";
import type { Api } from "../api.ts";
import type { Check } from "../check.ts";
import { absentOnEmulators, type Finding, listed, NotChecked } from "../finding.ts";

const webApp = z.looseObject({
  appId: z.string(),
  displayName: z.string().optional(),
  state: z.string().optional(),
});
const enterprise = z.looseObject({ siteKey: z.string().optional() });
const third = z.looseObject({ siteSecretSet: z.boolean().optional() });

export const appCheck: Check = {
  name: "app check",
  byHand:
    "Firebase console, App Check: each app that plays is registered; and ENFORCE_APP_CHECK in the codebase's .env",
  async look({ deployment, emulators, api, project }) {
    if (emulators !== undefined)
      throw absentOnEmulators("App Check has no emulator; there nobody is asked for a token.");
    const [submitScore] = (await deployment()).own.get("submitScore") ?? [];
    if (submitScore === undefined) throw new NotChecked("submitScore is not deployed.");
    const set = submitScore.variables?.["ENFORCE_APP_CHECK"];
    if (set === undefined) throw new NotChecked(`${submitScore.name} has no variable ENFORCE_APP_CHECK.`);
    if (set !== "true") {
      const finding: Finding = {
        id: "app-check-off",
        what: "Calls need no App Check token, so scores can be sent by scripts with an account of a player.",
        known: `ENFORCE_APP_CHECK is ${set}.`,
        todo: "Set App Check up in your apps (Firebase console, App Check), then deploy with ENFORCE_APP_CHECK=true.",
      };
      return { seen: "off", findings: [finding] };
    }
    const apps = await api.list(
      "firebase.googleapis.com",
      `v1beta1/projects/${project}/webApps?pageSize=100`,
      "apps",
      webApp,
    );
    const unset: string[] = [];
    for (const { appId, displayName = appId, state } of apps)
      if (state !== "DELETED" && !(await hasProvider(api, appId))) unset.push(displayName);
    const seen = `enforced; ${apps.length} web apps (apps for iOS and Android are not looked at)`;
    if (unset.length === 0) return { seen, findings: [] };
    const finding: Finding = {
      id: "app-check-unset",
      what: `App Check is enforced, and these web apps have no provider, so the calls of their players are refused: ${listed(unset)}.`,
      known: "App Check's settings of each web app.",
      todo: "Firebase console, App Check, Apps: register them, and call initializeAppCheck in the app. Or deploy with ENFORCE_APP_CHECK=false.",
    };
    return { seen, findings: [finding] };
  },
};

async function hasProvider(api: Api, appId: string): Promise<boolean> {
  // The number of the project is part of the app's id: 1:<number>:web:<hash>.
  const path = `v1/projects/${appId.split(":")[1] ?? "-"}/apps/${appId}`;
  const found = await api.get(
    "firebaseappcheck.googleapis.com",
    `${path}/recaptchaEnterpriseConfig`,
    enterprise,
  );
  if (Boolean(found?.siteKey)) return true;
  return (
    (await api.get("firebaseappcheck.googleapis.com", `${path}/recaptchaV3Config`, third))?.siteSecretSet ===
    true
  );
}
