"""`gameplay uci`: conversations, every form of `go`, options, malformed input."""

import dataclasses
import os
import queue
import re
import sys
import tomllib
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gameplay.cli import router, run
from gameplay.players.level import LevelPlayer
from gameplay.protocols import side, uci_side
from gameplay.protocols.uci_side import UciRequest
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.report import Candidate, Report
from gameplay.value import MAX_PLY, WIN
from tests.support.conversations import Talk
from tests.support.paths import TESTS
from tests.support.uci import GAME, UCI, Conversation

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

UCI_REFUSED = tomllib.loads((TESTS / "answers" / "uci.toml").read_text())

NONSENSE = """uci isready ucinewgame position startpos fen moves e2e4 e7e5 e1g1 e7e8q 0000 go depth nodes
    movetime wtime btime winc binc movestogo mate perft searchmoves infinite ponder stop ponderhit setoption
    name value Hash Level eval null true 1 2 -1 0 99999999999999999999999 8/8/8/8/8/8/8/8 w - KQkq debug d x
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 7k/8/8/8/8/8/8/K6R \xff\x00 ½ ٣"""


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


# -- a conversation -------------------------------------------------------------------------------


def test_a_conversation() -> None:
    """The exact lines, as far as they do not depend on speed."""
    conversation = Conversation()
    assert conversation.ask("uci")[:2] == ["id name gameplay", "id author the gameplay developers"]
    for option in (
        *("Hash type spin default 16 min 1 max 65536", "Clear Hash type button"),
        *("Ponder type check default false", "UCI_Chess960 type check default false"),
        "Level type spin default 10 min 1 max 10",
        "eval type combo default material var correction var classic var material var turing var linear",
    ):
        assert f"option name {option}" in conversation.messages or (option.startswith(("Hash", "Clear")))
    assert conversation.messages[-1] == "uciok"
    assert conversation.ask("debug on", "register later", "ucinewgame", "isready") == ["readyok"]
    lines = conversation.ask("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "go depth 3")
    lines = [re.sub(r"time \d+|nps \d+", "", line) for line in lines]
    assert (
        lines[-2].startswith("info depth ")
        and " score mate 1 " in lines[-2]
        and lines[-2].endswith("pv d1d8")
    )
    assert lines[-1] == "bestmove d1d8"
    assert conversation.ask("position startpos moves f2f3 e7e5 g2g4", "go depth 1")[-1] == "bestmove d8h4"
    assert conversation.ask("position startpos moves f2f3 e7e5 g2g4 d8h4", "go")[-1] == "bestmove (none)"


def test_scores() -> None:
    for fen, depth, score in (
        ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", 1, "mate 1"),
        ("7k/8/8/8/8/8/q6r/7K w - - 0 1", 2, "mate -1"),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3, "mate 2"),
        ("k7/8/8/8/8/8/8/1Q5K w - - 0 1", 1, "cp 900"),
    ):
        output = Conversation("alphabeta:eval=material").ask(f"position fen {fen}", f"go depth {depth}")
        assert f" score {score} " in output[-2]


def test_every_go_command_ends_with_a_legal_move() -> None:
    conversation = Conversation("selective")
    position = GAME.new()
    words = {position.uci(move) for move in position.moves()}
    for line in (
        *("go depth 2", "go nodes 500", "go movetime 20", "go mate 1 depth 2", "go infinite", "go ponder"),
        "go wtime 1000 btime 1000 winc 10 binc 10",
        *("go wtime 100", "go wtime 1000 btime 1000 movestogo 1", "go wtime -50 btime 1000"),
        *("go ponder wtime 1000 btime 1000", "go depth 0", "go nodes 0", "go movetime 0 depth 1"),
        *("go depth x nodes 100", "go quickly depth 1", "go depth 1 searchmoves", "go infinite depth 2"),
    ):
        output = conversation.ask("position startpos", line)
        assert best(output) in words, line
        assert [line for line in output if line.startswith("info depth")], line
    output = conversation.ask("go depth 2 searchmoves a2a3 h2h4")
    assert best(output) in ("a2a3", "h2h4")
    assert " pv h2h4" in conversation.ask("go searchmoves h2h4 depth 3")[-2]
    assert conversation.ask("go depth 1 searchmoves e2e5")[-1] == "bestmove (none)"


