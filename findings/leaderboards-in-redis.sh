#!/usr/bin/env bash
# One would expect: libraries that keep a leaderboard in a sorted set of Redis rank, list and cut it as the set does.
#
# What happens, beside a sort of the same members:
#   - leaderboard (Python), with ranks shared by equals: asked for a list of friends, one of whom has no score, it gives
#     each who comes after the rank of the next, and the last one none. With dense ranks, a member who is removed at score
#     0 goes on counting, so all others of an ascending board are one place lower; and nobody has a rank on a board that
#     merge_leaderboards made. With ranks by position all of it is right.
#   - redis-rank: a board of the lowest scores with limitTopN drops nobody where two or more are too many, so it grows;
#     one of the highest scores is cut. With updatePolicy "best", updateOne answers whole numbers, 3 for a stored 3.7.
#     Weeks begin an hour early or late on all Sundays whose offset from UTC is not the one of the moment when the process
#     began: two processes that began in different halves of the year put a score in two boards. The month of January is
#     m00.
#   - leaderboard-promise lists 2.9 and 2.1 as two equal scores of 2, and 1e21 as 1, which stands above both. A missing
#     member has the score -1, as a member with a score of -1 has.
#
# Versions: leaderboard 3.7.3 with redis 2.10.6 (the releases of redis from 3 on take other arguments), Python 3.11;
# redis-rank 2.2.3 with ioredis 5.8.2, leaderboard-promise 1.1.0, Node 20; redis-server 7.0.15. Seen on 2026-11-29.
set -euo pipefail
command -v redis-server >/dev/null || { echo "It needs redis-server on the path (Debian: apt-get install redis-server)."; exit 1; }
work=$(mktemp -d)
cd "$work"
export PORT=${PORT:-16399}
redis-server --port "$PORT" --save "" --dir "$work" >redis.log &
server=$!
trap 'kill "$server"; wait "$server" || true; rm -rf "$work"' EXIT
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts redis-rank@2.2.3 ioredis@5.8.2 leaderboard-promise@1.1.0
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check leaderboard==3.7.3 redis==2.10.6

cat >boards.py <<'EOF'
import os
from leaderboard.competition_ranking_leaderboard import CompetitionRankingLeaderboard
from leaderboard.leaderboard import Leaderboard
from leaderboard.tie_ranking_leaderboard import TieRankingLeaderboard
from redis import StrictRedis

connection = StrictRedis(port=int(os.environ["PORT"]))


def board(Kind, name, scores, **options):
    made = Kind(f"{Kind.__name__} {name}", redis_connection=connection, **options)
    for member, score in scores.items():
        made.rank_member(member, score)
    return made


def ranks(of, members):
    return ", ".join(f"{member} {of.rank_for(member)}" for member in members)


for Kind in (Leaderboard, CompetitionRankingLeaderboard, TieRankingLeaderboard):
    print(Kind.__name__)
    arena = board(Kind, "arena", {"ann": 50, "bob": 40, "cid": 40, "dan": 30})
    friends = arena.ranked_in_list(["ann", "zoe", "bob", "dan"])
    print("  ranks:", ranks(arena, ["ann", "bob", "dan"]))
    print("  the same among friends, of whom zoe has no score:", ", ".join(f"{f['member']} {f.get('rank')}" for f in friends))
    golf = board(Kind, "golf", {"ann": 0, "bob": 5, "cid": 7}, order="asc")
    golf.remove_member("ann")
    print("  after ann's 0 was removed:", ranks(golf, ["bob", "cid"]))
    day = board(Kind, "day", {"eve": 70})
    arena.merge_leaderboards(f"{Kind.__name__} both", [day.leaderboard_name])
    print("  of two boards that were merged:", ranks(board(Kind, "both", {}), ["eve", "ann"]))
EOF
cat >boards.cjs <<'EOF'
const { Redis } = require("ioredis");
const { Leaderboard, PeriodicLeaderboard } = require("redis-rank");
const Other = require("leaderboard-promise");

