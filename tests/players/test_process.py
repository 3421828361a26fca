"""Engines in processes of their own: each way to go wrong has its name, costs one game and leaves nothing."""

import gc
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.clock import Clock, control
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.players.player import Choice, Player
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import channel
from gameplay.protocols.uci import Ugi, info, score, value
from gameplay.runs import job
from gameplay.search import session
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.value import GUESS, WIN
from tests.support.paths import TESTS

MOCK = TESTS / "support" / "mock_engine.py"
GAME = registry.game("tictactoe")

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="counts processes in /proc"),
]


class Last(Player):
    """Plays the last legal move."""

    spec = name = "last"

    def choose(self, match: Match) -> Choice | None:
        return Choice(max(match.moves()))


def alive(mark: str) -> list[int]:
    """Processes that have `mark` in their command line; zombies have none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return [pid for pid in found if pid != os.getpid()]


def gone(mark: str) -> bool:
    """True if none of them is left, within the moment that a killed process needs to end."""
    ends = time.monotonic() + 60
    while alive(mark) and time.monotonic() < ends:
        time.sleep(0.01)
    return not alive(mark)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that a test can afford."""
    monkeypatch.setattr(session, "GRACE", 0.5)
    monkeypatch.setattr(process, "QUERY", 0.5)
    monkeypatch.setattr(channel, "TERMINATED", 0.2)


@pytest.fixture
def mark() -> Iterator[str]:
    """A word that marks the processes of this test, of which none may be left behind."""
    word = f"mark-{uuid4().hex}"
    yield word
    gc.collect()
    ended = gone(word)
    for pid in alive(word):
        os.kill(pid, signal.SIGKILL)
    assert ended


def mock(mark: str, *faults: str, protocol: str = "ugi", options: str = "") -> ProcessPlayer:
    command = [sys.executable, "-I", "-S", str(MOCK), "--mark", mark, "--protocol", protocol]
    for fault in faults:
        command += ["--fault", fault]
    spec = f"{protocol}:{shlex.join(command)},name=mock{options}"
    player = seats.player(spec, GAME)
    assert isinstance(player, ProcessPlayer)
    return player


def played(player: ProcessPlayer, clock: Clock | None = None) -> Match:
    match = Match(GAME, [player, Last()], clock=clock)
    match.play()
    return match


def fault(player: ProcessPlayer, clock: Clock | None = None) -> Fault:
    with pytest.raises(Fault) as caught:
        played(player, clock)
    assert caught.value.seat == 0
    return caught.value


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
    """A program that knows no rules, and keeps what it hears: it plays the last move that it is told of."""
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
        match = played(player)
        assert match.words() == ["a1", "c3", "b1", "b3", "c1"] and match.reason == "rules"
    assert len(alive(mark)) == 1
    player.close()
    assert gone(mark)
    report = match.turns[0].report
    if protocol == "gtp":
        assert report is None  # GTP tells nothing of the search
    else:
        assert report is not None and report.final and not report.exact
        assert (report.value, report.depth, report.seldepth, report.nodes, report.pv) == (50, 3, 4, 17, (0,))


def test_a_program_is_told_what_its_seat_may_see(tmp_path: Path) -> None:
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
    told = [f"view news {ply} {text}" for ply, turn in enumerate(match.turns, 1) for text in turn.news]
    assert set(news) <= set(told) and bool(news) == bool(told[:-4])


def test_clocks_of_many_are_told_by_seat() -> None:
    spec = str(TESTS / "examples" / "games" / "thrice.py")
    talk = Ugi(cast(Any, None))
    talk.prepare(registry.game(spec).new(), 0.0)
    assert (talk.times, talk.increments) == (("p1time", "p2time", "p3time"), ("p1inc", "p2inc", "p3inc"))


def test_moves_taken_back_and_openings_are_told(mark: str) -> None:
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
def test_odd_ways_that_do_no_harm(case: str, mark: str) -> None:
    player = mock(mark, case)
    match = played(player)
    assert match.words() == ["a1", "c3", "b1", "b3", "c1"]
    assert (match.turns[0].report is None) == (case == "noscore")  # no value is no value, not 0
    player.close()


