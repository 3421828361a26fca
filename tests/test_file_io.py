"""Files are written completely or not at all."""

import errno
import os
import tracemalloc
from pathlib import Path

import pytest

from gameplay import file_io

pytestmark = pytest.mark.once


def test_failed_write_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    file_io.write(path, [b"a", b"b"])

    def torn():
        yield b"c"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        file_io.write(path, torn())
    assert path.read_bytes() == b"ab" and os.listdir(tmp_path) == ["kept"]


def test_a_full_disk_leaves_the_old_content_and_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    file_io.write(path, [b"ab"])

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space") as failed:
        file_io.write(path, [b"c"])
    assert failed.value.filename == str(path)
    assert path.read_bytes() == b"ab" and os.listdir(tmp_path) == ["kept"]
    with pytest.raises(FileNotFoundError) as failed:
        file_io.write(tmp_path / "none" / "new", [b"c"])
    assert failed.value.filename == str(tmp_path / "none" / "new")


def test_old_temporary_files_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "a[1].book"
    old, new, other = (
        tmp_path / name for name in (".a[1].book.77.part", ".a[1].book.78.part", ".b.book.77.part")
    )
    for part in (old, new, other):
        part.write_bytes(b"torn")
    for part in (old, other):
        os.utime(part, (0, 0))
    file_io.write(path, [b"whole"])
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, new.name, other.name])


def test_files_that_vanish_during_a_scan_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "glob", lambda path, pattern: [tmp_path / ".kept.77.part"])
    file_io.write(tmp_path / "kept", [b"whole"])
    assert os.listdir(tmp_path) == ["kept"]


def test_temporary_files_younger_than_an_hour_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / ".kept.77.part"
    for age, left in ((3600, ["kept", part.name]), (3601, ["kept"])):
        part.write_bytes(b"torn")
        os.utime(part, (10_000, 10_000))
        monkeypatch.setattr("time.time", lambda age=age: 10_000.0 + age)
        file_io.write(tmp_path / "kept", [b"whole"])
        assert sorted(os.listdir(tmp_path)) == sorted(left)


def test_file_is_synced_before_it_replaces_the_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    replaced = os.replace
    monkeypatch.setattr(os, "fsync", lambda number: done.append(os.fstat(number).st_size))
    monkeypatch.setattr(os, "replace", lambda old, new: done.append("placed") or replaced(old, new))
    file_io.write(tmp_path / "kept", [b"ab", b"c"])
    assert done == [3, "placed"]


def test_message_for_an_unreadable_file_names_the_path_and_the_reason(tmp_path: Path) -> None:
    def message(path: Path, largest: int = 4) -> str:
        with pytest.raises(OSError) as failed:
            file_io.content(path, largest)
        return file_io.unreadable(path, failed.value)

    long = tmp_path / "long"
    long.write_bytes(b"12345")
    assert message(tmp_path / "none") == f"there is no file {tmp_path / 'none'}"
    assert message(tmp_path) == f"{tmp_path} is a folder, not a file"
    assert message(long) == f"{long}: File too large: more than 4 bytes"


def test_an_empty_file_is_read_without_a_large_buffer(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.touch()
    tracemalloc.start()
    try:
        assert file_io.content(empty) == b""
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="files of the system are those of Linux")
def test_files_without_a_size_are_read_up_to_the_limit() -> None:
    text = Path("/proc/version").read_bytes()
    assert file_io.content("/proc/version") == text
    assert file_io.content("/proc/version", 5) == text[:5]
