"""Engines in processes: whole games, options, time, reported values."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.players.player import Choice
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import channel
from gameplay.protocols.uci import Ugi, format_score, parse_info, parse_score
from gameplay.runs import job
from gameplay.search import session
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.value import MAX_EVAL, WIN
from tests.support.paths import TESTS
from tests.support.programs import (
    GAME,
    Last,
    are_gone,
    mark,
    marked_processes,
    mock,
    play_match,
    play_to_fault,
    short_timeouts,
)

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="counts processes in /proc"),
]

assert mark and short_timeouts  # fixtures

BLIND = """
import sys

moves = []
for line in sys.stdin:
    print(line, end="", file=open(sys.argv[1], "a"), flush=True)
    words = line.split()
    if words == ["ugi"]:
        print("ugiok", flush=True)
    if words == ["isready"]:
        print("readyok", flush=True)
    if words[:2] == ["view", "moves"]:
        moves = words[2:]
    if words[:1] == ["go"]:
        print("bestmove", moves[-1], flush=True)
"""


def blind(folder: Path, spec: str) -> ProcessPlayer:
    """A program without rules that records its input and plays the last move that it received."""
    (folder / "blind.py").write_text(BLIND)
    command = [sys.executable, "-I", "-S", str(folder / "blind.py"), str(folder / "heard")]
    player = seats.player(f"ugi:{shlex.join(command)}", registry.game(spec))
    assert isinstance(player, ProcessPlayer)
    return player


# -- games that end well ------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["ugi", "uci", "gtp"])
def test_whole_games_in_each_language(protocol: str, mark: str) -> None:
    player = mock(mark, protocol=protocol)
    for _ in range(2):  # one process for both games
        match = play_match(player)
        assert match.words() == ["a1", "c3", "b1", "b3", "c1"] and match.reason == "rules"
    assert len(marked_processes(mark)) == 1
    player.close()
    assert are_gone(mark)
    report = match.turns[0].report
    if protocol == "gtp":
        assert report is None  # GTP tells nothing of the search
    else:
        assert report is not None and report.final and not report.exact
        assert (report.value, report.depth, report.seldepth, report.nodes, report.pv) == (50, 3, 4, 17, (0,))


def test_program_receives_only_information_of_its_seat(tmp_path: Path) -> None:
    player = blind(tmp_path, "kuhn:players=3")
    match = Match(registry.game("kuhn:players=3"), [Last(), player, Last()], "", ["K", "T", "Q"])
    match.play()
    assert match.words() == ["K", "T", "Q", "bet", "call", "call"] and match.payoffs is not None
    assert player.contradiction(match) == "", "of three nobody is asked who won"
    talk = [line for line in (tmp_path / "heard").read_text().splitlines() if line != "isready"]
    assert talk == [
        "ugi",
        "uginewgame",
        "position startpos moves ? T ? bet",
        "view seat p2",
        "view moves fold call",
        *[f"view text {line}" for line in match.replica(4).show(1).splitlines()],
        "go movetime 1000",
    ]


@pytest.mark.parametrize(
    "spec", ["holdem:players=3", "hearts", "battleship:rows=3,columns=3,ships=2", "phantom-tictactoe"]
)
def test_whole_games_of_which_a_program_sees_a_part(spec: str, tmp_path: Path) -> None:
    player = blind(tmp_path, spec)
    game = registry.game(spec)
    match = Match(game, [player, *[Last() for _ in range(1, game.new().players)]], seed=3)
    match.play()
    assert match.reason == "rules" and any(turn.player == 0 for turn in match.turns)
    news = [line for line in (tmp_path / "heard").read_text().splitlines() if line.startswith("view news")]
    lines = [f"view news {ply} {text}" for ply, turn in enumerate(match.turns, 1) for text in turn.news]
    assert set(news) <= set(lines) and bool(news) == bool(lines[:-4])


def test_clocks_of_several_players_are_sent_by_seat() -> None:
    spec = str(TESTS / "examples" / "games" / "thrice.py")
    talk = Ugi(cast(Any, None))
    talk.prepare(registry.game(spec).new(), 0.0)
    assert (talk.times, talk.increments) == (("p1time", "p2time", "p3time"), ("p1inc", "p2inc", "p3inc"))


def test_undone_moves_and_openings_are_sent(mark: str) -> None:
    for protocol in ("ugi", "gtp"):
        player = mock(mark, protocol=protocol)
        match = Match(GAME, [player, Last()], moves=["b2", "a1"])
        match.step()
        match.undo(2)
        match.make(Choice(8))
        match.step()
        assert match.words() == ["b2", "c3", "a1"]
        player.close()


@pytest.mark.parametrize("case", ["banner", "noscore", "twice@ply:0", "twice@ply:2", "dieonce@ply:4"])
def test_unusual_output_is_tolerated(case: str, mark: str) -> None:
    player = mock(mark, case)
    match = play_match(player)
    assert match.words() == ["a1", "c3", "b1", "b3", "c1"]
    assert (match.turns[0].report is None) == (case == "noscore")  # no value is no value, not 0
    player.close()


def test_program_that_died_between_games_is_restarted(mark: str) -> None:
    player = mock(mark)
    play_match(player)
    os.kill(marked_processes(mark)[0], signal.SIGKILL)
    assert play_match(player).reason == "rules"
    player.close()
    assert play_match(player).reason == "rules"  # also after it was closed
    player.close()


def test_options_and_limits_reach_the_engine(mark: str) -> None:
    player = mock(mark, options=",skill level=7,depth=4,nodes=500")
    assert player.limit == Limit(depth=4, nodes=500)
    play_match(player)
    assert player.channel is not None
    player.channel._pump(0.1)
    assert list(player.channel.tail) == ["setoption name Skill Level value 7"]
    player.close()
    wrong = play_to_fault(mock(mark, options=",Skil=7"))
    assert wrong.kind == "start" and "(choose from: Skill Level)" in str(wrong)
    refused = play_to_fault(mock(mark, protocol="gtp", options=",boardsize=19"))
    assert refused.kind == "start" and "refuses 'boardsize 19': unacceptable size" in str(refused)


def test_gtp_player_may_resign_and_refuses_set_up_positions(mark: str) -> None:
    player = mock(mark, "none@ply:2", protocol="gtp")
    match = play_match(player)
    assert (match.payoffs, match.reason) == ((-1, 1), "resigned")
    with pytest.raises(Usage, match="cannot set up a position"):
        Match(GAME, [player, Last()], start="x.o/.../...").play()
    player.close()
    with pytest.raises(Usage, match="GTP cannot limit depth"):
        mock(mark, protocol="gtp", options=",depth=4")


# -- words --------------------------------------------------------------------------------------


def test_games_without_protocol_notation_are_refused(tmp_path: Path) -> None:
    games = TESTS / "examples" / "games"
    with pytest.raises(Usage, match="UCI does not support imperfect information, as kuhn has"):
        seats.player("uci:sh", registry.game(str(games / "kuhn.py")))
    with pytest.raises(Usage, match="UCI is for two players, and thrice has 3"):
        seats.player("uci:sh", registry.game(str(games / "thrice.py")))
    with pytest.raises(Usage, match="GTP does not support chance"):
        seats.player("gtp:sh", registry.game(str(games / "pig.py")))
    seats.player("ugi:sh", registry.game(str(games / "pig.py")))
    hearts, deal = (
        registry.game("hearts"),
        "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5",
    )
    with pytest.raises(Usage, match="a UGI start position would reveal hidden information of hearts"):
        Match(hearts, [blind(tmp_path, "hearts"), *[Last()] * 3], deal).play()
    assert not (tmp_path / "heard").exists()


@pytest.mark.parametrize(
    ("words", "limit", "message"),
    [
        ("60+0.5", Limit(), "p1time 60000 p2time 9000 p1inc 500"),
        ("40/60", Limit(depth=3), "p1time 60000 p2time 9000 movestogo 40 depth 3"),
        ("5/move", Limit(), "movetime 4940"),
        ("5/move", Limit(seconds=2), "movetime 2000"),
        ("60+2delay", Limit(), "p1time 62000 p2time 9000 p1inc 2000"),
        ("0+10byoyomi", Limit(), "p1time 10000 p2time 9000 p1inc 10000"),
        ("", Limit(depth=3, nodes=9, seconds=0.5), "depth 3 nodes 9 movetime 500"),
        ("", Limit(), "movetime 1000"),
    ],
)
def test_time_sent_to_an_engine(words: str, limit: Limit, message: str) -> None:
    lines: list[str] = []
    listener: Any = SimpleNamespace(
        send=lambda line, deadline: lines.append(line), reset_answer_size=lambda: None
    )
    Ugi(listener).go(
        0, limit, Clock([parse_time_control(words), parse_time_control("9")]) if words else None, 0.0
    )
    assert lines == [f"go {message}"]


def test_bounds_do_not_replace_a_value() -> None:
    lines = iter(
        [
            "info depth 8 score cp 31 nodes 500 pv a1 b2",
            "info depth 9 score cp 99 lowerbound nodes 900 pv a1",
            "info nodes 1000",
            "info string score cp",
            "bestmove a1 ponder b2",
        ]
    )
    engine = Ugi(SimpleNamespace(receive=lambda deadline: next(lines)))
    assert engine.answer(0.0, lambda info: False) == "a1"
    assert engine.info == {"depth": 8, "value": 31, "nodes": 500, "pv": ["a1", "b2"]}


def test_info_lines() -> None:
    fields = parse_info("info depth 4 seldepth 9 multipv 1 score cp -107 lowerbound time 0 nodes 16 pv f1 b1")
    assert fields == {"depth": 4, "seldepth": 9, "value": -107, "time": 0, "nodes": 16, "pv": ["f1", "b1"]}
    assert parse_info("info multipv 2 score cp 3") == {}
    assert parse_info("info depth x score cp score mate nodes -3 string depth 4") == {}
    assert parse_info("info depth 5 currmove e2e4 score cp 99999999") == {"depth": 5, "value": MAX_EVAL}


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (WIN - 1, "mate 1"),
        (WIN - 3, "mate 2"),
        (2 - WIN, "mate -1"),
        (4 - WIN, "mate -2"),
        (17, "cp 17"),
        (0, "cp 0"),
    ],
)
def test_scores(scale: int, words: str) -> None:
    assert format_score(scale) == words
    kind, number = words.split()
    assert parse_score(kind, int(number)) == scale


@pytest.mark.parametrize(
    ("more", "clock", "seconds"),
    [
        ("", None, process.TIMEOUT),
        (",timeout=5", None, 5.0),
        (",timeout=5,time=2", None, 5.0),
        (",time=2", None, 2.5),  # and GRACE, as set above
        (",time=2", Clock([parse_time_control("9+1"), None], margin=0.5), 9.5),
        (",timeout=5", Clock([None, parse_time_control("9")], margin=0.5), 5.0),
    ],
)
def test_a_program_has_so_long_for_a_move(
    more: str, clock: Clock | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten seconds to get ready; for a move its clock, or its limit and grace period, or its timeout."""
    player = cast(ProcessPlayer, seats.player(f"ugi:sh,name=mock{more}", GAME))
    match = Match(GAME, [player, Last()], clock=clock)
    player.channel, player.match = cast(Any, SimpleNamespace(tail=[], close=lambda: None)), lambda: match
    log: list[Any] = []
    player.talk = cast(
        Any,
        SimpleNamespace(
            own_notation=False,
            limit=lambda seconds: seconds,
            prepare=lambda position, ends: log.append(ends - 100.0),
            is_pondering_on=lambda start, moves: False,
            pondering=False,
            position=lambda start, moves, ends: log.append(ends - 100.0),
            go=lambda seat, limit, clock, ends: log.extend([clock is not None, ends - 100.0]),
            answer=lambda ends, show: log.append(ends - 100.0),
            stop=lambda ends: log.append(ends - 100.0),
            can_stop=True,
        ),
    )
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: 100.0))
    with pytest.raises(Fault) as failed:
        player.choose(match)
    runs = clock is not None and clock.runs(0)
    assert log == [10.0, 10.0, runs, 10.0, seconds, 0.5]  # GRACE, as set above
    assert failed.value.kind == ("time_forfeit" if runs else "hang")
    end = ", nor when asked to stop, at the start"
    assert str(failed.value) == f"mock had not moved after {seconds:.3g} s{end}"


