/**
 * Replaces functions/src/documents/firestore.ts in the browser (see vite.config.ts): the same names from the client
 * library, so that the functions' schemas can parse documents here too.
 */
export { Timestamp } from "firebase/firestore";
