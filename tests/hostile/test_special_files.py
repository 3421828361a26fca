"""Pipes, devices, folders and huge files given as data are refused at once, in one line with the reason."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gameplay import file_io
from gameplay.cli import load, router, run
from gameplay.errors import BadInput
from gameplay.store.formats import text

pytestmark = pytest.mark.once

HUGE = 20_000_000_001  # bytes of a file of zeros
KINDS = {
    "pipe": ("ot a regular file",),
    "device": ("ot a regular file", "unknown evaluation '/dev/zero'", "/dev/zero is not a Python file"),
    "folder": ("is a folder", "Is a directory", "is not a Python file", "holds no file of games"),
    "huge": (
        "oo large",
        "longer than 20,000,000 characters",
        "is not a book",
        "not an SQLite file",
        "not entries",
    ),
}
COMMANDS = [
    *("replay @.sgf", "replay @.json", "review @.mat", "export @.phh", "export @.jsonl", "import @.jsonl"),
    *("verify @.jsonl", "report @.jsonl", "report last --store @.db", "perft chess --check @.txt"),
    *("check @.toml", "check @.py", "regress @.epd --jobs 1", "config check @.toml", "tournament @.toml"),
    *("exploit kuhn --engine strategy:@.toml", "show scrabble:words=@.txt", "show bridge:system=@.toml"),
    *(
        "show stratego:start=chosen,setups=@.toml",
        "book show @.book",
        "book import chess @.txt --out x.book",
    ),
    *("match alphabeta:eval=./@.toml random --game chess --games 2", "play --resume @.pgn"),
    *("match iterative:book=@.bin random --game chess --games 2", "book build chess @.pgn --out x.book"),
    *("match ./@.py random --game nim --games 2", "play tictactoe --players script:@.txt,random --plain"),
    *("selfplay nim --first random --second random --games 2 --openings @.txt",),
    *("measure nim --engines minimax --positions @.txt --depth 1",),
]


@pytest.fixture
def _guard() -> Iterator[None]:
    """Fail if a command waits for a pipe."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("the command waits"))
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("_guard")
@pytest.mark.parametrize("command", COMMANDS)
def test_special_files_are_refused_in_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    place = next(word for word in command.replace("=", " ").replace(":", " ").split() if "@" in word)
    suffix = place.partition("@")[2].partition(",")[0]
    os.mkfifo(f"pipe{suffix}")
    Path(f"device{suffix}").symlink_to("/dev/zero")
    Path(f"folder{suffix}").mkdir()
    with open(f"huge{suffix}", "wb") as file:
        file.truncate(HUGE)
    for kind, message in KINDS.items():
        name, *words = command.replace("@", kind).split()
        status = (
            run(load("play"), "play", words) if name == "play" else run(router, "gameplay", [name, *words])
        )
        written = "".join(capfd.readouterr())
        assert status in (2, 6), written
        assert any(reason in written for reason in message), written
        assert len(written.splitlines()) <= 2 and len(written) < 500, "one line, and the count of regress"


def test_content_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    assert file_io.content(file) == file_io.content(file, 5) == b"12345"
    with pytest.raises(OSError, match="File too large: more than 4 bytes"):
        file_io.content(file, 4)
    with pytest.raises(FileNotFoundError):
        file_io.content(tmp_path / "b")
    assert file_io.content("/proc/self/stat"), "files of the system have no size"
    link = tmp_path / "c"
    link.symlink_to(file)
    assert file_io.content(link) == b"12345"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_lines_are_read_up_to_their_limit(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "LONGEST_LINE", 10)
    file = tmp_path / "a.txt"
    file.write_text("12345678\n1\n" * 3, encoding=encoding)
    assert list(text.lines(file)) == ["12345678", "1"] * 3
    file.write_text("1\n1234567890\n1\n", encoding=encoding)
    with pytest.raises(BadInput, match=r"a\.txt, line 2: longer than 10 characters"):
        list(text.lines(file))


@pytest.mark.usefixtures("_guard")
@pytest.mark.parametrize(
    ("file", "command"),
    [
        *(("settings.toml", f"settings{words}") for words in ("", " bell", " bell on")),
        ("themes/own.toml", "settings theme own"),
        ("trusted.txt", "trust"),
        ("games/own.json", "replay own"),
        ("quiz.json", "stats"),
        ("puzzles.json", "puzzles --list"),
        ("endgames.json", "puzzles endgames"),
        ("runs.db", "status"),
    ],
)
def test_special_files_in_the_folder_of_the_user_are_named(
    file: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """They are neither treated as missing nor replaced."""
    for kind in ("pipe", "device", "folder", "loop"):
        home = tmp_path / kind
        place = home / file
        place.parent.mkdir(parents=True)
        monkeypatch.setenv("GAMEPLAY_HOME", str(home))
        if kind == "pipe":
            os.mkfifo(place)
        elif kind == "folder":
            place.mkdir()
        else:
            place.symlink_to("/dev/zero" if kind == "device" else place)
        before = place.lstat().st_ino
        status = run(router, "gameplay", command.split())
        error = capfd.readouterr().err
        assert str(place) in error and error.count("\n") == 1, (kind, error)
        assert status == (0 if command == "trust" else 6), (kind, error)
        assert place.lstat().st_ino == before
