/**
 * The version of this release, as semantic versioning means it: docs/upgrading.md says what breaks. `npm run release`
 * sets it here and in each package.json, and a test compares them.
 */
export const version = "0.1.0";

/** The version in the label `firerank` of each deployed function. Google Cloud takes no dots there. */
export const versionLabel = /* @__PURE__ */ version.replaceAll(".", "-");

/** The labels of every function, which `npx --no-install firerank doctor` reads. */
export const labels = { firerank: versionLabel };