def test_overrun_of_a_program_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    player = talking_player("none")
    player.talk = cast(Any, SimpleNamespace(stop=lambda ends: "b2"))
    now = iter([100.0, 100.25])
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: next(now)))
    failed = player._missed_deadline(Match(GAME, [player, Last()]), True, 97.5, 100.0)
    words = "mock had not moved after 2.5 s, but did 250 ms later, when asked to stop, at the start"
    assert (str(failed), failed.kind) == (words, "time_forfeit") and player.channel is not None


WAITS = process.START_UP, process.PING, session.MAX_GRACE, process.QUERY, channel.TERMINATE_TIMEOUT


def test_timeouts_and_output_bounds_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert WAITS == (10.0, 10.0, 2.0, 1.0, 2.0)
    talk = channel.Channel(["sleep", "60"])
    now = [100.0]
    monkeypatch.setattr(
        channel, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: None)
    )
    waited: list[float] = []

    def pump(seconds: float) -> bool:
        waited.append(seconds)
        now[0] += seconds
        return False

    monkeypatch.setattr(talk, "_pump", pump)
    monkeypatch.setattr(talk, "exited", lambda: False)
    assert talk.receive(100.25) is None and waited == pytest.approx([0.1, 0.1, 0.05])
    assert talk.receive(now[0]) is None and len(waited) == 3, "nothing is read when the time is up"
    now[0] = 100.0
    talk._wait(0.035)
    assert waited[3:] == [0.01] * 4
    monkeypatch.setattr(talk, "send", lambda line, deadline: sent.append((line, deadline - now[0])))
    monkeypatch.setattr(talk, "_wait", waited.append)
    sent: list[tuple[str, float]] = []
    del waited[:]
    talk.close("quit")
    assert sent == [("quit", pytest.approx(0.1))] and waited == [0.5, 0.2, 0]  # TERMINATED, as set above
    assert talk.process.returncode == -signal.SIGTERM or talk.process.returncode == -signal.SIGKILL


