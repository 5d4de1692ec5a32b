/** What all deployed functions have in common. */
import { labels } from "../model/version.ts";
import { memoryMib, region } from "./params.ts";

export const functionOptions = { region, labels, memory: memoryMib };
