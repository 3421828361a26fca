"""Engines in processes that fail: each fault is named, costs one game and leaves nothing behind."""

import resource
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gameplay.errors import BadInput, Fault
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import channel
from tests.support.programs import (
    GAME,
    MOCK,
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


def test_missing_program_is_reported_before_the_game(tmp_path: Path) -> None:  # 1
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
    assert play_to_fault(player).kind == "start"


def test_silent_program_times_out_at_the_handshake(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:  # 2
    monkeypatch.setattr(process, "START_UP", 0.3)
    failed = play_to_fault(mock(mark, "mute"))
    assert failed.kind == "start" and "mock did not send 'ugiok' in time" in str(failed)


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
def test_exit_during_a_search_is_reported_at_once(
    case: str, words: str, protocol: str, mark: str
) -> None:  # 3
    # Noticed by anything but the death itself, at the end of the patience, it would be a hang.
    player = mock(mark, f"{case}@ply:2", protocol=protocol, options=",timeout=9999")
    failed = play_to_fault(player)
    assert failed.kind == "crash" and f"mock {words}, after the moves" in str(failed)
    assert 'after the moves "a1 c3"' in str(failed)
    assert are_gone(mark)
    assert play_to_fault(player).kind == "crash"  # it is started again, and dies again


def test_last_stderr_lines_are_reported(mark: str) -> None:  # 3
    failed = play_to_fault(mock(mark, "complain@ply:0"))
    assert failed.kind == "crash" and str(failed).endswith("its last words: complaint 199")
    assert failed.log == tuple(f"complaint {number}" for number in range(150, 200))


def test_exit_behind_a_shell_is_reported_at_once(mark: str) -> None:  # 3
    command = shlex.join([sys.executable, "-I", "-S", str(MOCK), "--mark", mark, "--fault", "hang@ply:0"])
    script = f"sleep 1000 & {command}; exit 7 # {mark}"
    player = ProcessPlayer(f"ugi:sh -c {shlex.quote(script)},name=shell,timeout=9999")
    match = Match(GAME, [player, Last()])
    player.begin(match)
    engine = [
        pid
        for pid in marked_processes(mark)
        if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(sys.executable.encode())
    ]
    assert engine
    subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {engine[0]}"])
    with pytest.raises(Fault, match="shell exited with status 7"):
        match.play()


def test_crash_at_every_new_game_is_reported_after_one_retry(mark: str) -> None:  # 4
    failed = play_to_fault(mock(mark, "dienew"))
    assert failed.kind == "crash" and "exited with status 4" in str(failed)


@pytest.mark.parametrize(("case", "obeys"), [("hang@ply:0", False), ("slow@ply:0", True)])
def test_program_that_exceeds_its_time_loses(case: str, obeys: bool, mark: str) -> None:  # 5
    player = mock(mark, case)
    match = play_match(player, Clock([parse_time_control("0.3"), parse_time_control("9")], margin=0.05))
    assert (match.payoffs, match.reason) == ((-1, 1), "time")
    assert "mock had not moved after 0.35 s" in match.note
    assert ("later, when asked to stop" in match.note) == obeys
    assert bool(marked_processes(mark)) == obeys  # who obeys may play on
    player.close()


def test_hang_without_a_clock_has_a_timeout(mark: str) -> None:  # 6
    for limit in (",depth=3", ",nodes=100"):
        failed = play_to_fault(mock(mark, "hang@ply:2", options=f"{limit},timeout=0.3"))
        assert failed.kind == "hang" and "mock had not moved after 0.3 s" in str(failed)


def test_hang_after_a_move_is_a_fault_of_that_game(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:  # 7
    monkeypatch.setattr(process, "PING", 1.0)
    match = Match(GAME, [mock(mark, "unready@ply:2"), Last()])
    with pytest.raises(Fault, match="did not send 'readyok' in time") as caught:
        match.play()
    assert (caught.value.kind, caught.value.seat) == ("hang", 0)
    assert match.words() == ["a1", "c3"]  # the moves stand


def test_program_ignoring_sigterm_is_killed_with_its_children(mark: str) -> None:  # 8
    failed = play_to_fault(mock(mark, "stubborn@ply:0", options=",timeout=0.3"))
    assert failed.kind == "hang"
    assert are_gone(mark)


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
def test_illegal_and_malformed_moves_are_faults(case: str, word: str, mark: str) -> None:  # 9
    player = mock(mark, case)
    failed = play_to_fault(player)
    assert failed.kind == "illegal_move" and f"mock answered '{word}' in " in str(failed)
    if case.endswith("2"):
        assert 'x../.../..o, after the moves "a1 c3"' in str(failed)
    player.close()


def test_late_move_loses_only_beyond_the_margin(mark: str) -> None:  # 10; the edge itself: test_clock.py
    player = mock(mark, "late@ply:0")
    inside = play_match(player, Clock([parse_time_control("0.1"), None], margin=5.0))
    assert inside.reason == "rules"
    outside = play_match(player, Clock([parse_time_control("0.1"), None]))
    assert outside.reason == "time"
    player.close()


def test_late_answer_is_discarded(mark: str) -> None:  # 11
    player = mock(mark, "late@ply:0")
    assert play_match(player, Clock([parse_time_control("0.05"), None])).reason == "time"
    match = Match(GAME, [player, Last()], moves=["a1", "c3"])
    match.play()
    assert match.words()[:3] == ["a1", "c3", "b1"]
    player.close()


@pytest.mark.parametrize("case", ["flood", "chatter"])
def test_excessive_output_is_a_fault_and_memory_stays_bounded(  # 12
    case: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "MAX_ANSWER", 8 * 1024 * 1024)
    play_match(mock(mark))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    failed = play_to_fault(mock(mark, f"{case}@ply:2"))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert failed.kind == "protocol_error"
    assert ("a line of more than 64 KiB" if case == "flood" else "more than 8 MiB") in str(failed)
    assert grown < (5 * 1024 if sys.platform != "darwin" else 5 * 1024**2)


def test_closed_input_of_a_program_is_a_crash(mark: str) -> None:  # 13
    failed = play_to_fault(mock(mark, "nostdin@ply:0"))
    assert failed.kind == "crash" and "mock closed its input" in str(failed)


@pytest.mark.parametrize(
    ("command", "kind", "patience"),
    [("sleep 9999", "hang", 0.3), ("yes", "protocol_error", 9999), ("true", "crash", 9999)],
)
def test_write_to_a_program_that_does_not_read_times_out(
    command: str, kind: str, patience: float
) -> None:  # 12, 13
    talk = channel.Channel(command.split())
    with pytest.raises(channel.Broken) as caught:
        talk.send("x" * 1_000_000, time.monotonic() + patience)
    assert caught.value.kind == kind
    talk.close()
    assert talk.exited()


def test_claims_of_a_program_change_no_result(mark: str) -> None:  # 14
    player = mock(mark, "claim")
    match = play_match(player)
    assert match.payoffs == (1, -1) and player.contradiction(match) == ""
    match.undo()
    message = player.contradiction(match)
    assert "mock claims that the result is 'p1win', and by the rules it is 'none'" in message
    player.close()


def test_program_scores_are_reported_unchanged(mark: str) -> None:  # 15
    match = play_match(mock(mark, "flip"))
    assert match.turns[0].report is not None and match.turns[0].report.value == -50


def test_start_fault_quotes_the_error_without_the_usage_hint() -> None:
    script = """echo "engine: no such option: --fast" >&2; echo "Try 'engine --help'." >&2; exit 2"""
    player = seats.player(f"ugi:{shlex.join(['sh', '-c', script])},name=mock", GAME)
    with pytest.raises(Fault, match=r"while starting; its last words: engine: no such option: --fast$"):
        play_match(player)