def test_who_died_between_games_is_started_again(mark: str) -> None:
    player = mock(mark)
    played(player)
    os.kill(alive(mark)[0], signal.SIGKILL)
    assert played(player).reason == "rules"
    player.close()
    assert played(player).reason == "rules"  # also after it was closed
    player.close()


def test_options_and_limits_reach_the_engine(mark: str) -> None:
    player = mock(mark, options=",skill level=7,depth=4,nodes=500")
    assert player.limit == Limit(depth=4, nodes=500)
    played(player)
    assert player.channel is not None
    player.channel._pump(0.1)
    assert list(player.channel.tail) == ["setoption name Skill Level value 7"]
    player.close()
    wrong = fault(mock(mark, options=",Skil=7"))
    assert wrong.kind == "start" and "(there are: Skill Level)" in str(wrong)
    refused = fault(mock(mark, protocol="gtp", options=",boardsize=19"))
    assert refused.kind == "start" and "refuses 'boardsize 19': unacceptable size" in str(refused)


def test_gtp_may_resign_and_sets_nothing_up(mark: str) -> None:
    player = mock(mark, "none@ply:2", protocol="gtp")
    match = played(player)
    assert (match.payoffs, match.reason) == ((-1, 1), "resigned")
    with pytest.raises(Usage, match="no way to set a position up"):
        Match(GAME, [player, Last()], start="x.o/.../...").play()
    player.close()
    with pytest.raises(Usage, match="GTP has no word for depth"):
        mock(mark, protocol="gtp", options=",depth=4")


# -- faults, by the numbers of the catalogue ----------------------------------------------------


def test_a_missing_program_is_told_before_the_game(tmp_path: Path) -> None:  # 1
    with pytest.raises(BadInput, match="nowhere/engine: No such file or directory"):
        seats.player("ugi:nowhere/engine", GAME)
    with pytest.raises(BadInput, match="no-such-engine: No such file"):
        seats.player("uci:no-such-engine", GAME)
    text = tmp_path / "engine"
    text.write_text("#!/nowhere/sh\n")
    with pytest.raises(BadInput, match="engine: Permission denied"):
        seats.player(f"ugi:{text}", GAME)
    text.chmod(0o755)
    player = seats.player(f"ugi:{text}", GAME)
    assert isinstance(player, ProcessPlayer)
    assert fault(player).kind == "start"


def test_who_does_not_introduce_himself_is_not_waited_for(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # 2
    monkeypatch.setattr(process, "START_UP", 0.3)
    failed = fault(mock(mark, "mute"))
    assert failed.kind == "start" and "mock did not say 'ugiok' in time" in str(failed)


@pytest.mark.parametrize("protocol", ["ugi", "uci", "gtp"])
@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("exit", "exited with status 1"),
        ("segv", "was killed by SIGSEGV"),
        ("kill", "was killed by SIGKILL"),
        ("nostdout", "closed its output"),  # 13
    ],
)
def test_a_death_while_thinking_is_noticed_at_once(
    case: str, words: str, protocol: str, mark: str
) -> None:  # 3
    # Noticed by anything but the death itself, at the end of the patience, it would be a hang.
    player = mock(mark, f"{case}@ply:2", protocol=protocol, options=",timeout=9999")
    failed = fault(player)
    assert failed.kind == "crash" and f"mock {words}, after the moves" in str(failed)
    assert 'after the moves "a1 c3"' in str(failed)
    assert gone(mark)
    assert fault(player).kind == "crash"  # it is started again, and dies again


def test_the_last_words_are_kept(mark: str) -> None:  # 3
    failed = fault(mock(mark, "complain@ply:0"))
    assert failed.kind == "crash" and str(failed).endswith("its last words: complaint 199")
    assert failed.log == tuple(f"complaint {number}" for number in range(150, 200))


