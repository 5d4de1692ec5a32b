/** The oldest Node that the functions run on. firebase-admin needs the same version. */
export const nodeMajorMin = 22;

/**
 * What to do about a Node that is too old for the functions, such as "v20.20.2"; undefined if the Node is new enough.
 */
export function nodeTooOld(version: string): string | undefined {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  return major >= nodeMajorMin
    ? undefined
    : `Firerank needs Node ${nodeMajorMin} or later, and this is ${version}. Put Node 22 or 24 first in the PATH; ` +
        `deployed, "runtime": "nodejs24" in firebase.json chooses it.`;
}
