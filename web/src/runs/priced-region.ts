/** The region whose prices the dashboard uses. */
import { signal } from "@preact/signals";
import type { PricedRegion } from "../../../functions/src/model/prices.ts";
import { firebase } from "../firebase/connect.ts";
import { pricedAs } from "./costs.ts";

/** At first the database's region, if Hosting knows it; then the chosen one. */
export const pricedRegion = signal<PricedRegion>(
  pricedAs((firebase().config.options as { locationId?: string }).locationId),
);