def test_output_of_a_program_is_bounded() -> None:
    """A line by 64 KiB, an answer by 64 MiB, unread output by 1 MiB, errors by 50 lines."""
    talk = channel.Channel(["sleep", "60"])
    try:
        talk._receive_output(b"x" * 65536 + b"\n" + b"y" * 65536)
        assert talk.lines.pop() == b"x" * 65536 and talk.unread == 2 * 65536
        with pytest.raises(channel.Broken, match=r"^sent a line of more than 64 KiB$"):
            talk._receive_output(b"y")
        talk.rest, talk.answer_size = b"", 64 * 2**20 - 3
        talk._receive_output(b"abc")
        with pytest.raises(channel.Broken, match=r"^sent more than 64 MiB for one answer$") as error:
            talk._receive_output(b"d")
        assert error.value.kind == "protocol_error"
        talk.reset_answer_size()
        talk._receive_output(b"d\n")
        talk._receive_errors(b"a" * 600 + b"\n" + b"\n".join(b"%d" % number for number in range(60)))
        assert list(talk.tail) == [str(number) for number in range(9, 59)]
        talk._receive_errors(b"\nb" + b"c" * 600 + b"  \n")
        assert list(talk.tail)[-2:] == ["59", "b" + "c" * 499]
        talk._receive_errors(b"z" * 70000)
        assert talk.error_rest == b"z" * 65536
        for unread, kind in ((2**20, "hang"), (2**20 + 1, "protocol_error")):
            talk.unread = unread
            with pytest.raises(channel.Broken) as error:
                talk.send("x" * 1_000_000, time.monotonic() + 0.05)
            assert error.value.kind == kind
    finally:
        talk.close()


