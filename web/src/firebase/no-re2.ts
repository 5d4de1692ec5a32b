/**
 * Replaces `re2js` (see vite.config.ts), a fifth of the Firestore client: it is only for regular expressions in
 * Firestore pipelines, and the dashboard has none.
 */
export const RE2JS = {
  compile(): never {
    throw new Error("The dashboard is built without regular expressions of Firestore pipelines.");
  },
};
