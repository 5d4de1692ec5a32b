/** Declares the needs of a function kit, which is a codebase of its own without other functions. */
import { declareNeeds } from "./needs.ts";

if (process.env["FIREBASE_KIT_INSTANCE_ID"] !== undefined) declareNeeds();
