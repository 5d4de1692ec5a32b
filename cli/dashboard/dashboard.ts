/** `firerank dashboard`: the dashboard of the package, on one's own emulators or a project. */
import { once } from "node:events";
import { patientOf } from "../doctor/doctor.ts";
import { dashboardFolder } from "../init/package.ts";
import type { Target } from "../target.ts";
import { pageConfigOf } from "./page-config.ts";
import { pageApp, servePage } from "./served-page.ts";

interface DashboardOptions {
  prefix?: string | undefined;
  region?: string | undefined;
  port?: number | undefined;
  say: (line: string) => void;
}

/** Serves the page until Ctrl-C. Cost: no reads; the page reads as docs/costs.md says. @throws CliError */
export async function showDashboard(
  target: Target,
  { port, say, ...options }: DashboardOptions,
  environment: Record<string, string | undefined>,
): Promise<void> {
  const patient = await patientOf(target, options, environment);
  const config = await pageConfigOf(patient).finally(() => patient.db.terminate());
  const page = await servePage(pageApp(dashboardFolder(), config), port);
  for (const note of config.notes) say(`Note: ${note}\n`);
  // Google's sign-in knows this computer as localhost.
  const host = config.emulators === undefined ? "localhost" : "127.0.0.1";
  say(`The dashboard: http://${host}:${page.port}\nCtrl-C ends it.`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await page.close();
}
