/** A function kit is a codebase of its own and has no other functions, so it declares its needs by itself. */
import { declareNeeds } from "./needs.ts";

if (process.env["FIREBASE_KIT_INSTANCE_ID"] !== undefined) declareNeeds();
