/** In place of `re2js` (vite.config.ts), a fifth of the Firestore client, which only pipelines need; here are none. */
export const RE2JS = {
  compile(): never {
    throw new Error("The dashboard is built without regular expressions of Firestore pipelines.");
  },
};
