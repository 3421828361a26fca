"""The keyboard between two questions, on a pseudo-terminal as standard input."""

import os
import select
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from gameplay.display.terminal import keyboard
from gameplay.display.terminal.keyboard import Keyboard, TypeAhead

termios = pytest.importorskip("termios")
pytestmark = pytest.mark.once

HANDLED = (signal.SIGINT, signal.SIGTSTP, signal.SIGCONT, signal.SIGTERM)


@pytest.fixture
def fingers() -> Iterator[int]:
    """The typing end of the terminal; standard input is the other end."""
    typed, read = os.openpty()
    before, handlers = os.dup(0), {number: signal.getsignal(number) for number in HANDLED}
    os.dup2(read, 0)
    try:
        yield typed
    finally:
        os.dup2(before, 0)
        for end in (typed, read, before):
            os.close(end)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def modes() -> tuple[bool, bool, bool]:
    """The echo, line and signal modes of the terminal."""
    local = termios.tcgetattr(0)[keyboard.LFLAG]
    return bool(local & termios.ECHO), bool(local & termios.ICANON), bool(local & termios.ISIG)


def acquire_keyboard(lines: list[str] | None = None) -> Keyboard:
    rows = [] if lines is None else lines
    keys = Keyboard(lambda: rows.append("away"), lambda: rows.append("back"))
    keys.acquire()
    return keys


def test_the_terminal_is_taken_lent_to_questions_and_given_back(fingers: int) -> None:
    results = [signal.getsignal(number) for number in HANDLED]
    whole = termios.tcgetattr(0)
    keys = Keyboard(lambda: None, lambda: None)
    keys.begin_prompt()
    keys.end_prompt()
    keys.release()
    assert modes() == (True, True, True), "nothing was taken"
    keys.interrupted = True
    keys.acquire()
    assert modes() == (False, False, True) and not keys.poll_interrupt()
    assert whole[keyboard.IFLAG] & termios.IXON and not termios.tcgetattr(0)[keyboard.IFLAG] & termios.IXON
    own = [signal.getsignal(number) for number in HANDLED]
    assert own == [keys._on_sigint, keys._on_sigtstp, keys._on_sigcont, keys._on_sigterm]
    keys.interrupted = True
    keys.acquire()
    assert keys.poll_interrupt() is True and keys.poll_interrupt() is False, "one key press is one event"
    assert keys.original_modes == whole
    keys.interrupted, keys.keys_read = True, "x"
    keys.begin_prompt()
    assert modes() == (False, False, False) and not keys.interrupted
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keys.ahead.feed("d4")
    keys.end_prompt()
    assert modes() == (False, False, True) and signal.getsignal(signal.SIGINT) == keys._on_sigint
    assert (keys.ahead.text, keys.keys_read) == ("", "")
    keys.release()
    assert termios.tcgetattr(0) == whole and keys.original_modes is None and not keys.handlers
    assert [signal.getsignal(number) for number in HANDLED] == results
    keys.release()


def test_keys_are_read_once(fingers: int) -> None:
    keys = acquire_keyboard()
    assert keys.read_keys() == ""
    os.write(fingers, b"p\x1b[A+")
    keys.wait(20)
    assert keys.read_keys() == "p\x1b+" and keys.read_keys() == ""
    os.write(fingers, b"d")
    keys.wait(20)
    assert keys.read_ahead().text == "d"
    os.write(fingers, "4\xe9".encode()[:2])  # half a character
    keys.wait(20)
    assert keys.read_ahead().text == "d4" and keys.keys_read == "d4"
    keys.release()
    os.write(fingers, b"x\n")
    assert keys.read_keys() == "" and keys.read_ahead() is keys.ahead and keys.keys_read == "d4"