# -- with people --------------------------------------------------------------------------------


def test_engines_die_with_us(mark: str) -> None:
    """A killed process closes nothing: the kernel or the end of their input ends the engines."""
    program = (
        "import sys; from gameplay import registry\n"
        "from gameplay.matches.match import Match\nfrom gameplay.players import seats\n"
        "game = registry.game('tictactoe')\n"
        "players = [seats.player(sys.argv[1], game) for _ in range(2)]\n"
        "match = Match(game, players)\n"
        "for player in players: player.begin(match)\n"  # a start cannot be leashed in time
        "print('up', flush=True); match.play()"
    )
    spec = mock(mark, "hang@ply:0").spec
    ran = subprocess.Popen([sys.executable, "-c", program, spec], stdout=subprocess.PIPE)
    assert ran.stdout is not None and ran.stdout.readline() == b"up\n"
    assert len(marked_processes(mark)) >= 2  # it and its engine
    ran.kill()
    ran.wait()
    ran.stdout.close()
    assert are_gone(mark)


class ScriptedProtocol:
    """Replaces a program's protocol: it can be queried for results, and uses the game's notation."""

    answers_queries, own_notation, said = True, False, ""

    def __init__(self, result: str | None) -> None:
        self.result = result

    def position(self, start: str, moves: Any, ends: float) -> None:
        self.moves = moves

    def query(self, what: str, ends: float) -> str | None:
        if self.result == "broken":
            raise channel.Broken("crash", "died")
        return self.result

    def parse_move(self, position: Any, word: str) -> int:
        return int(position.parse(word))


