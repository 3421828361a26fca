"""The number of colours in the terminfo database."""

import struct
from pathlib import Path

import pytest

from gameplay.display.terminal.terminfo import colour_count


def entry(colours: int, names: bytes = b"some|a terminal\0", wide: bool = False) -> bytes:
    """A compiled entry with 14 numbers, the last of which is the number of colours."""
    booleans, code, magic = b"\1\0\1", "i" if wide else "h", 0o1036 if wide else 0o432
    head = struct.pack("<6h", magic, len(names), len(booleans), 14, 0, 0) + names + booleans
    return head + b"\0" * (len(head) % 2) + struct.pack(f"<14{code}", *range(13), colours)


def write(folder: Path, name: str, content: bytes, letter: str = "") -> None:
    """Store an entry."""
    file = folder / (letter or name[0]) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("names", [b"odd\0", b"even|\0"])
@pytest.mark.parametrize(("colours", "expected"), [(8, 8), (256, 256), (-1, 0), (-2, 0)])
def test_colours_are_read(tmp_path: Path, names: bytes, wide: bool, colours: int, expected: int) -> None:
    write(tmp_path, "some", entry(colours, names, wide))
    assert colour_count({"TERM": "some", "TERMINFO": str(tmp_path)}) == expected


def test_folders_are_searched_in_the_order_of_ncurses(tmp_path: Path) -> None:
    env = {
        "TERM": "some",
        "TERMINFO": str(tmp_path / "own"),
        "HOME": str(tmp_path),
        "TERMINFO_DIRS": f":{tmp_path / 'more'}",
    }
    assert colour_count(env) is None
    write(tmp_path / "more", "some", entry(8), letter="73")
    assert colour_count(env) == 8
    write(tmp_path / ".terminfo", "some", entry(16))
    assert colour_count(env) == 16
    write(tmp_path / "own", "some", entry(88))
    assert colour_count(env) == 88


@pytest.mark.parametrize("content", [b"", b"\x1a", b"no entry of a terminal", entry(8)[:-1]])
def test_a_damaged_entry_is_none(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, "some", content)
    assert colour_count({"TERM": "some", "TERMINFO": str(tmp_path)}) is None


def test_an_entry_without_the_number_has_no_colours(tmp_path: Path) -> None:
    write(tmp_path, "some", struct.pack("<6h", 0o432, 2, 0, 3, 0, 0) + b"s\0" + bytes(6))
    assert colour_count({"TERM": "some", "TERMINFO": str(tmp_path)}) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [("vt100", 0), ("vt52", 0), ("mine-m", 0), ("mine-mono", 0), ("mine", None), ("", None), ("../x", None)],
)
def test_without_an_entry_the_name_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, expected: int | None
) -> None:
    monkeypatch.setattr("gameplay.display.terminal.terminfo.FOLDERS", ())
    assert colour_count({"TERM": name, "HOME": str(tmp_path)}) == expected
