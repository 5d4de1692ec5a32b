"""Plays scenario.json with google-cloud-firestore and a REST client generated from /openapi.json.

After each phase it sorts the players by itself, and compares that with the lists, the ranks and the live top.
"""

import json
import sys
import time
from datetime import datetime
from pathlib import Path

from google.cloud import firestore

from firerank_rest import AuthenticatedClient
from firerank_rest.api.default import get_page, get_rank, get_rank_of_score, get_top, submit_score
from firerank_rest.models import Error, SubmitScoreBody
from firerank_rest.types import UNSET

settings = json.loads(Path(sys.argv[1]).read_text())
scenario = json.loads(Path(settings["scenario"]).read_text())
points, cup = settings["points"], settings["cup"]
db = firestore.Client(project=settings["project"])
rest = AuthenticatedClient(base_url=settings["rest"], token=settings["token"], raise_on_unexpected_status=True)
season = db.document(f"leaderboards/{points}/seasons/all_time")
players = season.collection("players")
cup_players = db.collection(f"leaderboards/{cup}/seasons/all_time/players")


def value(said):
    """A value as the scenario says it, with Firestore's own for the words in capitals."""
    match said:
        case {"INCREMENT": by}:
            return firestore.Increment(by)
        case {"UNION": items}:
            return firestore.ArrayUnion(items)
        case {"TIME": text}:
            return datetime.fromisoformat(text)
        case {"SERVER_TIME": _}:
            return firestore.SERVER_TIMESTAMP
        case {"DELETE": _}:
            return firestore.DELETE_FIELD
        case dict():
            return {name: value(one) for name, one in said.items()}
    return said


def write(to, step):
    """One write, to the database by itself, a batch or a BulkWriter."""

    def call(name, player, *more, **options):
        document = players.document(player)
        if to is db:
            return getattr(document, name)(*more, **options)
        return getattr(to, name)(document, *more, **options)

    match step:
        case {"set": player, "fields": fields}:
            call("set", player, value(fields))
        case {"create": player, "fields": fields}:
            call("create", player, value(fields))
        case {"merge": player, "fields": fields}:
            call("set", player, value(fields), merge=True)
        case {"update": player, "fields": fields}:
            call("update", player, value(fields))
        case {"delete": player}:
            call("delete", player)
        case {"batch": steps}:
            batch = db.batch()
            for one in steps:
                write(batch, one)
            batch.commit()
        case {"bulk": steps}:
            failed = []
            bulk = db.bulk_writer()
            bulk.on_write_error(lambda error, _: failed.append(error))
            for one in steps:
                write(bulk, one)
            bulk.close()
            assert not failed, failed
        case {"transaction": by, "from": giver, "to": taker}:
            move(db.transaction(), players.document(giver), players.document(taker), by)
        case {"submit": player, "board": board}:
            answered = submit_score.sync(
                points if board == "points" else cup,
                client=rest,
                body=SubmitScoreBody.from_dict(
                    {"player": player, **{name: step[name] for name in ("score", "columns") if name in step}}
                ),
            )
            assert answered.player == player, answered
            assert answered.seasons[0].score >= step.get("score", 0), answered
        case _:
            raise ValueError(f"the scenario has an unknown step: {step}")


@firestore.transactional
def move(transaction, giver, taker, by):
    given, taken = (one.get(transaction=transaction).get("score") for one in (giver, taker))
    transaction.update(giver, {"score": given - by})
    transaction.update(taker, {"score": taken + by})


def ranked(documents):
    """The independent sort: better score, then earlier, then id. Each as (player, score, rank, dense rank, position)."""
    rows = sorted(documents, key=lambda one: (-one.get("score"), one.get("achieved_at"), one.id))
    table, scores = [], []
    for position, row in enumerate(rows, 1):
        score = row.get("score")
        if not scores or scores[-1] != score:
            scores.append(score)
            rank = position
        table.append((row.id, score, rank, len(scores), position))
    return table


def equal(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: found {found}, expected {expected}")


def eventually(check):
    """What listeners have heard comes a little later."""
    until = time.monotonic() + settings["seconds"]
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def all_pages(generation, segment=UNSET):
    cursor = UNSET
    while True:
        page = get_page.sync(
            points, client=rest, cursor=cursor, limit=4, min_generation=generation, segment=segment
        )
        yield from page.entries
        cursor = page.next_cursor
        if cursor is UNSET:
            return


def country_of(document):
    return (document.to_dict().get("segments") or {}).get("country")


def line(entry):
    return entry.player, entry.score, entry.rank, entry.position


def check(generation, cup_generation):
    """Compares everything with the sort. Returns how many ranks were compared."""
    documents = list(players.stream())
    table = ranked(documents)
    lines = [(player, score, rank, position) for player, score, rank, _, position in table]
    countries = {one.id: country_of(one) for one in documents}
    within = {
        country: ranked([one for one in documents if countries[one.id] == country])
        for country in set(countries.values())
    }
    in_at = [(player, score, rank, position) for player, score, rank, _, position in within["AT"]]

    equal("all pages", [line(entry) for entry in all_pages(generation)], lines)
    equal("pages of AT", [line(entry) for entry in all_pages(generation, "country:AT")], in_at)
    for player, score, rank, dense_rank, _ in table:
        found = get_rank.sync(points, player, client=rest, min_generation=generation, segments=["country"])
        equal(
            f"the rank of {player}",
            (found.score, found.rank, found.dense_rank, found.players),
            (score, rank, dense_rank, len(table)),
        )
        own = found.segments.additional_properties["country"]
        if countries[player] is None:
            equal(f"the rank of {player} in a segment", own, None)
        else:
            expected = next(one for one in within[countries[player]] if one[0] == player)
            equal(f"the rank of {player} in a segment", (own.rank, own.dense_rank), expected[2:4])
        exact = get_rank_of_score.sync(points, client=rest, min_generation=generation, score=score)
        equal(f"the rank of {score}", (exact.score, exact.rank), (score, rank))
    tuples = [tuple(one.get("columns")[name] for name in ("points", "goals")) for one in cup_players.stream()]
    columns = get_rank_of_score.sync(
        cup, client=rest, min_generation=cup_generation, columns=["points:3", "goals:-2"]
    )
    equal("the columns of a rank", columns.columns.additional_properties, {"points": 3, "goals": -2})
    equal("the rank of columns", columns.rank, 1 + sum(one > (3, -2) for one in tuples))
    refused = get_rank.sync(points, "nobody", client=rest)
    assert isinstance(refused, Error) and refused.error.code == "player_not_ranked", refused

    def listened():
        entries = [tuple(one[name] for name in ("player", "score", "rank", "position")) for one in heard["top"]]
        equal("the top that was listened to", entries, lines[:10])
        equal("the player who was listened to", heard["ann"], dict(row[:2] for row in table)["ann"])

    eventually(listened)
    equal("the top over REST", [line(entry) for entry in get_top.sync(points, client=rest).entries], lines[:10])
    return len(table)


heard = {"top": [], "ann": None}


def listen(document, name, field):
    def told(snapshots, _changes, _time):
        for snapshot in snapshots:
            if snapshot.exists:
                heard[name] = snapshot.get(field)

    return document.on_snapshot(told)


listeners = [
    listen(season.collection("top").document("current"), "top", "entries"),
    listen(players.document("ann"), "ann", "score"),
]
for phase in scenario["phases"]:
    for step in phase:
        write(db, step)
    print("written", flush=True)
    print("checked", check(*map(int, sys.stdin.readline().split())), flush=True)
for listener in listeners:
    listener.unsubscribe()
