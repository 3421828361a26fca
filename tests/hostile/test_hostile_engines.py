"""Programs that break a protocol: one clear line, no hang, nothing for the terminal."""

import os
import shlex
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Fault
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.protocols import channel
from gameplay.protocols.nboard import _parse_whole
from gameplay.search import session
from gameplay.search.limit import MAX_LIMIT, numeral
from gameplay.visible import visible
from tests.support.commands import run_printed
from tests.support.escapes import ATTACK, COLOUR, run_harmless, unsafe_characters

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

ENGINE = Path(__file__).parent / "hostile_engine.py"
GAMES = {
    "uci": "tictactoe",
    "ugi": "tictactoe",
    "xboard": "chess",
    "gtp": "tictactoe",
    "nboard": "othello",
    "hub": "checkers",
    "katago": "go:size=5",
}
FIRST = {"uci": "a1", "ugi": "a1", "xboard": "e4", "gtp": "a1", "nboard": "d3", "hub": "9-13", "katago": "C3"}
ONE = ("xboard", "nboard", "hub", "katago")  # they know the first move only
EVERY = tuple(GAMES)
MUTE = ("silent", "deaf", "stdin")  # end by the time limit; others have time on a busy machine
STOPPED = "had not moved after 0.2 s, nor when asked to stop, at the start"


def spec(protocol: str, behaviour: str, options: str | None = None, text: str = ATTACK) -> str:
    """The spec of a program with this protocol and behaviour."""
    if options is None:
        options = f",name=it,timeout={0.2 if behaviour in MUTE else 20}"
    command = [sys.executable, "-I", "-S", str(ENGINE), protocol, behaviour, text]
    return f"{protocol}:{shlex.join(command)}{options}"


