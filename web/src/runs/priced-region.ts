/** The place whose prices the dashboard reckons with. */
import { signal } from "@preact/signals";
import type { PricedRegion } from "../../../functions/src/model/prices.ts";

export const pricedRegion = signal<PricedRegion>("us-central1");