def test_a_death_behind_a_shell_is_noticed_too(mark: str) -> None:  # 3
    command = shlex.join([sys.executable, "-I", "-S", str(MOCK), "--mark", mark, "--fault", "hang@ply:0"])
    script = f"sleep 1000 & {command}; exit 7 # {mark}"
    player = ProcessPlayer(f"ugi:sh -c {shlex.quote(script)},name=shell,timeout=9999")
    match = Match(GAME, [player, Last()])
    player.begin(match)
    engine = [
        pid
        for pid in alive(mark)
        if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(sys.executable.encode())
    ]
    assert engine
    subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {engine[0]}"])
    with pytest.raises(Fault, match="shell exited with status 7"):
        match.play()


def test_a_death_at_every_new_game_is_told_after_one_more_try(mark: str) -> None:  # 4
    failed = fault(mock(mark, "dienew"))
    assert failed.kind == "crash" and "exited with status 4" in str(failed)


@pytest.mark.parametrize(("case", "obeys"), [("hang@ply:0", False), ("slow@ply:0", True)])
def test_time_runs_out(case: str, obeys: bool, mark: str) -> None:  # 5
    player = mock(mark, case)
    match = played(player, Clock([control("0.3"), control("9")], margin=0.05))
    assert (match.payoffs, match.reason) == ((-1, 1), "time")
    assert "mock had not moved after 0.35 s" in match.note
    assert ("later, when asked to stop" in match.note) == obeys
    assert bool(alive(mark)) == obeys  # who obeys may play on
    player.close()


def test_a_hang_without_a_clock_has_a_limit_too(mark: str) -> None:  # 6
    for limit in (",depth=3", ",nodes=100"):
        failed = fault(mock(mark, "hang@ply:2", options=f"{limit},timeout=0.3"))
        assert failed.kind == "hang" and "mock had not moved after 0.3 s" in str(failed)


