"""Programs that think on the opponent's time, by UCI, xboard and Hub: their input, and faults."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.ponder import PonderListener
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import pondering
from gameplay.runs import job
from gameplay.runs.job import Job, Seat
from gameplay.specs import parse
from tests.support.paths import TESTS
from tests.support.programs import mark, marked_processes, short_timeouts

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

CHESS = registry.game("chess")
MATE = "f2f3 e7e5 g2g4 d8h4"  # the shortest game that mates
QUIET = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6"

assert mark and short_timeouts  # fixtures


def program(
    mark: str, line: str = QUIET, fault: str = "", log: Path | None = None, more: str = ",ponder=on"
) -> ProcessPlayer:
    return start_player(f"uci:{command(mark, line, fault, log)}{more}")


def command(mark: str, line: str, fault: str = "", log: Path | None = None, protocol: str = "uci") -> str:
    words = [sys.executable, "-I", "-S", str(TESTS / "support" / "mock_ponder.py"), "--mark", mark]
    words += ["--line", line, "--protocol", protocol, "--fault", fault]
    return shlex.join([*words, *(["--log", str(log)] if log else [])])


def start_player(spec: str, game: registry.Game = CHESS) -> ProcessPlayer:
    player = seats.player(spec, game)
    assert isinstance(player, ProcessPlayer)
    return player


def make_match(
    player: ProcessPlayer, script: str, game: registry.Game = CHESS, clock: Clock | None = None
) -> Match:
    """A match of the program in the first seat, which may ponder, against a script."""
    match = Match(game, [player, seats.player(f"script:{script}", game)], clock=clock)
    bell = PonderListener()
    bell.match = match
    match.listeners.append(bell)
    return match


def play_against(player: ProcessPlayer, script: str, clock: Clock | None = None) -> Match:
    """A match of the program, as White, and a script of Black's moves, which ends it."""
    match = make_match(player, script, clock=clock)
    with pytest.raises(Fault, match="before the game does"):
        match.play()
    player.close()
    return match


def search_commands(log: Path) -> list[str]:
    """The search commands sent to a program."""
    lines = log.read_text().splitlines()
    return [line for line in lines if line.startswith(("position", "go", "stop", "ponderhit"))]