@pytest.fixture(autouse=True)
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timeouts and sizes that a test can afford."""
    monkeypatch.setattr(session, "MAX_GRACE", 0.3)
    monkeypatch.setattr(session, "MIN_GRACE", 0.3)
    monkeypatch.setattr(channel, "TERMINATE_TIMEOUT", 0.2)
    monkeypatch.setattr(channel, "MAX_ANSWER", 2**20)


def play_plies(protocol: str, behaviour: str, plies: int = 3) -> Match:
    """A match of the program against random moves, after `plies` plies."""
    game = registry.game(GAMES[protocol])
    player = seats.player(spec(protocol, behaviour), game)
    assert isinstance(player, process.ProcessPlayer)
    match = Match(game, [player, seats.player("random", game, 1)])
    try:
        for _ in range(plies):
            match.step()
    finally:
        player.close()
    return match


FAULTS = {
    "error": ("crash", f"exited with status 3, at the start; its last words: {visible(ATTACK)}"),
    "move": ("illegal_move", f"answered '{visible(ATTACK)}' in "),
    "bytes": ("illegal_move", "answered '\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffd' in "),
    "long": ("illegal_move", f"answered '{'a' * 60}... (60,000 characters)' in "),
    "endless": ("protocol_error", "sent a line of more than 64 KiB, at the start"),
    "lines": ("", ""),
    "flood": ("", ""),
    "greet": ("start", "sent more than 1 MiB for one answer, while starting"),
    "silent": ("hang", STOPPED),
    "deaf": ("hang", STOPPED),
    "exit": ("crash", "exited with status 0, at the start"),
    "start": ("start", "exited with status 4, while starting"),
    "stdin": ("hang", STOPPED),
    "stdout": ("crash", "closed its output, at the start"),
}


# UGI shares its code with UCI.
@pytest.mark.parametrize("protocol", ["uci", "xboard", "gtp", "nboard", "hub", "katago"])
@pytest.mark.parametrize("behaviour", FAULTS)
def test_hostile_engine_has_one_fault_in_one_line(protocol: str, behaviour: str) -> None:
    began = time.monotonic()
    with pytest.raises(Fault) as caught:
        play_plies(protocol, behaviour)
    fault, text = caught.value, str(caught.value)
    kind, words = FAULTS[behaviour]
    if protocol == "gtp":  # which has no word to stop a search
        words = words.replace(", nor when asked to stop", "")
    if protocol == "katago":  # the start of Go has no words, and lines are long
        words = words.replace("' in ", "', at the start").replace("64 KiB", "1024 KiB").replace("\ufffd", "?")
    if not kind:  # the limit of bytes or that of time, whichever comes first
        assert fault.kind in ("protocol_error", "hang"), text
        words = "sent more than 1 MiB for one answer" if fault.kind == "protocol_error" else "had not moved"
    else:
        assert fault.kind == kind, text
    assert text.startswith(f"it {words}"), text
    assert "\n" not in text and len(text) < 350, text
    assert time.monotonic() - began < 55  # none of it waits for a minute


@pytest.mark.parametrize("protocol", ["uci", "ugi", "gtp"])
def test_cell_that_is_taken_is_an_illegal_move(protocol: str) -> None:
    with pytest.raises(Fault, match=r"^it answered 'a1' in x\S+, after the moves \"a1 ..\": ") as caught:
        play_plies(protocol, "illegal")
    assert caught.value.kind == "illegal_move"


def test_square_that_cannot_be_taken_is_an_illegal_move() -> None:
    with pytest.raises(Fault, match=r"^it answered 'A1' in \S+ X, at the start: ") as caught:
        play_plies("nboard", "illegal")
    assert caught.value.kind == "illegal_move"


def test_refusal_of_a_move_is_quoted() -> None:
    with pytest.raises(Fault) as caught:
        play_plies("gtp", "refuse")
    assert caught.value.kind == "protocol_error"
    assert str(caught.value) == f"it refused 'genmove black': {visible(ATTACK)}, at the start"


@pytest.mark.parametrize("protocol", EVERY)
@pytest.mark.parametrize("behaviour", ["none", "name", "info", "numbers", "pieces"])
def test_odd_output_around_a_legal_move_does_no_harm(protocol: str, behaviour: str) -> None:
    match = play_plies(protocol, behaviour, 1)
    assert match.words() == [FIRST[protocol]]
    report = match.turns[0].report
    if protocol == "katago":
        assert report is not None and report.pv == (match.turns[0].move,) and 0 <= report.visits <= MAX_LIMIT
        return
    if (
        protocol == "gtp"
        or behaviour not in ("info", "numbers")
        or (protocol, behaviour) in (("nboard", "info"), ("hub", "numbers"), ("xboard", "numbers"))
    ):
        assert report is None
        return
    assert report is not None
    assert 0 <= report.nodes <= MAX_LIMIT and 0 <= report.depth <= 255
    if behaviour == "info":
        assert report.pv == (match.turns[0].move,)


@pytest.mark.parametrize("protocol", EVERY)
def test_answers_after_the_move_and_the_end_are_dropped(protocol: str) -> None:
    match = play_plies(protocol, "after", 1)
    assert match.words() == [FIRST[protocol]]
    if protocol not in ONE:
        match = play_plies(protocol, "after")
        taken = {match.words()[1]}
        assert match.words()[2] == next(cell for cell in ("b1", "c1") if cell not in taken)


def test_numbers_of_other_programs_are_bounded() -> None:
    assert [_parse_whole(text) for text in ("7", "2.5", "1e300", "-4", "nan", "inf", "")] == [
        7,
        2,
        MAX_LIMIT,
        0,
        0,
        0,
        0,
    ]
    assert [numeral(text) for text in ("0", "12", "007", "9" * 5000, "0" * 5000 + "3")] == [
        0,
        12,
        7,
        MAX_LIMIT,
        3,
    ]
    assert [numeral(text) for text in ("", "-1", "1.5", "²", "٣", " 1")] == [None] * 6


# -- at the terminal --------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["uci", "xboard", "gtp", "nboard", "hub", "katago"])
def test_no_control_of_an_engine_reaches_a_report(
    protocol: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its moves, last output, name and search output, in a match and all displays."""
    limit = ["--depth", "1"] if protocol == "nboard" else ["--time", "1"]
    words = ["--game", GAMES[protocol], "--games", "2", "--jobs", "1"]
    plain = "name=other" if protocol == "nboard" else "name=other,timeout=9"
    engines = [spec(protocol, "move", ",name=it"), spec(protocol, "error", f",{plain}")]
    status, shown = run_harmless(capsys, "match", *engines, *words, *limit)
    assert status == 0 and "1 illegal move" in shown and "1 crash" in shown, shown
    page = tmp_path / "run.html"
    assert run_harmless(capsys, "report", "last", "--html", str(page))[0] == 0
    status, shown = run_harmless(capsys, "status", "last")
    assert status == 0
    assert f"it answered '{visible(ATTACK)}'" in shown
    assert f"its last words: {visible(ATTACK)}" in shown
    assert unsafe_characters(page.read_text()) == []
    players = f"{spec(protocol, 'info')},random"
    status, shown = run_harmless(capsys, "play", GAMES[protocol], "--players", players, "--plain")
    assert status == (5 if protocol in ONE else 0), shown