def talking_player(result: str | None) -> ProcessPlayer:
    player = cast(ProcessPlayer, seats.player("ugi:sh,name=mock", GAME))
    player.channel, player.talk = cast(Any, object()), cast(Any, ScriptedProtocol(result))
    return player


ENDS = {
    "none": "a1",
    "p1win": "a1 b1 a2 b2 a3",
    "p2win": "a1 b1 a2 b2 c3 b3",
    "draw": "b2 a1 b1 b3 a3 c1 a2 c2 c3",
}


# -- what is made of it, without a program ---------------------------------------------------------


@pytest.mark.parametrize("known", ENDS)
def test_claimed_result_that_contradicts_the_rules_is_reported(known: str) -> None:
    match = Match(GAME, [Last(), Last()], "", ENDS[known].split())
    for result in (*ENDS, None, "broken"):
        message = ""
        if result in ENDS and result != known:
            message = f"mock claims that the result is '{result}', and by the rules it is '{known}'"
            message += f', after the moves "{ENDS[known]}"'
        assert talking_player(result).contradiction(match) == message
    for name, other in (("channel", None), ("talk", SimpleNamespace(answers_queries=False))):
        silent = talking_player("nonsense")
        setattr(silent, name, other)
        assert silent.contradiction(match) == ""


@pytest.mark.parametrize(
    ("info", "move", "message"),
    [
        ({"depth": 3}, None, None),
        ({"value": 7}, None, Report(value=7)),
        ({"value": -7, "pv": ["b2", "b3"]}, None, Report(move=4, value=-7, pv=(4, 7))),
        ({"value": 1, "pv": ["b2", "a1", "c1"]}, None, Report(move=4, value=1, pv=(4,))),  # a1 is taken
        ({"value": 1, "pv": ["b2", "b3", "c2", "c1"]}, None, Report(move=4, value=1, pv=(4, 7, 5, 2))),
        (
            {"value": 1, "pv": ["a3", "c1", "c3"]},  # over after the first
            8,
            Report(move=8, value=1, pv=(6,), final=True),
        ),
        (
            {"value": 2, "depth": 3, "seldepth": 5, "nodes": 99, "hashfull": 421},
            8,
            Report(move=8, value=2, depth=3, seldepth=5, nodes=99, fill=0.421, final=True),
        ),
        ({"value": 2, "hashfull": 1001}, None, Report(value=2, fill=1.0)),
    ],
)
def test_info_of_a_program_becomes_a_report(
    info: dict[str, Any], move: int | None, message: Report | None
) -> None:
    match = Match(GAME, [Last(), Last()], "", ["a1", "b1", "a2", "c2"] if "a3" in str(info) else ["a1"])
    player = talking_player("none")
    report = player._report(match, cast(Any, info), 0.5, move)
    assert report == (message and structs.replace(message, seconds=0.5, engine=player.spec))


def test_program_is_reused_only_after_a_healthy_game() -> None:
    seat = job.Seat("ugi:sh,name=mock", "mock", 1)
    player = talking_player("none")
    player.channel = None
    try:
        job._release(seat, "tictactoe", player, healthy=True)
        other = job.Seat("ugi:sh,name=mock", "mock", 2)
        assert job._player(other, GAME, 0, 9.0) is player, "programs never see the seed"
        job._release(seat, "tictactoe", player, healthy=False)
        assert job._player(other, GAME, 0, 9.0) is not player
    finally:
        job.close()


def test_program_move_reports_its_search_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([100.0, 200.0, 203.5])  # ready, begun, answered
    deadlines: list[float] = []

    def answer(deadline: float, show: Any) -> str:
        deadlines.append(deadline)
        return "b2"

    player = talking_player("none")
    match = Match(GAME, [player, Last()])
    player.match = lambda: match

    def nothing(*words):
        return None

    player.talk = cast(
        Any,
        SimpleNamespace(
            own_notation=False, limit=lambda seconds: seconds, prepare=nothing, position=nothing, go=nothing,
            is_pondering_on=nothing, pondering=False, answer=answer, info={"value": 9},
            resigns=lambda word: False,
        claims_draw=lambda word: False, parse_move=lambda position, word: position.parse(word),
        ),
    )  # fmt: skip
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: next(now)))
    choice = player.choose(match)
    assert choice is not None and choice.report is not None
    assert (choice.move, choice.report.seconds, choice.report.value) == (4, 3.5, 9)
    assert deadlines == [200.0 + process.TIMEOUT]
