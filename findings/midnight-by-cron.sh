#!/usr/bin/env bash
# One would expect: "0 0 * * *" with a time zone is due at the first moment of each day, in all libraries for cron.
#
# What happens where a clock goes back at midnight:
#   - In Santiago the hour before midnight of 6 April 2025 comes twice. cron is due at the second 23:00 of 5 April, and an
#     hour later at midnight again.
#   - Midnight comes twice in Havana on 2 November 2025. croner and cron are due at the first one; cron-parser, by which
#     job queues schedule, at the second one, when the day is an hour old.
#   - Where midnight is left out (Santiago on 7 September 2025), all three are due at 01:00, the first moment of the day.
# So a season that one library closes and a report that another one sends may be an hour apart twice a year.
#
# Versions: cron 4.4.0, croner 11.0.1, cron-parser 5.10.6; Node 20 and 24. Seen on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cron@4.4.0 croner@11.0.1 cron-parser@5.10.6
cat >due.mjs <<'EOF'
import { CronTime } from "cron";
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";

const daily = "0 0 * * *";
/** The first two moments after another one, in milliseconds. */
const libraries = {
  croner: (from, timezone) => new Cron(daily, { timezone, paused: true }).nextRuns(2, from).map(Number),
  cron(from, zone) {
    const time = new CronTime(daily, zone);
    const first = time.getNextDateFrom(from, zone);
    return [first, time.getNextDateFrom(first, zone)].map((one) => one.toMillis());
  },
  "cron-parser"(currentDate, tz) {
    const times = CronExpressionParser.parse(daily, { currentDate, tz });
    return [times.next(), times.next()].map((one) => one.getTime());
  },
};
const moments = {
  "2025-04-05T12:00:00Z": "America/Santiago",
  "2025-09-06T12:00:00Z": "America/Santiago",
  "2025-11-01T12:00:00Z": "America/Havana",
};
for (const [from, timeZone] of Object.entries(moments)) {
  const local = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    ...{ day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "longOffset" },
  });
  for (const [name, due] of Object.entries(libraries))
    console.log(`${timeZone} ${name}: ${due(new Date(from), timeZone).map((ms) => local.format(ms)).join(" | ")}`);
}
EOF
node due.mjs | tee seen.txt

# What was seen.
diff - seen.txt <<'EOF'
America/Santiago croner: 06 Apr, 00:00 GMT-04:00 | 07 Apr, 00:00 GMT-04:00
America/Santiago cron: 05 Apr, 23:00 GMT-04:00 | 06 Apr, 00:00 GMT-04:00
America/Santiago cron-parser: 06 Apr, 00:00 GMT-04:00 | 07 Apr, 00:00 GMT-04:00
America/Santiago croner: 07 Sept, 01:00 GMT-03:00 | 08 Sept, 00:00 GMT-03:00
America/Santiago cron: 07 Sept, 01:00 GMT-03:00 | 08 Sept, 00:00 GMT-03:00
America/Santiago cron-parser: 07 Sept, 01:00 GMT-03:00 | 08 Sept, 00:00 GMT-03:00
America/Havana croner: 02 Nov, 00:00 GMT-04:00 | 03 Nov, 00:00 GMT-05:00
America/Havana cron: 02 Nov, 00:00 GMT-04:00 | 03 Nov, 00:00 GMT-05:00
America/Havana cron-parser: 02 Nov, 00:00 GMT-05:00 | 03 Nov, 00:00 GMT-05:00
EOF
echo "The same as when this was written."