@pytest.mark.parametrize("protocol", EVERY)
def test_fault_in_a_game_with_people_is_one_line(protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = f"{spec(protocol, 'move')},random"
    status, out, err = run_printed(capsys, "play", GAMES[protocol], "--players", players, "--plain")
    assert status == 5 and unsafe_characters(out + err) == []
    where = ", at the start" if protocol == "katago" else " in "
    assert err.startswith(f"gameplay: it answered '{visible(ATTACK)}'{where}") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("protocol", "what"), [("uci", "cannot be configured: unknown option"), ("gtp", "refuses 'Foo 3'")]
)
def test_refusal_of_an_option_is_one_line(
    protocol: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    players = f"{spec(protocol, 'name', ',Foo=3,name=it')},random"
    status, out, err = run_printed(capsys, "play", "tictactoe", "--players", players, "--plain")
    assert status == 5 and unsafe_characters(out + err) == []
    assert err.startswith(f"gameplay: it {what}") and err.count("\n") == 1 and visible(ATTACK) in err


def test_engine_at_a_terminal_changes_neither_title_nor_colours() -> None:
    pyte, pexpect = pytest.importorskip("pyte"), pytest.importorskip("pexpect")
    players = f"{spec('gtp', 'refuse')},random"
    child = pexpect.spawn(
        sys.executable,
        ["-m", "gameplay", "play", "tictactoe", "--players", players],
        dimensions=(40, 140),
        env=os.environ | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONUTF8": "1"},
        encoding="utf-8",
        timeout=45,
    )
    child.expect(pexpect.EOF)
    shown = pyte.Screen(140, 40)
    pyte.Stream(shown).feed(child.before)
    child.wait()
    child.close()
    assert child.exitstatus == 5 and COLOUR not in child.before and shown.title == ""
    assert any(f"refused 'genmove black': {visible(ATTACK)}" in line for line in shown.display)


# -- programs that ours answers -----------------------------------------------------------------------------

SERVERS = {
    "uci": ([], "isready", "readyok", "position fen|position startpos moves|setoption name|go depth|"),
    "ugi": (
        ["tictactoe"],
        "isready",
        "readyok",
        "position fen|position startpos moves|setoption name|query|go depth|",
    ),
    "gtp": (
        ["tictactoe"],
        "9 protocol_version",
        "=9 2",
        "play|play black|boardsize|genmove|time_settings|time_left b|",
    ),
    "nboard": ([], "ping 7", "pong 7", "set game|set depth|move|hint|"),
    "katago": (
        [],
        '{"id": "p", "action": "clear_cache"}',
        '{"id": "p", "action": "clear_cache"}',
        '{"id": "a", "moves": |{"id": "a", "action": |{"id": |[[[[|',
    ),
    "xboard": ([], "ping 7", "pong 7", "usermove|setboard|level|st|option|memory|time|variant|"),
    "hub": ([], "ping", "pong", "pos pos=|pos moves=|set-param name=|level depth=|go|"),
}
NONSENSE = (
    ATTACK.encode(),
    b"\xff\xfe\xc3(",
    b"9" * 5000,
    b"-1",
    b"nan",
    b"\0",
    b'"',
    b"x " * 3000,
    b"a" * 60000,
)


@pytest.mark.parametrize("protocol", SERVERS)
def test_server_answers_malformed_input_in_short_lines(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, question, answer, words = SERVERS[protocol]
    lines = [
        word.encode() + gap + text + b"\n"
        for word in words.split("|")
        for text in NONSENSE
        for gap in (b" ", b"")
    ]
    file = tmp_path / "input"
    file.write_bytes(
        b"".join(lines) + b"\n" * 10**4 + b"z" * 42 * 10**5 + b"\n" + f"{question}\nquit\n".encode()
    )
    with file.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=stream.fileno, isatty=lambda: False))
        status, out, err = run_printed(capsys, protocol, *arguments, "--engine", "alphabeta:depth=1")
    assert (status, err) == (0, "") and unsafe_characters(out) == []
    answered = [line for line in out.splitlines() if line]
    assert answer in answered and len(answered) > len(lines) / 4
    plain = [line.removeprefix("Error (") if protocol == "xboard" else line for line in answered]
    assert max(map(len, answered)) < 600 and not any("Error" in line for line in plain)


@pytest.mark.parametrize("protocol", SERVERS)
def test_server_ends_with_its_input(
    protocol: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments: list[Any] = SERVERS[protocol][0]
    with open(os.devnull, "rb") as stream:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=stream.fileno, isatty=lambda: False))
        assert run_printed(capsys, protocol, *arguments) == (0, "", "")