def test_waiting_ends_at_its_timeout(fingers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    keys, waited = acquire_keyboard(), list[Any]()
    monkeypatch.setattr(keyboard.select, "select", lambda *how: waited.append(how))
    keys.wait(0.5)
    keys.wait(-1)
    assert waited == [([0], [], [], 0.5), ([0], [], [], 0.0)]
    keys.release()
    monkeypatch.setattr(keyboard.time, "sleep", waited.append)
    keys.wait(0.25)
    keys.wait(-1)
    assert waited[2:] == [0.25, 0.0]


def test_second_unhandled_ctrl_c_interrupts(fingers: int) -> None:
    keys = acquire_keyboard()
    os.kill(os.getpid(), signal.SIGINT)
    assert keys.poll_interrupt()
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    keys.release()


def test_suspend_restores_the_terminal_and_resume_takes_it_back(
    fingers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[Any] = []
    keys = acquire_keyboard(log)

    def kill(whom: int, number: int) -> None:
        handlers = [signal.getsignal(sequence) for sequence in HANDLED[1:3]]
        log.append((whom, number, modes(), handlers == [signal.SIG_DFL] * 2))

    monkeypatch.setattr(keyboard.os, "kill", kill)
    me = os.getpid()
    keys._disable(termios.ECHO)  # echo alone is off now
    keys.suspend()
    assert log == ["away", (0, signal.SIGTSTP, (True, True, True), True), "back"]
    assert modes() == (False, True, True)
    assert [signal.getsignal(sequence) for sequence in HANDLED[1:3]] == [keys._on_sigtstp, keys._on_sigcont]
    log.clear()
    keys._on_sigtstp(signal.SIGTSTP, None)
    assert log == ["away", (me, signal.SIGTSTP, (True, True, True), True), "back"]
    log.clear()
    termios.tcsetattr(0, termios.TCSANOW, keys.original_modes)  # as a shell may leave it
    keys._on_sigcont(signal.SIGCONT, None)
    assert log == ["back"] and modes() == (False, True, True)
    log.clear()
    with keys.defer_signals():
        keys._on_sigtstp(signal.SIGTSTP, None)
        assert log == []
    assert [entry if isinstance(entry, str) else entry[0] for entry in log] == ["away", me, "back"]
    log.clear()
    with keys.defer_signals():
        keys._on_sigcont(signal.SIGCONT, None)
        assert log == []
    assert log == ["back"]
    with keys.defer_signals():
        pass
    assert log == ["back"], "once"
    keys._on_sigcont(signal.SIGCONT, None)
    assert log == ["back", "back"], "nothing is drawn any more"
    termios.tcsetattr(0, termios.TCSANOW, keys.original_modes)
    keys.save_modes()
    keys._resume()
    assert modes() == (True, True, True)
    keys.release()
    log.clear()
    keys.suspend()
    keys.save_modes()
    keys._resume()
    assert log == []


def test_typed_input_can_be_discarded(fingers: int) -> None:
    whole = termios.tcgetattr(0)
    assert keyboard.discard_input() is False
    os.write(fingers, b"half a line")
    assert keyboard.discard_input() is True and keyboard.discard_input() is False
    assert termios.tcgetattr(0) == whole
    os.write(fingers, b"c2\n")
    select.select([0], [], [], 20)
    assert os.read(0, 99) == b"c2\n", "what comes later is read"


def test_non_terminal_streams_are_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    before, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        keys = acquire_keyboard()
        assert keys.original_modes is None and not keys.handlers and keyboard.discard_input() is False
        monkeypatch.setattr(keyboard, "termios", None)
        keys.acquire()
        assert keys.original_modes is None and keyboard.discard_input() is False
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(nothing)


@pytest.mark.parametrize(
    ("keys", "text", "entered"),
    [
        *((keys, "d4", True) for keys in ("d4\r", "Bb5\rd4\r", "d4\n\r")),
        ("d4\x15e4\n", "e4", True),
        *((keys, "d4", False) for keys in ("d4", "d5\x7f4", "d\t4\x01")),
        *((keys, "e", False) for keys in ("d4\r\x15e", "d4\re")),
        ("d4\ref", "ef", False),
        ("d4\r\x7f", "d", False),
        ("d\x084", "4", False),
        # An escape sequence of several characters is taken for Escape.
        *((keys, "", False) for keys in ("d4\x1b[A\x1bOC", "\x1b[31;4R\r", "\r", "d4\x1b")),
    ],
)
def test_a_line_typed_ahead(keys: str, text: str, entered: bool) -> None:
    ahead = TypeAhead()
    ahead.feed(keys)
    assert (ahead.text, ahead.entered) == (text, entered)
