"""A game may raise any exception; the process that plays it continues and still receives Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.errors import Fault
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.usercode import fence as fences
from gameplay.usercode.fence import FORBIDDEN_CALLS, Forbidden, _targets_this_process, fence, is_user_error
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

STICKS = (TESTS / "examples" / "games" / "sticks.py").read_text()
posix = pytest.mark.skipif(os.name != "posix", reason="what a process of POSIX can do to itself")

DEEDS = [
    ("os._exit(0)", "_exit", "end"),
    ("os.abort()", "abort", "end"),
    ("os.fork()", "fork", "copy"),
    ("os.forkpty()", "forkpty", "copy"),
    ("import pty; pty.fork()", "forkpty", "copy"),
    ("import multiprocessing as m; m.get_context('fork').Process(target=print).start()", "fork", "copy"),
    ("os.execlp('true', 'true')", "execv", "replace"),
    ("os.execve('/bin/true', ['true'], {})", "execve", "replace"),
    ("os.kill(os.getpid(), 9)", "kill", "kill"),
    ("os.kill(0, 15)", "kill", "kill"),
    ("os.killpg(0, 9)", "killpg", "kill"),
    ("import signal; signal.raise_signal(9)", "raise_signal", "kill"),
    ("import posix; posix._exit(0)", "_exit", "end"),
]


def sticks(folder: Path, deed: str, at: str = "if self.sticks == 5: ") -> str:
    """A game that affects its process when five sticks are left."""
    file = folder / "sticks.py"
    old = "        self.sticks -= move\n"
    assert old in STICKS
    file.write_text("import os\n" + STICKS.replace(old, f"{old}        {at}{deed}\n"))
    return str(file)


def program(*words: str, read: str = "") -> tuple[int, str, str]:
    """The output of a separate process with these words."""
    command = [sys.executable, "-m", "gameplay", *words]
    done = subprocess.run(command, input=read, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@posix
@pytest.mark.parametrize(("deed", "call", "does"), DEEDS)
def test_process_exits_of_a_game_become_faults(tmp_path, deed, call, does):
    game = registry.game(sticks(tmp_path, deed))
    match = Match(game, [EmptySeat(), EmptySeat()], moves=["3"] * 4)
    assert match.position.sticks == 8
    with pytest.raises(Fault) as error:
        Match(game, [EmptySeat(), EmptySeat()], moves=["3"] * 5)
    words = f"make(3) raised Forbidden: {call}() would {does} the process that plays the game ("
    assert words in str(error.value)


@posix
def test_every_deed_is_tried():
    assert {call for _, call, _ in DEEDS} == FORBIDDEN_CALLS.keys()


@posix
@pytest.mark.parametrize(
    "deed",
    ["import subprocess; subprocess.run(['true'], check=True)",
     "import subprocess as s; c = s.Popen(['sleep', '60']); c.kill(); os.waitpid(c.pid, 0)",
     "import subprocess as s; c = s.Popen(['sleep', '60']); os.kill(c.pid, 9); os.waitpid(c.pid, 0)",
     "os.kill(os.getpid(), 0)"],
)  # fmt: skip
def test_a_game_may_manage_its_own_processes(tmp_path, deed):
    game = registry.game(sticks(tmp_path, deed))
    assert Match(game, [EmptySeat(), EmptySeat()], moves=["3"] * 5).position.sticks == 5


@posix
def test_fence_restricts_only_the_game(tmp_path):
    registry.game(sticks(tmp_path, "pass"))
    child = os.fork()
    if not child:
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    calls: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: calls.append(number))
    try:
        signal.raise_signal(signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert calls == [signal.SIGUSR1] * 2


def test_fence_covers_modules_imported_by_the_game(tmp_path):
    (tmp_path / "dealer.py").write_text("from os import _exit\n\ndef deal():\n    _exit(0)\n")
    game = registry.game(sticks(tmp_path, "import dealer; dealer.deal()"))
    sys.path.insert(0, str(tmp_path))
    try:
        with pytest.raises(Fault, match=r"Forbidden: _exit\(\) .* \(dealer.py, line 4\)"):
            Match(game, [EmptySeat(), EmptySeat()], moves=["3"] * 5)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("dealer", None)


def test_a_file_that_ends_the_process_when_imported(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import os\nos._exit(0)\n")
    with pytest.raises(Fault, match=r"mine.py, when imported, raised Forbidden: _exit\(\) .* line 2"):
        registry.game(str(file))


def test_a_class_that_ends_the_process_when_made(tmp_path):
    file = tmp_path / "mine.py"
    body = (
        "import os\nfrom gameplay import Position\n\nclass Mine(Position):\n    def __init__(self):\n        "
    )
    file.write_text(body + "os._exit(0)\n")
    with pytest.raises(Fault, match=r"the constructor raised Forbidden: _exit\(\)"):
        registry.game(str(file)).new()


def test_fence_blames_the_code_that_raised():
    def exception_of(code: str, name: str) -> BaseException:
        try:
            exec(compile(code, "x", "exec"), {"__name__": name})
        except BaseException as error:
            return error
        raise AssertionError

    fence("strange.games")
    assert is_user_error(exception_of("1 / 0", "strange.games.dice")) and is_user_error(
        exception_of("raise SystemExit", "strange")
    )
    assert not is_user_error(exception_of("1 / 0", "stranger")) and not is_user_error(
        exception_of("1 / 0", "gameplay.strange")
    )
    assert issubclass(Forbidden, Exception), "`except Exception` of those who play it must catch it"


# -- the commands -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ["random,random", "alphabeta:depth=12,random", "human,human"])
@pytest.mark.parametrize("deed", ["os._exit(0)", "os.fork()", "raise SystemExit(0)"])
def test_play_ends_with_status_5_and_a_line(tmp_path, deed, players):
    if "fork" in deed and os.name != "posix":
        pytest.skip("there is no fork")
    game = sticks(tmp_path, deed, "if self.sticks <= 5: ")
    status, _, err = program("play", game, "--players", players, read="3\n" * 5)
    assert status == 5
    [line] = [line for line in err.splitlines() if not line.startswith("the game is saved")]
    word = "SystemExit: 0" if "System" in deed else "Forbidden: "
    assert line.startswith("gameplay: ") and f"raised {word}" in line and "(sticks.py, line " in line


@pytest.mark.parametrize(
    "words",
    [("match", "random", "random", "--games", "2", "--jobs", "1", "--openings", "0", "--game"),
     ("selfplay", "--first", "random", "--second", "random", "--games", "2", "--jobs", "1"),
     ("perft", "--depth", "12"), ("games",), ("check",)],
)  # fmt: skip
@pytest.mark.parametrize("deed", ["os._exit(0)", "raise SystemExit(0)"])
def test_no_command_ends_without_a_word(tmp_path, words, deed):
    status, out, err = program(*words, sticks(tmp_path, deed, "if self.sticks <= 19: "))
    assert status == 5
    assert ("Forbidden: _exit()" if "_exit" in deed else "SystemExit: 0") in out + err
    assert "Traceback" not in err and "internal error" not in err


def test_unexpected_game_exception_is_not_an_internal_error(tmp_path, capsys):
    status = run(router, "gameplay", ["games", sticks(tmp_path, "1 / 0", "")])
    assert status == 5
    assert (
        "the game's code raised ZeroDivisionError: division by zero (sticks.py, line "
        in capsys.readouterr().err
    )


@posix
def test_signal_targets_are_classified():
    """The process itself, its group (or 0), or all processes (-1); signal 0 only tests for existence."""
    me, group = os.getpid(), os.getpgrp()
    for name, whom, own in (
        ("kill", me, True), ("kill", 0, True), ("kill", -1, True), ("kill", -group, True), ("kill", 1, False),
        ("killpg", group, True), ("killpg", 0, True), ("killpg", group + 1, False), ("killpg", -1, False),
    ):  # fmt: skip
        assert _targets_this_process(name, (whom, 15)) is own, (name, whom)
        assert _targets_this_process(name, (whom, 0)) is False
        assert _targets_this_process(name, (whom,)) is True, "the call itself will complain"
    assert _targets_this_process("_exit", (1, 2)) is True


# -- the parts of the fence ------------------------------------------------------------------------


def exception_in(code: str, name: str, **names: Any) -> BaseException | None:
    """The exception raised by code of a module of that name."""
    try:
        exec(compile(code, f"/far/{name}.py", "exec"), {"__name__": name, **names})
    except BaseException as error:
        return error
    return None


def test_silenced_code_neither_prints_nor_reads(monkeypatch):
    """Once for each silenced owner; all code may print to another file, and our own code anywhere."""
    log: list[tuple[Any, ...]] = []

    def plain(*words: Any, file: Any = None, **named: Any) -> None:
        log.append((words, file, named))

    def answer_prompt(*prompt: Any) -> str:
        return f"answer to {prompt}"

    monkeypatch.setattr(fences, "_silenced", set())
    monkeypatch.setattr("builtins.print", plain)
    monkeypatch.setattr("builtins.input", answer_prompt)
    fences.silence("loud.games")
    guarded_print, guarded_input = print, input
    fences.silence("noisy")
    assert (print, input) == (guarded_print, guarded_input) and fences._silenced == {"loud", "noisy"}
    spoils = "print() would corrupt the screen: print to sys.stderr or to a file"
    for name in ("loud", "loud.other", "noisy"):
        for code in ("print('x')", "import sys; print('x', file=sys.stdout)",
                     "import sys; print(file=sys.__stdout__)"):  # fmt: skip
            error = exception_in(code, name)
            assert type(error) is Forbidden and str(error) == spoils and not log
        error = exception_in("input('now? ')", name)
        assert type(error) is Forbidden and str(error) == "input() would consume the players' input"
    assert exception_in("import sys; print('x', 'y', file=sys.stderr, end='')", "loud") is None
    assert (
        exception_in("print('x')", "louder") is None and exception_in("print('x')", "gameplay.loud") is None
    )
    print("ours", sep="-")
    assert log == [
        (("x", "y"), sys.stderr, {"end": ""}), (("x",), None, {}), (("x",), None, {}),
        (("ours",), None, {"sep": "-"}),
    ]  # fmt: skip
    assert (
        input("now? ") == "answer to ('now? ',)"
        and exception_in("assert input() == 'answer to ()'", "louder") is None
    )


def test_exceptions_of_foreign_code_name_their_line(monkeypatch):
    monkeypatch.setattr(fences, "_fenced", {"strange", "odd"})
    monkeypatch.setattr(fences._is_in, "__defaults__", (fences._fenced,))
    monkeypatch.setattr(fences._inside, "__defaults__", (fences._fenced,))

    def raising(error: BaseException) -> None:
        raise error

    here = exception_in("\n\nf(e)", "strange.games", f=raising, e=KeyError(3))
    assert here is not None
    assert (fences.failing_module(here), fences.describe(here)) == (
        "strange",
        "KeyError: 3 (strange.games.py, line 3)",
    )

    def through() -> None:
        exec(compile("\nf(e)", "/far/odd.py", "exec"), {"__name__": "odd", "f": raising, "e": ValueError()})

    both = exception_in("f()", "strange", f=through)
    assert both is not None
    assert (fences.failing_module(both), fences.describe(both)) == ("odd", "ValueError (odd.py, line 2)")
    ours = exception_in("raise ValueError('a\\n  b')", "gameplay.odd")
    assert ours is not None
    assert (fences.failing_module(ours), fences.describe(ours), is_user_error(ours)) == (
        "",
        "ValueError: a b",
        False,
    )
    assert fences.is_running() is False
    assert exception_in("assert inside() is True", "strange.x", inside=fences.is_running) is None
    assert exception_in("assert (lambda: inside())() is True", "odd", inside=fences.is_running) is None
    assert exception_in("assert inside() is False", "stranger", inside=fences.is_running) is None
