/** Imported first: on a Node that is too old, this throws one clear sentence before any other module fails to load. */
import { nodeTooOld } from "../model/node-version.ts";

const sentence = nodeTooOld(process.version);
if (sentence !== undefined) throw new Error(sentence);
