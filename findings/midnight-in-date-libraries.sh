#!/usr/bin/env bash
# One would expect: date libraries agree when a day begins in a time zone, as all of them read the same rules.
#
# What happens where summer time begins or ends at midnight:
#   - In Havana midnight comes twice in autumn. luxon lets the day begin at the second one, an hour after all others.
#   - In Santiago, Beirut and Cairo there is no midnight in spring. date-fns-tz lets the day begin at 23:00 of the day
#     before, and so does dayjs in Beirut and Cairo.
#   - dayjs changes its answer with the time zone of the computer, for the same arguments: on a computer in Havana it is
#     wrong for Santiago too, and for Vienna, where summer time does not even end at midnight.
#   - Both polyfills of Temporal and @date-fns/tz are right everywhere here.
# So a countdown to the reset of a daily leaderboard must not come from another library than the server's.
#
# Versions: luxon 3.7.2, dayjs 1.11.23, date-fns-tz 3.2.0 with date-fns 4.4.0, @date-fns/tz 1.5.0, @js-temporal/polyfill
# 0.5.1, temporal-polyfill 1.0.8; Node 20 and 24. All days are of 2024 and 2025. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts luxon@3.7.2 dayjs@1.11.23 date-fns@4.4.0 date-fns-tz@3.2.0 \
  @date-fns/tz@1.5.0 @js-temporal/polyfill@0.5.1 temporal-polyfill@1.0.8
cat >days.mjs <<'EOF'
import { TZDate } from "@date-fns/tz";
import { Temporal as JsTemporal } from "@js-temporal/polyfill";
import { startOfDay } from "date-fns";
import { fromZonedTime, toZonedTime } from "date-fns-tz";
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";
import { DateTime } from "luxon";
import { Temporal } from "temporal-polyfill";

dayjs.extend(utc);
dayjs.extend(timezone);
/** When the day begins that a moment is in, in milliseconds. */
const libraries = {
  "temporal-polyfill": (at, zone) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds,
  "@js-temporal": (at, zone) => JsTemporal.Instant.from(at).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds,
  "@date-fns/tz": (at, zone) => startOfDay(new TZDate(Date.parse(at), zone)).getTime(),
  "date-fns-tz": (at, zone) => fromZonedTime(startOfDay(toZonedTime(at, zone)), zone).getTime(),
  dayjs: (at, zone) => dayjs(at).tz(zone).startOf("day").valueOf(),
  luxon: (at, zone) => DateTime.fromISO(at, { zone }).startOf("day").toMillis(),
};
const moments = {
  "2025-11-02T18:00:00Z": "America/Havana", // midnight twice
  "2025-09-07T18:00:00Z": "America/Santiago", // no midnight
  "2025-03-30T10:00:00Z": "Asia/Beirut", // no midnight
  "2025-04-25T10:00:00Z": "Africa/Cairo", // no midnight
  "2025-10-26T10:00:00Z": "Europe/Vienna", // summer time ends at night, not at midnight
};
for (const [at, zone] of Object.entries(moments)) {
  const groups = Map.groupBy
    ? Map.groupBy(Object.entries(libraries), ([, begin]) => begin(at, zone))
    : Object.entries(libraries).reduce((all, one) => {
        const ms = one[1](at, zone);
        return all.set(ms, [...(all.get(ms) ?? []), one]);
      }, new Map());
  for (const [ms, some] of groups)
    console.log(`${process.env.TZ} ${zone} ${new Date(ms).toISOString().slice(0, 16)}Z: ${some.map(([name]) => name).join(", ")}`);
}
EOF
for zone in UTC America/Havana; do TZ=$zone node days.mjs; done | tee seen.txt

# What was seen.
diff - seen.txt <<'EOF'
UTC America/Havana 2025-11-02T04:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, date-fns-tz, dayjs
UTC America/Havana 2025-11-02T05:00Z: luxon
UTC America/Santiago 2025-09-07T04:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, dayjs, luxon
UTC America/Santiago 2025-09-07T03:00Z: date-fns-tz
UTC Asia/Beirut 2025-03-29T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, luxon
UTC Asia/Beirut 2025-03-29T21:00Z: date-fns-tz, dayjs
UTC Africa/Cairo 2025-04-24T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, luxon
UTC Africa/Cairo 2025-04-24T21:00Z: date-fns-tz, dayjs
UTC Europe/Vienna 2025-10-25T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, date-fns-tz, dayjs, luxon
America/Havana America/Havana 2025-11-02T04:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, date-fns-tz, dayjs
America/Havana America/Havana 2025-11-02T05:00Z: luxon
America/Havana America/Santiago 2025-09-07T04:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, luxon
America/Havana America/Santiago 2025-09-07T03:00Z: date-fns-tz, dayjs
America/Havana Asia/Beirut 2025-03-29T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, luxon
America/Havana Asia/Beirut 2025-03-29T21:00Z: date-fns-tz, dayjs
America/Havana Africa/Cairo 2025-04-24T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, luxon
America/Havana Africa/Cairo 2025-04-24T21:00Z: date-fns-tz, dayjs
America/Havana Europe/Vienna 2025-10-25T22:00Z: temporal-polyfill, @js-temporal, @date-fns/tz, date-fns-tz, luxon
America/Havana Europe/Vienna 2025-10-25T23:00Z: dayjs
EOF
echo "The same as when this was written."