def test_expected_reply_is_a_ponder_hit_and_others_start_a_search(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(mark, log=log, more=",ponder=on,time=2")
    match = play_against(player, "a6 h6")
    assert match.words() == ["a3", "a6", "b3", "h6", "c3"]
    assert [turn.report is not None for turn in match.turns] == [True, False, True, False, True]
    assert search_commands(log) == [
        *("position startpos", "go movetime 2000"),
        *("position startpos moves a2a3 a7a6", "go ponder movetime 2000", "ponderhit"),
        *("position startpos moves a2a3 a7a6 b2b3 b7b6", "go ponder movetime 2000", "stop"),
        *("position startpos moves a2a3 a7a6 b2b3 h7h6", "go movetime 2000"),
        *("position startpos moves a2a3 a7a6 b2b3 h7h6 c2c3 c7c6", "go ponder movetime 2000"),
    ]
    assert "setoption name Ponder value true" in log.read_text().splitlines()


@pytest.mark.parametrize("fault", ["silent", "illegal"])
def test_a_program_without_a_legal_reply_does_not_ponder(mark: str, tmp_path: Path, fault: str) -> None:
    log = tmp_path / "log"
    play_against(program(mark, fault=fault, log=log), "a6 b6")
    assert not [line for line in search_commands(log) if "ponder" in line]


def test_without_the_option_nothing_ponders(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    play_against(program(mark, log=log, more=""), "a6 b6")
    assert "onder" not in log.read_text()


def test_an_early_answer_serves_a_hit_and_no_other_position(
    mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pondering, "ANSWER_POLL", 30.0)  # the reply is immediate, the answer may take longer
    log = tmp_path / "log"
    match = play_against(program(mark, fault="early", log=log), "a6 h6")
    assert match.words() == ["a3", "a6", "b3", "h6", "c3"]
    assert not [line for line in search_commands(log) if line in ("stop", "ponderhit")]


def test_time_counts_from_the_hit(mark: str) -> None:
    """The clock of a program that takes 0.25 s after each hit and none before."""
    clock = Clock([parse_time_control("60"), None])
    match = play_against(program(mark, fault="late"), "a6 b6", clock)
    spent = [turn.seconds or 0.0 for turn in match.turns[::2]]
    assert spent[1] >= 0.25 and spent[2] >= 0.25
    assert clock.remaining(0) == pytest.approx(60 - sum(spent), abs=0.01)


def test_the_clocks_are_sent_when_it_ponders(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    play_against(program(mark, log=log), "a6", Clock([parse_time_control("60+2"), parse_time_control("30")]))
    (line,) = [line for line in search_commands(log) if line.startswith("go ponder")][:1]
    words = line.split()
    assert 60_000 < int(words[words.index("wtime") + 1]) <= 62_000  # with the increment of 2 s
    assert words[words.index("btime") + 1] == "30000" and words[words.index("winc") + 1] == "2000"


@pytest.mark.parametrize(
    ("fault", "reply", "kind", "words"),
    [
        ("deaf", "h6", "hang", "did not stop pondering when asked to"),
        ("deaf", "a6", "hang", "had not moved after 0.3 s, nor when asked to stop"),
        ("late", "a6", "hang", "had not moved after 0.1 s, but did"),
        *(("dies", reply, "crash", "exited with status 1") for reply in ("a6", "h6")),
    ],
)
def test_fault_while_pondering_is_attributed_to_the_player(
    mark: str, fault: str, reply: str, kind: str, words: str
) -> None:
    timeout = "0.1" if fault == "late" else "0.3"
    player = program(mark, fault=fault, more=f",ponder=on,timeout={timeout},name=mock")
    match = make_match(player, reply)
    with pytest.raises(Fault, match=words) as caught:
        match.play()
    assert (caught.value.kind, caught.value.seat) == (kind, 0)
    player.close()


@pytest.mark.parametrize("fault", ["", "deaf", "dies", "early"])
def test_pondering_stops_before_the_next_game(mark: str, fault: str) -> None:
    """Its opponent resigns while it ponders; then the same program plays another game."""
    player = program(mark, fault=fault, more=",ponder=on,timeout=5")
    for _ in range(2):
        match = make_match(player, "a6")
        player.begin(match)
        match.step()
        match.resign(1)
        player.stop_pondering()
        assert match.words() == ["a3"]
        assert player.channel is None or not player.talk.pondering
    player.close()


def test_undoing_a_move_stops_pondering(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(mark, log=log)
    match = make_match(player, "a6")
    match.step()
    assert player.talk.pondering
    match.undo()
    assert search_commands(log)[-1] == "stop" and not player.talk.pondering
    player.close()


def test_a_program_that_cannot_ponder_is_refused(mark: str) -> None:
    with pytest.raises(Fault, match=r"has no option Ponder\. Try: without ponder=on") as caught:
        make_match(program(mark, fault="unable"), "a6").step()
    assert caught.value.kind == "start"
    play_against(program(mark, fault="unable", more=""), "a6")


def test_no_pondering_if_the_expected_reply_ends_the_game(mark: str, tmp_path: Path) -> None:
    """The expected reply would end the game."""
    log = tmp_path / "log"
    player = program(mark, line=MATE, log=log)
    match = make_match(player, "e5 Qh4")
    match.play()
    assert match.payoffs == (-1, 1)
    assert len([line for line in search_commands(log) if "go ponder" in line]) == 1
    player.close()


def test_hub(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    game = registry.game("checkers")
    text = command(mark, "11-15 22-18 15x22x18 25x18x22", log=log, protocol="hub")
    player = start_player(f"hub:{text},ponder=on,time=2", game)
    for reply, last in (("22-18", "ponder-hit"), ("24-20", "stop")):
        match = make_match(player, reply, game)
        for _ in range(2):
            match.step()
        log.write_text("")
        if reply == "22-18":
            match.step()
            assert match.words() == ["11-15", "22-18", "15x22"]
        player.stop_pondering()
        assert last in log.read_text().splitlines()
    player.close()


@pytest.mark.parametrize("like", ["fairymax", "phalanx", "fischer", "old"])
def test_xboard_engines_stay_out_of_force_mode(
    mark: str, tmp_path: Path, like: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if like == "old":  # it sends no features; the others do, however late on a busy machine
        monkeypatch.setattr("gameplay.protocols.xboard.FEATURE_TIMEOUT", 0.25)
    log = tmp_path / "log"
    words = [sys.executable, "-I", "-S", str(TESTS / "support" / "mock_xboard.py"), "--mark", mark]
    words += ["--like", like, "--line", QUIET, "--log", str(log)]
    player = start_player(f"xboard:{shlex.join(words)},ponder=on")
    match = play_against(player, "a6 h6", Clock([parse_time_control("60"), parse_time_control("60")]))
    assert match.words() == ["a3", "a6", "b3", "h6", "c3"]
    lines = [line for line in log.read_text().splitlines() if line.split()[0] not in ("ping", "time", "otim")]
    replies = [f"usermove {word}" if like == "fischer" else word for word in ("a7a6", "h7h6")]
    assert "hard" in lines and "easy" not in lines
    assert lines[lines.index("go") :] == ["go", *replies, "quit"]


def test_pondering_stops_after_a_game_of_a_run(mark: str, tmp_path: Path) -> None:
    """The pondering of one game of a match does not reach the next, and both are played."""
    log = tmp_path / "log"
    text = f"uci:{command(mark, MATE, log=log)},ponder=on"
    table = (Seat("script:f3 g4", "script", 0), Seat(text, "mock", 0))
    for leg in range(2):
        result = job.play(Job(pair=0, leg=leg, attempt=1, game="chess", seats=table, seed=1))
        assert (result.termination, result.payoffs) == ("rules", (-1, 1))
    job.close()
    assert search_commands(log).count("ponderhit") == 2 and not marked_processes(mark)
    assert job.is_timed(Job(pair=0, leg=0, attempt=1, game="chess", seats=table, seed=1))


def test_ponder_option_is_part_of_the_spec() -> None:
    assert str(parse("uci:sh,ponder=yes,Ponder=true")) == "uci:sh,ponder=on,Ponder=true"
    assert str(parse("uci:sh,ponder=off,option.ponder=2")) == "uci:sh,option.ponder=2"
    for text, words in (
        ("uci:sh,ponder=maybe", "ponder must be on or off, not 'maybe'"),
        ("gtp:sh,ponder=on", "ponder=on is for uci, xboard, hub; leave it out"),
    ):
        with pytest.raises(Usage, match=words):
            parse(text)
