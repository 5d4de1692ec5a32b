/**
 * Stands in for functions/src/documents/firestore.ts in the browser (vite.config.ts sees to it): the same names from the client
 * library, so that the schemas which parse a document in the functions parse it here too.
 */
export { Timestamp } from "firebase/firestore";
