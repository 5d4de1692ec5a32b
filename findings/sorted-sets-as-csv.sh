#!/usr/bin/env bash
# One would expect: `redis-cli --csv` writes a sorted set as CSV, a line for each player, and other programs read from it the
# members and scores that are stored. (A leaderboard in Redis is a sorted set, and this is how one moves it elsewhere.)
#
# What happens:
#   - All of a sorted set is one line, members and scores in turn.
#   - Its escapes are those of C, which no CSV has: \" for a quote, and \xc3\xab for ë. Python's csv and pandas read other
#     names from it, without an error, and the name that Python reads of Ann "Ace" B is Ann \Ace\" B". Papa Parse reads other
#     names too and lists an error; csv-parse and fast-csv refuse the line.
#   - --json has the members as they are. But an infinite score makes it no JSON: Python does not read inf, and jq 1.6 makes
#     the largest double of it.
#
# It needs Debian 12's packages (apt-get download, which installs nothing), Python 3.11 and Node 20.
# Versions: Redis 7.0.15, jq 1.6; Python 3.11, pandas 2.3.3; papaparse 5.5.3, csv-parse 6.1.0, fast-csv 5.0.5. Seen on
# 2026-11-30.
set -euo pipefail
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; wait; rm -rf "$work"' EXIT
cd "$work"
mkdir debs
(
  cd debs
  apt-get download --quiet redis-server redis-tools libhiredis0.14 liblzf1 libjemalloc2 liblua5.1-0 lua-cjson lua-bitop jq \
    libjq1 libonig5 >/dev/null 2>&1
)
for package in debs/*.deb; do dpkg -x "$package" debian; done
run() { LD_LIBRARY_PATH="$work/debian/usr/lib/x86_64-linux-gnu" "$@"; }
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check pandas==2.3.3
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts papaparse@5.5.3 csv-parse@6.1.0 fast-csv@5.0.5

LD_LIBRARY_PATH="$work/debian/usr/lib/x86_64-linux-gnu" debian/usr/bin/redis-server --port 0 --unixsocket "$work/redis.sock" \
  --save "" >log.txt 2>&1 &
server=$!
redis() { run debian/usr/bin/redis-cli -s "$work/redis.sock" "$@"; }
for _ in $(seq 50); do redis ping >/dev/null 2>&1 && break || sleep 0.2; done

redis zadd arena 0.5 Zoë 850 A,B 1e6 'Ann "Ace" B' >/dev/null
redis --csv zrange arena 0 -1 withscores >arena.csv
redis --json zrange arena 0 -1 withscores >arena.json
redis zadd arena inf top >/dev/null
redis --json zrange arena 0 -1 withscores >infinite.json

cat >read.py <<'PYTHON'
import csv, json, pandas
print("Python's csv:", next(csv.reader(open("arena.csv"))))
print("pandas:", [str(cell) for cell in pandas.read_csv("arena.csv", header=None).iloc[0]])
print("--json:", json.load(open("arena.json")))
try:
    json.load(open("infinite.json"))
except json.JSONDecodeError as error:
    print("--json with inf:", error.msg)
PYTHON
cat >read.mjs <<'NODE'
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { parseString } from "fast-csv";
import Papa from "papaparse";
const text = readFileSync("arena.csv", "utf8").trimEnd();
const { data, errors } = Papa.parse(text);
console.log(`Papa Parse: ${JSON.stringify(data[0])}, ${errors.map(({ code }) => code).join()}`);
try {
  console.log(`csv-parse: ${JSON.stringify(parse(text))}`);
} catch (error) {
  console.log(`csv-parse: ${error.code}`);
}
await new Promise((done) => {
  parseString(text)
    .on("error", (error) => done(console.log(`fast-csv: ${error.message.split(".")[0]}`)))
    .on("data", (row) => console.log(`fast-csv: ${JSON.stringify(row)}`))
    .on("end", done);
});
NODE
{
  echo "redis-cli --csv: $(cat arena.csv)"
  python/bin/python read.py
  node read.mjs
  echo "jq: $(run debian/usr/bin/jq -c '.[-1]' infinite.json)"
} >seen.txt
cat seen.txt

# What was seen.
diff - seen.txt <<'SEEN'
redis-cli --csv: "Zo\xc3\xab","0.5","A,B","850","Ann \"Ace\" B","1000000"
Python's csv: ['Zo\\xc3\\xab', '0.5', 'A,B', '850', 'Ann \\Ace\\" B"', '1000000']
pandas: ['Zo\\xc3\\xab', '0.5', 'A,B', '850', 'Ann \\Ace\\" B"', '1000000']
--json: [['Zoë', 0.5], ['A,B', 850], ['Ann "Ace" B', 1000000]]
--json with inf: Expecting value
Papa Parse: ["Zo\\xc3\\xab","0.5","A,B","850","Ann \\\"Ace\\\" B","1000000"], InvalidQuotes,InvalidQuotes
csv-parse: CSV_INVALID_CLOSING_QUOTE
fast-csv: Parse Error: expected: ',' OR new line got: 'A'
jq: ["top",1.7976931348623157e+308]
SEEN