def test_a_hang_after_a_move_costs_its_own_game(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:  # 7
    monkeypatch.setattr(process, "PING", 1.0)
    match = Match(GAME, [mock(mark, "unready@ply:2"), Last()])
    with pytest.raises(Fault, match="did not say 'readyok' in time") as caught:
        match.play()
    assert (caught.value.kind, caught.value.seat) == ("hang", 0)
    assert match.words() == ["a1", "c3"]  # the moves stand


def test_the_deaf_and_their_children_are_killed(mark: str) -> None:  # 8
    failed = fault(mock(mark, "stubborn@ply:0", options=",timeout=0.3"))
    assert failed.kind == "hang"
    assert gone(mark)


@pytest.mark.parametrize(
    ("case", "word"),
    [
        ("illegal@ply:2", "a1"),
        ("illegal@ply:0", "a9"),
        ("malformed@ply:2", ""),
        ("none@ply:2", "(none)"),
        ("null@ply:2", "0000"),
    ],
)
def test_moves_that_are_none(case: str, word: str, mark: str) -> None:  # 9
    player = mock(mark, case)
    failed = fault(player)
    assert failed.kind == "illegal_move" and f"mock answered '{word}' in " in str(failed)
    if case.endswith("2"):
        assert 'x../.../..o, after the moves "a1 c3"' in str(failed)
    player.close()


def test_late_inside_and_outside_the_margin(mark: str) -> None:  # 10; the edge itself: test_clock.py
    player = mock(mark, "late@ply:0")
    inside = played(player, Clock([control("0.1"), None], margin=5.0))
    assert inside.reason == "rules"
    outside = played(player, Clock([control("0.1"), None]))
    assert outside.reason == "time"
    player.close()


def test_a_late_answer_is_not_taken_for_the_next_one(mark: str) -> None:  # 11
    player = mock(mark, "late@ply:0")
    assert played(player, Clock([control("0.05"), None])).reason == "time"
    match = Match(GAME, [player, Last()], moves=["a1", "c3"])
    match.play()
    assert match.words()[:3] == ["a1", "c3", "b1"]
    player.close()


@pytest.mark.parametrize("case", ["flood", "chatter"])
def test_floods_end_the_game_and_fill_no_memory(  # 12
    case: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "FLOOD", 8 * 1024 * 1024)
    played(mock(mark))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    failed = fault(mock(mark, f"{case}@ply:2"))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert failed.kind == "protocol_error"
    assert ("a line of more than 64 KiB" if case == "flood" else "more than 8 MiB") in str(failed)
    assert grown < (5 * 1024 if sys.platform != "darwin" else 5 * 1024**2)


def test_a_closed_input_is_a_crash(mark: str) -> None:  # 13
    failed = fault(mock(mark, "nostdin@ply:0"))
    assert failed.kind == "crash" and "mock closed its input" in str(failed)


@pytest.mark.parametrize(
    ("command", "kind", "patience"),
    [("sleep 9999", "hang", 0.3), ("yes", "protocol_error", 9999), ("true", "crash", 9999)],
)
def test_who_does_not_read_blocks_nobody(command: str, kind: str, patience: float) -> None:  # 12, 13
    talk = channel.Channel(command.split())
    with pytest.raises(channel.Broken) as caught:
        talk.send("x" * 1_000_000, time.monotonic() + patience)
    assert caught.value.kind == kind
    talk.close()
    assert talk.exited()


def test_what_an_engine_believes_of_the_result_changes_nothing(mark: str) -> None:  # 14
    player = mock(mark, "claim")
    match = played(player)
    assert match.payoffs == (1, -1) and player.contradiction(match) == ""
    match.undo()
    told = player.contradiction(match)
    assert "mock says the result is 'p1win', and by the rules it is 'none'" in told
    player.close()


def test_scores_are_handed_on_as_they_are(mark: str) -> None:  # 15
    match = played(mock(mark, "flip"))
    assert match.turns[0].report is not None and match.turns[0].report.value == -50


# -- words --------------------------------------------------------------------------------------


def test_games_that_cannot_be_told(tmp_path: Path) -> None:
    games = TESTS / "examples" / "games"
    with pytest.raises(Usage, match="UCI does not support imperfect information, as Kuhn has"):
        seats.player("uci:sh", registry.game(str(games / "kuhn.py")))
    with pytest.raises(Usage, match="UCI is for two players, and Thrice has 3"):
        seats.player("uci:sh", registry.game(str(games / "thrice.py")))
    with pytest.raises(Usage, match="GTP has no word for chance"):
        seats.player("gtp:sh", registry.game(str(games / "pig.py")))
    seats.player("ugi:sh", registry.game(str(games / "pig.py")))
    hearts, deal = (
        registry.game("hearts"),
        "J95.K87.AQ4.T862 A73.QJ5.K962.974 KQ6.A642.T85.QJ3 T842.T93.J73.AK5",
    )
    with pytest.raises(Usage, match="a UGI start position would reveal what Hearts hides"):
        Match(hearts, [blind(tmp_path, "hearts"), *[Last()] * 3], deal).play()
    assert not (tmp_path / "heard").exists()


@pytest.mark.parametrize(
    ("words", "limit", "told"),
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
def test_what_an_engine_is_told_of_its_time(words: str, limit: Limit, told: str) -> None:
    said: list[str] = []
    listener: Any = SimpleNamespace(send=lambda line, deadline: said.append(line), listen_anew=lambda: None)
    Ugi(listener).go(0, limit, Clock([control(words), control("9")]) if words else None, 0.0)
    assert said == [f"go {told}"]


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
    engine = Ugi(SimpleNamespace(receive=lambda deadline: next(lines)))  # type: ignore[arg-type]
    assert engine.answer(0.0, lambda info: False) == "a1"
    assert engine.info == {"depth": 8, "value": 31, "nodes": 500, "pv": ["a1", "b2"]}


def test_info_lines() -> None:
    told = info("info depth 4 seldepth 9 multipv 1 score cp -107 lowerbound time 0 nodes 16 pv f1 b1")
    assert told == {"depth": 4, "seldepth": 9, "value": -107, "time": 0, "nodes": 16, "pv": ["f1", "b1"]}
    assert info("info multipv 2 score cp 3") == {}
    assert info("info depth x score cp score mate nodes -3 string depth 4") == {}
    assert info("info depth 5 currmove e2e4 score cp 99999999") == {"depth": 5, "value": GUESS}


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
    assert score(scale) == words
    kind, number = words.split()
    assert value(kind, int(number)) == scale


@pytest.mark.parametrize(
    ("more", "clock", "seconds"),
    [
        ("", None, process.TIMEOUT),
        (",timeout=5", None, 5.0),
        (",timeout=5,time=2", None, 5.0),
        (",time=2", None, 2.5),  # and GRACE, as set above
        (",time=2", Clock([control("9+1"), None], margin=0.5), 9.5),
        (",timeout=5", Clock([None, control("9")], margin=0.5), 5.0),
    ],
)
def test_a_program_has_so_long_for_a_move(
    more: str, clock: Clock | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten seconds to get ready; for a move what its clock allows, or its limit and grace, or its timeout."""
    player = cast(ProcessPlayer, seats.player(f"ugi:sh,name=mock{more}", GAME))
    match = Match(GAME, [player, Last()], clock=clock)
    player.channel, player.match = cast(Any, SimpleNamespace(tail=[], close=lambda: None)), lambda: match
    told: list[Any] = []
    player.talk = cast(
        Any,
        SimpleNamespace(
            own_words=False,
            limit=lambda seconds: seconds,
            prepare=lambda position, ends: told.append(ends - 100.0),
            position=lambda start, moves, ends: told.append(ends - 100.0),
            go=lambda seat, limit, clock, ends: told.extend([clock is not None, ends - 100.0]),
            answer=lambda ends, show: told.append(ends - 100.0),
            stop=lambda ends: told.append(ends - 100.0),
            stops=True,
        ),
    )
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: 100.0))
    with pytest.raises(Fault) as failed:
        player.choose(match)
    runs = clock is not None and clock.runs(0)
    assert told == [10.0, 10.0, runs, 10.0, seconds, 0.5]  # GRACE, as set above
    assert failed.value.kind == ("time_forfeit" if runs else "hang")
    end = ", nor when asked to stop, at the start"
    assert str(failed.value) == f"mock had not moved after {seconds:.3g} s{end}"


def test_how_late_a_program_obeyed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    player = spoken("none")
    player.talk = cast(Any, SimpleNamespace(stop=lambda ends: "b2"))
    now = iter([100.0, 100.25])
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: next(now)))
    failed = player._late(Match(GAME, [player, Last()]), True, 97.5, 100.0)
    words = "mock had not moved after 2.5 s, but did 250 ms later, when asked to stop, at the start"
    assert (str(failed), failed.kind) == (words, "time_forfeit") and player.channel is not None


WAITS = process.START_UP, process.PING, session.GRACE, process.QUERY, channel.TERMINATED


def test_how_long_a_program_is_waited_for_and_how_much_it_may_say(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_what_a_program_says_is_bounded() -> None:
    """A line by 64 KiB, an answer by 64 MiB, what comes while we talk by 1 MiB, complaints by 50 lines."""
    talk = channel.Channel(["sleep", "60"])
    try:
        talk._hear(b"x" * 65536 + b"\n" + b"y" * 65536)
        assert talk.lines.pop() == b"x" * 65536 and talk.unread == 2 * 65536
        with pytest.raises(channel.Broken, match=r"^sent a line of more than 64 KiB$"):
            talk._hear(b"y")
        talk.rest, talk.heard = b"", 64 * 2**20 - 3
        talk._hear(b"abc")
        with pytest.raises(channel.Broken, match=r"^sent more than 64 MiB for one answer$") as told:
            talk._hear(b"d")
        assert told.value.kind == "protocol_error"
        talk.listen_anew()
        talk._hear(b"d\n")
        talk._overhear(b"a" * 600 + b"\n" + b"\n".join(b"%d" % number for number in range(60)))
        assert list(talk.tail) == [str(number) for number in range(9, 59)]
        talk._overhear(b"\nb" + b"c" * 600 + b"  \n")
        assert list(talk.tail)[-2:] == ["59", "b" + "c" * 499]
        talk._overhear(b"z" * 70000)
        assert talk.complaint == b"z" * 65536
        for unread, kind in ((2**20, "hang"), (2**20 + 1, "protocol_error")):
            talk.unread = unread
            with pytest.raises(channel.Broken) as told:
                talk.send("x" * 1_000_000, time.monotonic() + 0.05)
            assert told.value.kind == kind
    finally:
        talk.close()


# -- with people --------------------------------------------------------------------------------


def test_engines_die_with_us(mark: str) -> None:
    """Killed, we cannot close anything: the kernel or the end of their input ends our engines."""
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
    assert len(alive(mark)) >= 2  # it and its engine
    ran.kill()
    ran.wait()
    ran.stdout.close()
    assert gone(mark)


# -- what is made of it, without a program ---------------------------------------------------------


class TraceStep:
    """Speaks for a program: it is asked for results, and understands the words of the game."""

    believes, own_words, said = True, False, ""

    def __init__(self, said: str | None) -> None:
        self.result = said

    def position(self, start: str, moves: Any, ends: float) -> None:
        self.moves = moves

    def query(self, what: str, ends: float) -> str | None:
        if self.result == "broken":
            raise channel.Broken("crash", "died")
        return self.result

    def understand(self, position: Any, word: str) -> int:
        return int(position.parse(word))


def spoken(said: str | None) -> ProcessPlayer:
    player = cast(ProcessPlayer, seats.player("ugi:sh,name=mock", GAME))
    player.channel, player.talk = cast(Any, object()), cast(Any, TraceStep(said))
    return player


ENDS = {
    "none": "a1",
    "p1win": "a1 b1 a2 b2 a3",
    "p2win": "a1 b1 a2 b2 c3 b3",
    "draw": "b2 a1 b1 b3 a3 c1 a2 c2 c3",
}


@pytest.mark.parametrize("known", ENDS)
def test_a_result_that_is_another_by_the_rules_is_told(known: str) -> None:
    match = Match(GAME, [Last(), Last()], "", ENDS[known].split())
    for said in (*ENDS, None, "broken"):
        told = ""
        if said in ENDS and said != known:
            told = f"mock says the result is '{said}', and by the rules it is '{known}'"
            told += f', after the moves "{ENDS[known]}"'
        assert spoken(said).contradiction(match) == told
    for name, other in (("channel", None), ("talk", SimpleNamespace(believes=False))):
        silent = spoken("nonsense")
        setattr(silent, name, other)
        assert silent.contradiction(match) == ""


@pytest.mark.parametrize(
    ("info", "move", "told"),
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
def test_what_a_program_says_of_its_search(
    info: dict[str, Any], move: int | None, told: Report | None
) -> None:
    match = Match(GAME, [Last(), Last()], "", ["a1", "b1", "a2", "c2"] if "a3" in str(info) else ["a1"])
    player = spoken("none")
    found = player._report(match, cast(Any, info), 0.5, move)
    assert found == (told and replace(told, seconds=0.5, engine=player.spec))


def test_a_program_that_did_well_plays_the_next_game_and_another_does_not() -> None:
    seat = job.Seat("ugi:sh,name=mock", "mock", 1)
    player = spoken("none")
    player.channel = None
    try:
        job._leave(seat, "tictactoe", player, fine=True)
        other = job.Seat("ugi:sh,name=mock", "mock", 2)
        assert job._player(other, GAME, 0, 9.0) is player, "programs never see the seed"
        job._leave(seat, "tictactoe", player, fine=False)
        assert job._player(other, GAME, 0, 9.0) is not player
    finally:
        job.close()


def test_a_move_tells_what_its_search_took_and_waits_no_longer_than_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([100.0, 200.0, 203.5])  # ready, begun, answered
    deadlines: list[float] = []

    def answer(deadline: float, show: Any) -> str:
        deadlines.append(deadline)
        return "b2"

    player = spoken("none")
    match = Match(GAME, [player, Last()])
    player.match = lambda: match
    nothing = lambda *words: None  # noqa: E731
    player.talk = cast(
        Any,
        SimpleNamespace(
            own_words=False, limit=lambda seconds: seconds, prepare=nothing, position=nothing, go=nothing,
            answer=answer, info={"value": 9},
            resigns=lambda word: False, understand=lambda position, word: position.parse(word),
        ),
    )  # fmt: skip
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: next(now)))
    choice = player.choose(match)
    assert choice is not None and choice.report is not None
    assert (choice.move, choice.report.seconds, choice.report.value) == (4, 3.5, 9)
    assert deadlines == [200.0 + process.TIMEOUT]
