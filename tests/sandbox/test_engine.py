"""User engines in a guest: the same searches as in this process, stops, deadlines, and guest messages."""

import os
import random
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gameplay import Limit, Report, registry, sandbox
from gameplay.cli.common import template
from gameplay.errors import BadInput, EngineFault, Usage
from gameplay.matches.match import Match
from gameplay.players.engine import EnginePlayer
from gameplay.sandbox import messages
from gameplay.sandbox.engine import _idle_guests, create_engine
from gameplay.search.session import Session

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="needs POSIX processes")]


def write_engine(folder: Path, text: str) -> str:
    """The spec of an engine with this source."""
    file = folder / "mine.py"
    file.write_text(text)
    return str(file)


def test_a_guest_searches_as_this_process_does(tmp_path: Path) -> None:
    file = write_engine(tmp_path, Path(template.__file__).read_text())
    there, limit = sandbox.engine(f"{file}:plies=3,depth=2")
    here, same = registry.engine(f"{file}:plies=3,depth=2")
    assert limit == same == Limit(depth=2) and there.written() == here.written() == {"plies": "3"}
    assert (str(there), there.name, there.players) == (str(here), here.name, here.players)
    assert (there.respects_limits, there.options().keys()) == (here.respects_limits, here.options().keys())
    for game, moves in (("connect4", (3, 3, 2)), ("othello", ()), ("chess", ())):
        position = registry.game(game).new()
        for move in moves:
            position.make(move)
        there.at(sandbox.Origin(game, moves=moves))
        report, right = (engine.search(position, Limit(depth=2)) for engine in (there, here))
        assert report.ended("", 0) == right.ended("", 0) and report.nodes > 20
    there.host.kill()
    with pytest.raises(Usage, match="mine: unknown option 'ply'"):
        sandbox.engine(f"{file}:ply=3")
    with pytest.raises(BadInput, match="holds no engine"):
        sandbox.engine(write_engine(tmp_path, "x = 1\n"))


STEPS = """
import time
from gameplay import Report

def choose(position, limit, watch):
    first = position.moves()[0]
    while not watch(Report(move=first, value=7, depth=1, nodes=3)):
        time.sleep(0.01)
    return Report(move=position.moves()[-1], value=8, depth=2, nodes=5)
"""


def test_progress_is_watched_and_a_stop_is_passed_on(tmp_path: Path) -> None:
    engine, _ = sandbox.engine(write_engine(tmp_path, STEPS))
    engine.at(sandbox.Origin("tictactoe"))
    moves = registry.game("tictactoe").new().moves()
    seen: list[Report] = []

    def watch(report: Report) -> bool:
        seen.append(report)
        return report.bound != "unknown"

    report = Session(engine).search(registry.game("tictactoe").new(), Limit(depth=9), watch)
    assert (report.move, report.value, report.stopped) == (moves[-1], 8, "interrupted")
    assert (seen[-1].move, seen[-1].value, seen[-1].nodes) == (moves[0], 7, 3)
    report = Session(engine).search(registry.game("tictactoe").new(), Limit(seconds=0.2))
    assert (report.move, report.stopped) == (moves[-1], "time")
    engine.host.kill()


def test_engine_that_overruns_its_time_plays_its_last_reported_move(tmp_path: Path) -> None:
    text = "from gameplay import Report\ndef choose(position, limit, watch):\n"
    text += "    watch(Report(move=position.moves()[0], value=7, depth=1, nodes=3))\n"
    text += "    import time\n    time.sleep(99)\n"
    engine, _ = sandbox.engine(write_engine(tmp_path, text))
    engine.at(sandbox.Origin("tictactoe"))
    report = Session(engine).search(registry.game("tictactoe").new(), Limit(seconds=1))
    assert (report.value, report.nodes, report.stopped) == (7, 3, "time")
    assert engine.host._guest is None, "its process was killed"


