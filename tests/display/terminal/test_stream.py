"""A match as JSON lines: every event with all its facts; of hidden facts only those public to spectators."""

import json
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.display.terminal import stream
from gameplay.display.terminal.stream import Stream
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.player import Choice
from gameplay.search.report import Report
from tests.support.paths import TESTS
from tests.support.streams import FlushCounter

pytestmark = pytest.mark.once

KUHN = f"{TESTS}/examples/games/kuhn.py"


def stream_lines(match: Match, *events: Event) -> list[Any]:
    """The lines of these events; printing stops no search."""
    out = FlushCounter()
    stream = Stream(out)
    stream.match = match
    assert [stream(event) for event in events] == [False] * len(events)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert out.flushes == len(rows), "whoever reads is not kept waiting"
    return rows


REPORT = Report(
    value=5, depth=8, seldepth=11, nodes=1000, seconds=0.1234567, pv=(2, 3), bound="lower", stopped="nodes"
)


def test_every_event_has_its_facts() -> None:
    game = registry.game("connect4")
    wall = [0.0]
    clock = Clock([parse_time_control("10")] * 2, 0.0, lambda: wall[0])
    match = Match(game, [EmptySeat("mcts"), EmptySeat("random")], moves=["4"], seed=7, clock=clock)
    fields = {
        "depth": 8, "seldepth": 11, "value": 5, "bound": "lower", "nodes": 1000, "nps": 8100,
        "seconds": 0.123457, "pv": ["3", "4"],
    }  # fmt: skip
    begin, search = stream_lines(match, Event("begin"), Event("report", report=REPORT))
    assert begin == {
        "event": "begin", "game": "connect4", "start": "", "players": ["mcts", "random"],
        "sides": ["blue", "orange"], "seed": 7, "moves": ["4"],
    }  # fmt: skip
    assert search == {"event": "report", "ply": 2, "side": "orange", **fields}
    match.make(Choice(3, REPORT), 1.5)
    clocks = {"spent": 1.5, "clocks": [10.0, 10.0]}
    turn = match.turns[-1]
    move, undo, redo, bare = stream_lines(
        match,
        Event("move", turn),
        Event("undo", turn),
        Event("redo", turn),
        Event("move", structs.replace(turn, report=None)),
    )
    where = {"ply": 2, "player": 1, "side": "orange", "move": "4"}
    assert move == {"event": "move", **where, **fields, "stopped": "nodes", **clocks}
    assert undo == {"event": "undo", **where, **clocks} and redo == {"event": "redo", **where, **clocks}
    assert bare == {"event": "move", **where, **clocks}
    match.clock = None
    assert stream_lines(match, Event("undo", turn)) == [{"event": "undo", **where}]
    assert stream_lines(match, Event("restart"), Event("reopen")) == [
        {"event": "restart"},
        {"event": "reopen"},
    ]
    assert stream_lines(match, Event("end")) == [
        {"event": "end", "result": None, "winner": None, "reason": "", "plies": 2}
    ]


def test_stream_row_of_a_move_has_its_position() -> None:
    match = Match(registry.game("tictactoe"), [EmptySeat("mcts")] * 2)
    match.make(Choice(0, Report(pv=(0, 4, 8), move=0)))
    (row,) = stream_lines(match, Event("move", match.turns[-1]))
    assert row["pv"] == ["a1", "b2", "c3"]
    match = Match(registry.game("chess"), [EmptySeat("mcts")] * 2, moves=["e4", "e5"])
    line = []
    position = match.replica()
    for word in ("Nf3", "Nc6"):
        line.append(position.parse(word))
        position.make(line[-1])
    match.make(Choice(line[0], Report(pv=tuple(line))))
    (row,) = stream_lines(match, Event("move", match.turns[-1]))
    assert row["pv"] == ["Nf3", "Nc6"]


def test_stream_reports_how_a_match_ended() -> None:
    def ending(game: str, moves: str, reason: str = "") -> dict[str, Any]:
        game_class = registry.game(game)
        match = Match(game_class, [EmptySeat()] * game_class.new().players, moves=moves.split())
        match.reason = match.reason or reason
        return stream.ending(match)

    assert ending("tictactoe", "a1 a2 b1 b2 c1") == {"result": [1, -1], "winner": "x", "reason": "rules"}
    assert ending("tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3") == {
        "result": [0, 0], "winner": None, "reason": "rules",
    }  # fmt: skip
    assert ending("tictactoe", "a1", "unfinished") == {"result": None, "winner": None, "reason": "unfinished"}


def test_stream_contains_only_information_of_the_viewer() -> None:
    for other, secret in (("human", True), ("random", False)):
        match = Match(
            registry.game(KUHN), [EmptySeat(other), EmptySeat("mcts")], moves=["JQ", "pass"], seed=7
        )
        turn = structs.replace(match.turns[1], report=Report(depth=3))
        begin, *rest = stream_lines(
            match, Event("begin"), Event("report", report=Report()), Event("move", turn)
        )
        assert (begin["seed"], begin["moves"]) == ((None, [None, "pass"]) if secret else (7, ["JQ", "pass"]))
        assert [row["event"] for row in rest] == (["move"] if secret else ["report", "move"])
        assert ("depth" in rest[-1]) is not secret and rest[-1]["move"] == "pass"
        (deal,) = stream_lines(match, Event("undo", match.turns[0]))
        assert (deal["player"], deal["move"]) == (-1, None if secret else "JQ")
        document = stream.document(match, {"game": "kuhn", "seed": 7, "moves": ["as kept"]})
        moves = [{"move": None, "player": -1}, {"move": "pass", "player": 0}]
        hidden = {"seed": None, "position": None, "moves": moves}
        open_ = {"seed": 7, "position": match.position.text(), "moves": ["as kept"]}
        assert document == {
            "game": "kuhn", "sides": ["first", "second"], "result": None, "winner": None, "reason": "",
            **(hidden if secret else open_),
        }  # fmt: skip