def test_ponderhit_turns_pondering_into_a_timed_search() -> None:
    conversation = Conversation("selective")
    conversation.ask("position startpos moves e2e4")
    for line, last in (
        ("go ponder wtime 500 btime 500", 0),
        ("go ponder depth 3", 3),
        ("go ponder movetime 30", 0),
    ):
        conversation.side.inbox.put("isready")
        conversation.side.inbox.put("ponderhit")
        conversation.messages.clear()
        assert conversation.side.execute(line)
        assert "readyok" in conversation.messages and conversation.messages[-1].startswith("bestmove ")
        assert not last or any(f"info depth {last} " in line for line in conversation.messages)
    assert conversation.ask("ponderhit", "stop") == []


def test_castling_and_promotion() -> None:
    conversation = Conversation()
    castle = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert best(conversation.ask(castle, "go depth 1 searchmoves e1g1")) == "e1g1"
    conversation.ask("setoption name UCI_Chess960 value true")
    assert best(conversation.ask(castle, "go depth 1 searchmoves e1h1")) == "e1h1"
    assert best(conversation.ask(f"{castle} moves e1h1 e8a8", "go depth 1 searchmoves g1g2")) == "g1g2"
    conversation.ask("setoption name UCI_Chess960 value false")
    fen = "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    # From the Chess960 perft suite.
    assert "Nodes searched: 528" in "".join(conversation.ask(fen, "go perft 2"))
    output = conversation.ask("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "go depth 2")
    assert best(output) == "a7a8q"


def test_perft_divides() -> None:
    output = Conversation().ask("position startpos", "go perft 3")
    assert len(output) == 21 and "e2e4: 600" in output and "Nodes searched: 8902" in output[-1]
    assert "Nodes searched: 1" not in "".join(Conversation().ask("go perft 0"))


def test_unclaimed_draws_are_played_on() -> None:
    conversation = Conversation()
    moves = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 3
    assert best(conversation.ask(moves, "go depth 1")) != "(none)"
    assert best(conversation.ask(moves + " e2e4", "go depth 1")) != "(none)"
    assert best(conversation.ask("position startpos moves e2e4", "go depth 1")) != "(none)"
    assert best(conversation.ask("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 4, "go")) == "(none)"


def test_bench_and_the_board() -> None:
    conversation = Conversation()
    assert conversation.ask("bench 2")[:-1] == conversation.ask("bench 2")[:-1]
    assert re.fullmatch(r"\d+ nodes \d+ nps", conversation.messages[-1])
    output = conversation.ask("position startpos moves e2e4", "d")
    assert output[-1] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_options_are_set_and_refused() -> None:
    conversation = Conversation("selective")
    ask = conversation.ask
    assert (
        ask("setoption name hash value 2", "setoption name NULL value false", "setoption name Ponder") == []
    )
    assert conversation.side.player.engine.table == "2MB" and conversation.side.player.engine.null is False
    assert ask("setoption name eval value turing", "setoption name Clear Hash") == []
    assert ask("setoption name Level value 3") == []
    assert (
        isinstance(conversation.side.player, LevelPlayer) and conversation.side.player.engine.eval == "turing"
    )
    assert best(ask("position startpos", "go infinite")) != "(none)"
    for wrong, why in (
        ("setoption name Hash value lots", "lotsMB"),
        ("setoption name Level value 11", "Level must be from 1 to 10"),
        ("setoption name Nul value true", "did you mean 'null'?"),
        ("setoption Hash 3", "setoption name NAME value VALUE"),
        ("setoption name eval value best", "evaluation 'best'"),
    ):
        lines = ask(wrong)
        assert len(lines) == 1 and lines[0].startswith("info string ") and why in lines[0]


def test_malformed_input_is_survived() -> None:
    conversation, rng = Conversation(), Random(7)
    words = NONSENSE.split()
    for _ in range(300):
        line = " ".join(rng.choice(words) for _ in range(rng.randrange(1, 9)))
        if "perft" in line:
            continue
        conversation.side.inbox.put("stop")
        conversation.side.execute(line)
        assert not [line for line in conversation.messages if "Traceback" in line or "internal" in line], line
        conversation.side.queued.clear()
    conversation.ask("setoption name Level value 10")
    assert best(conversation.ask("joho position startpos moves e2e4", "cheers go depth 1")) != "(none)"
    assert conversation.ask("castle!")[0].startswith("info string unknown command 'castle!'")


class Inbox:
    """Lines that have arrived; waiting for more records the timeout."""

    def __init__(self, *lines: str | None) -> None:
        self.lines = list(lines)
        self.waited: list[float] = []

    def get(self, timeout: float) -> str | None:
        self.waited.append(timeout)
        return self.get_nowait()

    def get_nowait(self) -> str | None:
        if not self.lines:
            raise queue.Empty
        return self.lines.pop(0)

    def put(self, line: str | None) -> None:
        self.lines.append(line)


def make_side(
    *lines: str | None, engine: str = "alphabeta:depth=2,eval=material"
) -> tuple[Conversation, Inbox]:
    conversation, inbox = Conversation(engine), Inbox(*lines)
    conversation.side.inbox = cast(Any, inbox)
    return conversation, inbox


# -- one step at a time ----------------------------------------------------------------------------


def test_search_polls_its_input_without_blocking() -> None:
    conversation, inbox = make_side(
        "isready", "position startpos", "isready", "stop", "go", "isready", "stop"
    )
    assert conversation.side._watch(conversation.side._match(), None) is True
    assert inbox.waited == [] and conversation.messages == ["readyok", "readyok"]
    assert conversation.side.queued == ["position startpos", "go", "isready", "stop"], (
        "what follows `go` is for that search"
    )
    conversation.side._poll_input(0.5)
    assert inbox.waited == [0.5]
    conversation, inbox = make_side("stop")
    assert (
        conversation.side._glance(Report()) is True and inbox.waited == [] and conversation.side.queued == []
    )
    conversation, inbox = make_side("isready", None)
    assert conversation.side._watch(conversation.side._match(), None) is True
    assert (conversation.side.input_ended, conversation.side.stopping, conversation.side.queued) == (
        True,
        False,
        [None],
    )
    conversation, inbox = make_side()
    inbox.get = lambda timeout: inbox.waited.append(timeout) or "quit"
    conversation.side._wait(UciRequest(endless=True))
    assert inbox.waited == [0.05] and conversation.side.queued == ["quit"] and conversation.side.stopping


def test_input_during_perft_and_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    conversation, inbox = make_side("stop")
    assert conversation.ask("go perft 2") == ["a2a3: 20"] and inbox.waited == []
    assert conversation.ask("go perft 1")[-2:] == ["g1h3: 1", "\nNodes searched: 20\n"]
    limits: list[Limit] = []

    def search(self: Any, position: Any, limit: Limit, watch: Any) -> Report:
        limits.append(limit)
        report = Report(move=position.moves()[-1], nodes=10)
        watch(report)
        return report

    monkeypatch.setattr(type(conversation.side.player.engine), "search", search)
    for word, depth in (("", 6), ("0", 6), ("256", 6), ("255", 255), ("x", 6), ("1", 1)):
        now = partial(next, iter([100.0, 100.5]))
        monkeypatch.setattr(uci_side, "time", SimpleNamespace(monotonic=now))
        conversation.side.stopping = True  # by the last `stop`
        output = conversation.ask(f"bench {word}")
        assert len(output) == 13 and limits == [Limit(depth=depth)] * 12
        assert (
            output[:2] == ["ply 0: g1h3, 10 nodes", "ply 1: g8h6, 10 nodes"]
            and output[-1] == "120 nodes 240 nps"
        )
        limits.clear()
    inbox.put("stop")
    monkeypatch.setattr(uci_side, "time", SimpleNamespace(monotonic=lambda: 100.0))
    assert conversation.ask("bench") == ["ply 0: g1h3, 10 nodes", "10 nodes 10000000 nps"]


def test_lines_of_any_length_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to four mebibytes; longer lines are ignored."""
    longest = 4 * 1024 * 1024
    for data, lines in (
        ([b"a\nb", b"c\n\xff\n"], ["a", "bc", "\ufffd", ""]),
        ([b"x" * longest, b"y\nz"], ["x" * longest + "y", "z"]),
        ([b"x" * (longest + 1), b"y", b"z\nb\n"], ["lineyz", "b", ""]),
    ):
        conversation, inbox = make_side()
        nudged = Inbox()
        monkeypatch.setattr(conversation.side.player, "nudge", partial(nudged.put, None))
        read = partial(next, iter([*data, b""]))
        calls: list[tuple[int, int]] = []

        def record_and_read(*call, read=read, calls=calls):
            calls.append(call)
            return read()

        monkeypatch.setattr(side, "os", SimpleNamespace(read=record_and_read))
        conversation.side._read(7)
        assert inbox.lines == [*lines, None] and calls == [(7, 65536)] * len(nudged.lines)
        assert len(calls) == len(data) + 1


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("wtime 1000 btime 2000 winc 10 movestogo 5", UciRequest(times=((1.0, 0.01), (2.0, 0.0), 5))),
        ("wtime -50 btime 0 binc -3", UciRequest(times=((0.0, 0.0), (0.0, 0.0), 0))),
        ("btime 9", UciRequest(times=(None, (0.009, 0.0), 0))),
        ("winc 9 movestogo 3", UciRequest()),
        ("movetime 0", UciRequest(Limit(seconds=0.001))),
        ("movetime 1500 nodes 7", UciRequest(Limit(seconds=1.5, nodes=7))),
        ("depth 255", UciRequest(Limit(depth=255))),
        ("depth 999 nodes 99999999999999999999", UciRequest(Limit(depth=255, nodes=MAX_LIMIT))),
        ("mate 3 perft 2", UciRequest(mate=3, perft=2)),
        ("mate 0 perft 0 depth 0", UciRequest()),
        ("infinite", UciRequest(endless=True)),
        ("ponder depth 1", UciRequest(Limit(depth=1), endless=True, ponder=True)),
        (
            "searchmoves e2e4 d2d4 depth 1 searchmoves a2a3 infinite",
            UciRequest(Limit(depth=1), endless=True, moves=["e2e4", "d2d4", "a2a3"]),
        ),
    ],
)
def test_limits_of_go(words: str, limits: UciRequest) -> None:
    conversation = Conversation()
    request = conversation.side._parse_go(words.split())
    assert request == conversation.side.go_request == dataclasses.replace(limits, moves=[*limits.moves])
    assert (UciRequest().mate, UciRequest().perft, UciRequest().ponder, UciRequest().endless) == (
        0,
        0,
        False,
        False,
    )


def test_search_limits() -> None:
    conversation, own = Conversation(), Limit(depth=2, multipv=7)
    for words, limit in (
        ("wtime 9", Limit(depth=2)),
        ("depth 3 movetime 500", Limit(depth=2, seconds=0.5)),
        ("depth 1 nodes 70", Limit(depth=1, nodes=70)),
        ("infinite depth 3 movetime 500", Limit(depth=2)),
        ("infinite movetime 500", Limit(depth=2)),
        ("mate 2", Limit(depth=2)),
        ("mate 1", Limit(depth=1)),
    ):
        assert conversation.side._limit(own, conversation.side._parse_go(words.split())) == limit
    for words, limit in (
        ("infinite movetime 500", Limit(seconds=MAX_LIMIT)),
        ("mate 2", Limit(depth=3)),
        ("mate 2 depth 2", Limit(depth=2)),
        ("mate 2 infinite", Limit(depth=3)),
        ("mate 999", Limit(depth=MAX_PLY)),
    ):
        assert conversation.side._limit(Limit(), conversation.side._parse_go(words.split())) == limit
    for engine, limit in (("selective", Limit(depth=7)), ("mcts", Limit())):
        other = Conversation(engine).side
        assert other._limit(Limit(), other._parse_go(["mate", "2"])) == limit
    conversation.side.multipv, conversation.side.fixed = 3, True
    assert conversation.side._limit(own, UciRequest(Limit(depth=9))) == own
    assert conversation.side._limit(own, UciRequest(Limit(seconds=9))) == own.with_(seconds=9)
    conversation.side.fixed = False
    assert conversation.side._limit(own, conversation.side._parse_go(["depth", "1"])) == Limit(
        depth=1, multipv=3
    )


def test_go_ends_an_endless_search_and_keeps_its_own_limits() -> None:
    conversation = Conversation("alphabeta:eval=material")
    for line in ("go nodes 40", "stop"):
        conversation.side.inbox.put(line)
    assert conversation.side.execute("go infinite")
    assert conversation.side.queued == ["go nodes 40", "stop"]
    assert (
        best(conversation.messages) != "(none)"
        and len([line for line in conversation.messages if line.startswith("bestmove")]) == 1
    )
    conversation.messages.clear()
    assert conversation.side.execute(conversation.side.queued.pop(0) or "")
    nodes = [int(match[1]) for line in conversation.messages if (match := re.search(r" nodes (\d+)", line))]
    assert nodes and max(nodes) <= 40 and best(conversation.messages) != "(none)"


def test_go_waits_for_a_search_with_limits() -> None:
    conversation = Conversation("alphabeta:eval=material")
    conversation.side.inbox.put("go depth 1")
    conversation.side._poll_input(0)  # as during a search
    assert conversation.side.queued == ["go depth 1"] and not conversation.side.stopping


def test_go_mate_without_a_mate_ends() -> None:
    output = Conversation("alphabeta:eval=material").ask("position startpos", "go mate 2")
    assert output[-2].startswith("info depth 3 ") and best(output) != "(none)"


def test_the_hit_of_a_ponder_search_sets_it_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_side, "time", SimpleNamespace(monotonic=lambda: 100.0))
    conversation = make_side()[0]
    assert conversation.side.execute("ponderhit") and conversation.messages == [], "there is no request yet"
    side = conversation.side
    side.turn = 1
    times = (None, (60.0, 0.0), 0)
    share = side.host.clock(times).seconds(1)
    for limit, clock, deadline in (
        (Limit(), None, 101.0),  # as long as a search that deepens has by itself
        (Limit(seconds=2.5), None, 102.5),
        (Limit(depth=3), None, 0.0),
        (Limit(depth=3), times, 100.0 + share),
        (Limit(seconds=0.25), times, 100.25),
        (Limit(seconds=500.0), times, 100.0 + share),
        (Limit(depth=3), ((60.0, 0.0), None, 0), 0.0),
    ):
        for ponder in (True, False):
            side.go_request, side.deadline = UciRequest(limit, clock, endless=True, ponder=ponder), 0.0
            side._ponderhit([])
            assert side.deadline == (deadline if ponder else 0.0)
            assert (side.go_request.endless, side.go_request.ponder) == (not ponder, False)
    match = side._match()
    for side.deadline, ends in ((99.5, True), (100.0, True), (100.5, False), (0.0, False)):
        assert side._watch(match, None) is ends


def test_a_mate_that_is_short_enough_ends_its_search() -> None:
    side = make_side()[0].side
    match = side._match()
    for mate, value, ends in ((2, WIN - 3, True), (2, WIN - 4, False), (1, WIN - 1, True), (0, WIN, False)):
        side.go_request = UciRequest(mate=mate)
        assert side._watch(match, Report(value=value)) is ends
    side.go_request = UciRequest(mate=2)
    assert side._watch(match, None) is False, "nothing is found yet"


def test_options_are_for_what_they_name() -> None:
    """A player with a book has an option for it; one without has none."""
    conversation = Conversation("iterative:table=1MB")
    ours = conversation.side
    assert conversation.ask("setoption name OwnBook value false")[0].startswith(
        "info string unknown option 'OwnBook'"
    )
    ours.opens = {"book": lambda text: f"opened {text}"}
    assert conversation.ask("setoption name pvs value false") == [] and ours.own is True
    assert ours.player.engine.pvs is False
    assert conversation.ask("setoption name OwnBook value false") == [] and ours.own is False
    assert conversation.ask("setoption name ownbook value TRUE") == [] and ours.own is True
    session = ours.player.session
    assert conversation.ask("setoption name Ponder value true") == [] and ours.player.session is session
    assert conversation.ask("setoption name Clear Hash") == [] and ours.player.session is not session
    assert conversation.ask("setoption name Hash value 3") == [] and ours.player.engine.table == "3MB"


def test_info_lines_of_a_search() -> None:
    conversation = Conversation()
    match, say = conversation.side._match(), conversation.side._send_info
    e4, a6 = (GAME.new().parse(word) for word in ("e4", "a3"))
    say(match, Report(value=31, depth=4, seldepth=9, nodes=5000, seconds=0.5, fill=0.25, pv=(e4,)))
    lines = (Candidate(e4, 31, pv=(e4,)), Candidate(a6, -5, "upper", pv=(a6,)))
    say(match, Report(depth=4, candidates=lines, source="book", facts="played 3 times"))
    say(match, Report(value=1, bound="unknown", candidates=lines[1:], source="tables"))
    assert conversation.messages == [
        "info depth 4 seldepth 9 score cp 31 time 500 nodes 5000 nps 10000 hashfull 250 pv e2e4",
        "info depth 4 seldepth 0 multipv 1 score cp 31 time 0 nodes 0 nps 0 hashfull 0 pv e2e4",
        "info depth 4 seldepth 0 multipv 2 score cp -5 upperbound time 0 nodes 0 nps 0 hashfull 0 pv a2a3",
        "info string by the book: played 3 times",
        "info depth 0 seldepth 0 time 0 nodes 0 nps 0 hashfull 0",
        "info string by the tables",
    ]


def test_every_option_is_offered() -> None:
    conversation = Conversation("selective:table=32MB,threads=3,eval=classic")
    options = [line.removeprefix("option name ") for line in conversation.ask("uci")[2:-1]]
    assert options[:7] == [
        "Hash type spin default 32 min 1 max 65536",
        "Clear Hash type button",
        "Threads type spin default 3 min 1 max 256",
        "MultiPV type spin default 1 min 1 max 500",
        "Ponder type check default false",
        "UCI_Chess960 type check default false",
        "Level type spin default 10 min 1 max 10",
    ]
    assert (
        "seed type spin default 0 min 0 max 2147483647" in options
        and "pvs type check default true" in options
    )
    assert (
        "eval type combo default classic var correction var classic var material var turing var linear"
        in options
    )
    assert not [line for line in options[7:] if line.startswith(("table", "threads"))]
    for table, megabytes in (("off", 16), ("512KB", 16), ("1MB", 1)):
        conversation.side.player = cast(Any, SimpleNamespace(engine=SimpleNamespace(table=table)))
        assert conversation.side._megabytes() == megabytes
    conversation = Conversation("selective")
    for text in ("0", "501", "-1", "x"):
        assert conversation.ask(f"setoption name MultiPV value {text}") == [
            f"info string MultiPV must be from 1 to 500, not '{text}'"
        ]
    assert conversation.ask("setoption name multipv value 500") == [] and conversation.side.multipv == 500
    for text in ("0", "x"):
        assert conversation.ask(f"setoption name Level value {text}") == [
            f"info string Level must be from 1 to 10, not '{text}'"
        ]
    for level, fixed in ((9, True), (10, False)):
        assert conversation.ask(f"setoption name Level value {level}") == []
        assert (conversation.side.chosen, conversation.side.fixed) == (level, fixed)


REFUSED = ["info string go is refused: the last position was invalid. Try: send another", "bestmove (none)"]


@pytest.mark.parametrize(("wrong", "why"), UCI_REFUSED["positions"])
def test_wrong_position_is_reported_and_no_other_is_searched(wrong: str, why: str) -> None:
    conversation = Conversation()
    conversation.ask("position startpos moves e2e4")
    (output,) = conversation.ask(wrong)
    assert output.startswith("info string ") and why in output
    assert conversation.ask("go depth 1") == REFUSED
    assert conversation.ask("go perft 1") == REFUSED[:1]
    assert conversation.ask("d") == ["info string there is no board to draw: the last position was invalid"]
    assert conversation.ask("position startpos", "go depth 1")[-1].startswith("bestmove ")
    assert conversation.ask("position startpos", "go depth 1")[-1] != "bestmove (none)"


@pytest.mark.parametrize(
    ("go", "why"),
    [
        ("go depth x", "depth must be a whole number, not 'x'"),
        ("go depth", "depth must be followed by a whole number"),
        ("go movetime 1.5s", "movetime must be a whole number, not '1.5s'"),
        ("go deep", "unknown limit 'deep'"),
        ("go perft x", "perft must be a whole number, not 'x'"),
    ],
)
def test_wrong_limit_is_reported_once_and_nothing_is_searched(go: str, why: str) -> None:
    output = Conversation().ask(go)
    assert output[0].startswith(f"info string go is refused: {why}")
    assert output[1:] == (["bestmove (none)"] if "perft" not in go else [])


@pytest.mark.parametrize(("go", "why"), UCI_REFUSED["small"])
def test_too_small_limit_is_reported_and_ignored(go: str, why: str) -> None:
    conversation = Conversation()
    output = conversation.ask(go)
    assert output[0] == f"info string {why}: it is ignored"
    assert output[1].startswith("info depth 2 ")  # the limit of its own
    assert best(output) != "(none)"
    assert not [
        line for line in conversation.ask("go wtime -5 btime 9 winc -1") if line.startswith("info string")
    ]


@pytest.mark.parametrize("engine", ["selective", "iterative", "quiescence", "alphabeta"])
def test_one_node_is_enough_for_a_move_with_a_value(engine: str) -> None:
    """The first ply is finished regardless of the limit."""
    output = Conversation(engine).ask("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "go nodes 1")
    assert " depth 1 " in output[-2] and " score cp " in output[-2]
    assert best(output) == "e4d5"


def test_an_endless_search_of_a_finished_game_waits_for_stop() -> None:
    conversation = Conversation()
    conversation.ask("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    seen: list[list[str]] = []
    look = conversation.side._poll_input

    def look_and_record(seconds: float) -> None:
        seen.append(conversation.messages[:])
        if len(seen) == 3:
            look(seconds)

    conversation.side._poll_input = look_and_record
    assert conversation.ask("go infinite") == ["info string the game is over", "bestmove (none)"]
    assert seen[2] == ["info string the game is over"]


@pytest.mark.parametrize("engine", ["minimax", "mcts", "iterative"])
def test_infinite_search_exceeds_the_default_depth(engine: str) -> None:
    conversation = Conversation(engine)
    limit = conversation.side._limit(Limit(), conversation.side._parse_go(["infinite"]))
    assert limit.depth is None and limit.seconds == MAX_LIMIT
    player = conversation.side.player
    report = player.session.search(GAME.new(), limit, lambda report: report.nodes > 900)
    assert report.stopped == "interrupted" and report.nodes > 900 and report.bound != "unknown"


def test_valid_limits_beside_a_wrong_one_apply() -> None:
    output = Conversation().ask("go depth x depth 1 nodes")
    assert output[:2] == [
        "info string depth must be a whole number, not 'x'",
        "info string nodes must be followed by a whole number",
    ]
    assert output[-1].startswith("bestmove ") and output[-1] != "bestmove (none)"
    assert all(" depth 1 " in line for line in output[2:-1])


# -- the process ----------------------------------------------------------------------------------


def test_search_runs_until_stop_and_end_of_input_quits() -> None:
    talk = Talk(*UCI)
    talk.ask("uci", until="uciok")
    output = talk.ask("position startpos", "go infinite", "isready", until="readyok")
    assert not [line for line in output if line.startswith("bestmove")]
    assert talk.ask("stop")[-1].startswith("bestmove ")
    talk.ask("go ponder wtime 60000 btime 60000", "isready", until="readyok")
    assert talk.ask("stop")[-1].startswith("bestmove ")
    talk.ask("go infinite", "isready", until="readyok")
    talk.close()


def test_input_without_threads_is_refused_in_one_line(monkeypatch, capsys):
    monkeypatch.setenv("GAMEPLAY_THREADS", "off")
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert run(router, "gameplay", ["uci", "chess"]) == 75
    assert "cannot start the thread" in capsys.readouterr().err