SECRETIVE = """
class Card:
    def __init__(self, number):
        self.number = number

from gameplay import CHANCE, Position

class Guess(Position):
    hidden = chance = True

    def __init__(self):
        super().__init__()
        self.turn, self.card, self.guess = CHANCE, None, None

    def moves(self):
        return [0, 1, 2]

    def make(self, move):
        if self.turn == CHANCE:
            self.card, self.turn = Card(move), 1
        else:
            self.guess, self.turn = move, 0

    def unmake(self):
        if self.guess is None:
            self.card, self.turn = None, CHANCE
        else:
            self.guess, self.turn = None, 1

    def outcome(self):
        return None if self.guess is None else (1, -1) if self.guess != self.card.number else (-1, 1)

    def key(self):
        return (self.turn, self.card and self.card.number, self.guess)

    def infoset(self, player):
        return (self.turn, self.guess, self.card and (player or self.card.number))

    def determinize(self, player, rng):
        drawn = Guess()
        drawn.turn, drawn.guess = self.turn, self.guess
        drawn.card = self.card if player == 0 or self.card is None else Card(rng.randrange(3))
        return drawn
"""


def test_hidden_state_is_sent_as_the_view_of_the_seat(tmp_path: Path) -> None:
    """The game may be in a user's file, with classes of its own."""
    (tmp_path / "guess.py").write_text(SECRETIVE)
    file = write_engine(tmp_path, "def choose(position):\n    return position.moves()[-1]\n")
    for game in (f"{tmp_path}/guess.py", "kuhn"):
        rules = registry.game(game)
        players = [EnginePlayer(sandbox.engine(file)[0], Limit(nodes=10)) for _ in range(2)]
        match = Match(rules, players, seed=3)
        match.play()
        assert match.payoffs is not None and sum(match.payoffs) == 0
        origins = [player.engine.origin for player in players if player.engine.origin is not None]
        assert origins and all(origin.state and not origin.moves for origin in origins)
        for player in players:
            player.close()
    assert len(_idle_guests[file]) == 2, "processes wait for the next engine of the file"
    for guest in _idle_guests.pop(file):
        guest.kill()


def test_a_crash_by_a_signal_is_a_fault_and_the_next_search_has_a_new_process(tmp_path: Path) -> None:
    text = "import ctypes\ndef choose(position):\n    if len(position.moves()) == 9:\n"
    text += "        ctypes.string_at(0)\n"
    engine, _ = sandbox.engine(write_engine(tmp_path, text + "    return position.moves()[0]\n"))
    position = registry.game("tictactoe").new()
    engine.at(sandbox.Origin("tictactoe"))
    with pytest.raises(EngineFault) as fault:
        engine.search(position, Limit(depth=1))
    assert (fault.value.kind, str(fault.value)) == (
        "crash",
        "mine: its process ended by signal 11 (a segmentation fault)",
    )
    position.make(4)
    engine.at(sandbox.Origin("tictactoe", moves=(4,)))
    assert engine.search(position, Limit(depth=1)).move == position.moves()[0]
    assert engine.host.started == 2
    engine.host.kill()


def test_provided_engines_load_no_file_here(tmp_path: Path) -> None:
    file = write_engine(
        tmp_path, "import os\nHERE = os.getpid()\ndef choose(position, plies=2):\n    return 0\n"
    )
    host = sandbox.Host(file, keep=True)
    with registry.override_engines(Path(file), lambda spec: create_engine(host, spec)):
        assert registry.is_overridden(file) and not registry.is_overridden("alphabeta")
        engine, limit = registry.engine(f"{file}:choose:plies=4,depth=2")
        assert isinstance(engine, sandbox.GuestEngine) and limit == Limit(depth=2)
        assert engine.plies == 4
        engine.close()
        assert host.guest().alive, "its owner closes it"
    assert not registry.is_overridden(file)
    host.stop()
    with pytest.raises(EngineFault, match="it was stopped"):
        host.guest()