const port = Number(process.env.PORT);
const entries = [1, 2, 3, 4, 5, 6].map((value) => ({ id: `p${value}`, value }));

async function main() {
  console.log("redis-rank");
  const client = new Redis(port);
  for (const sortPolicy of ["high-to-low", "low-to-high"]) {
    const board = new Leaderboard(client, sortPolicy, { sortPolicy, updatePolicy: "best", limitTopN: 3 });
    await board.update(entries);
    console.log(`  ${sortPolicy}: ${await board.count()} of 6 are left where 3 may be`);
  }
  const golf = new Leaderboard(client, "golf", { sortPolicy: "low-to-high", updatePolicy: "best" });
  console.log(`  3.7 is answered as ${await golf.updateOne("ann", 3.7)}, and stored as ${await golf.score("ann")}`);
  console.log(`  January: ${new PeriodicLeaderboard(client, "p", { cycle: "monthly" }).getKey(new Date(2026, 0, 15))}`);
  const weekly = new PeriodicLeaderboard(client, "p", { cycle: "weekly" });
  const offsetNow = new Date().getTimezoneOffset();
  const seen = { "the offset of the process's beginning": new Set(), "another offset": new Set() };
  for (let day = 4; day < 365; day += 7) {
    const midnight = new Date(2026, 0, day);
    // The day on which clocks change has both offsets.
    if (midnight.getTimezoneOffset() !== new Date(2026, 0, day + 1).getTimezoneOffset()) continue;
    const isAtMidnight = weekly.getKey(new Date(midnight - 1)) !== weekly.getKey(midnight);
    const kind = midnight.getTimezoneOffset() === offsetNow ? "the offset of the process's beginning" : "another offset";
    seen[kind].add(isAtMidnight);
  }
  for (const [kind, all] of Object.entries(seen)) console.log(`  Sundays with ${kind}: a week begins at midnight ${[...all]}`);
  client.disconnect();

  console.log("leaderboard-promise");
  const other = new Other("other", {}, { port });
  for (const [member, score] of Object.entries({ ann: 1e21, bob: 2.9, cid: 2.1, eve: -1 })) await other.add(member, score);
  console.log(`  ${(await other.list()).map(({ member, score }) => `${member} ${score}`).join(", ")}`);
  console.log(`  the score of eve ${await other.score("eve")}, of zoe, who is not there, ${await other.score("zoe")}`);
  other.redis.quit();
}
main();
EOF
{ python/bin/python boards.py && TZ=Europe/Vienna node boards.cjs; } | tee seen.txt

# What was seen.
diff - seen.txt <<'EOF'
Leaderboard
  ranks: ann 1, bob 3, dan 4
  the same among friends, of whom zoe has no score: ann 1, zoe None, bob 3, dan 4
  after ann's 0 was removed: bob 1, cid 2
  of two boards that were merged: eve 1, ann 2
CompetitionRankingLeaderboard
  ranks: ann 1, bob 2, dan 4
  the same among friends, of whom zoe has no score: ann 1, zoe 2, bob 4, dan None
  after ann's 0 was removed: bob 1, cid 2
  of two boards that were merged: eve 1, ann 2
TieRankingLeaderboard
  ranks: ann 1, bob 2, dan 3
  the same among friends, of whom zoe has no score: ann 1, zoe None, bob 2, dan 3
  after ann's 0 was removed: bob 2, cid 3
  of two boards that were merged: eve None, ann None
redis-rank
  high-to-low: 3 of 6 are left where 3 may be
  low-to-high: 6 of 6 are left where 3 may be
  3.7 is answered as 3, and stored as 3.7
  January: y2026-m00
  Sundays with the offset of the process's beginning: a week begins at midnight true
  Sundays with another offset: a week begins at midnight false
leaderboard-promise
  ann 1, bob 2, cid 2, eve -1
  the score of eve -1, of zoe, who is not there, -1
EOF
echo "The same as when this was written."
