/** The region whose prices the dashboard uses. */
import { signal } from "@preact/signals";
import type { PricedRegion } from "../../../cli/prices.ts";
import { firebase } from "../firebase/connect.ts";
import { pricedAs } from "./costs.ts";

const { options, edition } = firebase().config;

/** At first the database's region, if Hosting knows it, and edition; then the chosen one. */
export const pricedRegion = signal<PricedRegion>(
  pricedAs((options as { locationId?: string }).locationId, edition),
);
