/** What a process logs, or looks at, only now and then while it lasts. */
import type { Services } from "./services.ts";

/** How often the log tells of the same alert. */
export const alertedEveryMs = 3 * 3_600_000;

/** When this process last did each thing. */
const alarmsOf = ({ memory }: Pick<Services, "memory">) => memory(createAlarms);

const createAlarms = () => new Map<string, number>();

/** Whether something was not done for `everyMs`. If so, notes that it is done now. */
export function isTime(services: Pick<Services, "memory" | "now">, name: string, everyMs: number): boolean {
  const alarms = alarmsOf(services);
  const nowMs = services.now();
  if (nowMs - (alarms.get(name) ?? -Infinity) < everyMs) return false;
  alarms.set(name, nowMs);
  return true;
}
