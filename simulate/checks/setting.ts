/** What every check looks at. A check names the others that it asks beside it, so that imports go one way. */
import type { Machine } from "../machine.ts";
import type { Plan } from "../plan.ts";

export type Setting = Pick<Machine, "database" | "now"> & { plan: Plan };