def test_a_deadline_ends_all_requests(tmp_path: Path) -> None:
    file = write_engine(tmp_path, "import time\ndef choose(position):\n    time.sleep(99)\n")
    host = sandbox.Host(file, keep=True)
    engine, _ = create_engine(host)
    engine.at(sandbox.Origin("tictactoe"))
    host.deadline, host.timeout_reason = time.monotonic() + 0.2, "the bell rang"
    for words in ("stopped: the bell rang", "the bell rang"):
        with pytest.raises(EngineFault) as fault:
            engine.search(registry.game("tictactoe").new(), Limit(depth=1))
        assert str(fault.value) == words


VISITS = """
def choose(position):
    for move in (4, 0):
        position.make(move)
    for _ in range(2):
        position.unmake()
    return 0
"""


def test_visits_are_reported_on_request_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(VISITS)
    engine, _ = sandbox.engine(str(file))
    engine.at(sandbox.Origin("tictactoe"))
    position = registry.game("tictactoe").new()
    engine.search(position, Limit(depth=1))
    assert (engine.visited, engine.made) == ((), 2)
    engine.reports_visits = True
    engine.search(position, Limit(depth=1))
    assert (engine.visited, engine.made) == (((4,), (4, 0)), 2)
    engine.close()


# -- messages ------------------------------------------------------------------------------------------


GOOD = messages.AnswerReply(messages.ReportData(move=4, value=-3, bound="exact", pv=(4, 0), nodes=7), made=7)


def test_messages_are_read_as_they_were_written() -> None:
    body = messages.frame(GOOD)
    assert int.from_bytes(body[:4], "big") == len(body) - 4 and messages.reply(body[4:]) == GOOD
    search_request = messages.SearchRequest(
        messages.Origin("kuhn", state=b"\x00\xff"), seconds=0.5, only=(1, 2)
    )
    assert messages.request(messages.frame(search_request)[4:]) == search_request
    assert search_request.limit == Limit(seconds=0.5, moves=(1, 2))
    with pytest.raises(ValueError, match="exceeds the limit of 1,048,576"):
        messages.frame(messages.ProgressReply(place="x" * messages.MAX_FRAME_SIZE))


@pytest.mark.parametrize(
    "change",
    [
        {"made": -1}, {"made": 2**70}, {"made": "7"}, {"made": None}, {"marks": 9}, {"strays": 1},
        {"pv_error": "x" * 5_000}, {"report": {}}, {"report": None}, {"report": {"move": -1}},
        {"report": {"move": 4, "value": 1e300}}, {"report": {"move": 4, "value": "3"}},
        {"report": {"move": 4, "bound": "won"}}, {"report": {"move": 4, "pv": [0] * 2_000}},
        {"report": {"move": 4, "nodes": 10**16}}, {"report": {"move": 4, "exact": "yes"}},
        {"report": {"move": 4, "candidates": [{"move": 4}]}}, {"report": {"move": 4, "state": "x"}},
        {"type": "setup"}, {"type": "search"}, {"type": 3},
        {"lines": [[-1]]}, {"lines": [[2**63]]}, {"lines": ["x"]}, {"lines": [[0]] * 5_001},
    ],
)  # fmt: skip
def test_replies_out_of_range_are_refused(change: dict[str, Any]) -> None:
    plain = msgspec.to_builtins(GOOD) | change
    with pytest.raises(ValueError):
        messages.reply(msgspec.json.encode(plain))


def test_random_bytes_are_refused_or_a_reply() -> None:
    rng = random.Random(1)
    body = messages.frame(GOOD)[4:]
    refused = 0
    for number in range(2_000):
        broken = bytearray(body)
        for _ in range(1 + number % 3):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        try:
            assert isinstance(messages.reply(bytes(broken)), messages.AnswerReply)
        except ValueError:
            refused += 1
    assert refused > 1_000
    for nested in (b"[" * 100_000, b'{"a":' * 100_000):
        with pytest.raises(ValueError):
            messages.reply(nested)
