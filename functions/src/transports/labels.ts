/** The labels of every function: which release is deployed, as `npx firerank doctor` reads it. */
import { versionLabel } from "../model/version.ts";

export const labels = { firerank: versionLabel };
