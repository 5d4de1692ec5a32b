/** One question about a project. Each is a file in checks/. */
import type { Seen } from "./finding.ts";
import type { Patient } from "./patient.ts";

export interface Check {
  /** As the report names it. */
  name: string;
  /** How to look without this command. */
  byHand: string;
  /** Why there is nothing to look at on emulators. */
  absent?: string;
  /** Only reads. @throws NotChecked where it cannot look */
  look(patient: Patient): Promise<Seen>;
}
