/** In place of functions/src/documents/firestore.ts (vite.config.ts), so that the functions' schemas parse here too. */
export { Timestamp } from "firebase/firestore";
