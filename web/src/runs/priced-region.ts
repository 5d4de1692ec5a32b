/** The place whose prices the dashboard reckons with. */
import { signal } from "@preact/signals";
import type { PricedRegion } from "../../../functions/src/model/prices.ts";
import { firebase } from "../firebase/connect.ts";
import { pricedAs } from "./costs.ts";

/** At first that of the database, where Hosting knows it; then what is chosen. */
export const pricedRegion = signal<PricedRegion>(
  pricedAs((firebase().config.options as { locationId?: string }).locationId),
);
