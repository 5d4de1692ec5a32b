/**
 * Stands in for `re2js` (vite.config.ts sees to it), a fifth of the Firestore client: it matches regular expressions of
 * Firestore pipelines, of which the dashboard sends none.
 */
export const RE2JS = {
  compile(): never {
    throw new Error("The dashboard is built without regular expressions of Firestore pipelines.");
  },
};
