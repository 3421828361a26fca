"""Memory for tables uses huge pages, if the system has them, and is all zeros."""

import mmap
from typing import Any

import pytest

from gameplay.native import memory


class System:
    """Replaces mmap, and records its calls."""

    MAP_PRIVATE, MAP_ANONYMOUS = 2, 32

    def __init__(self, wrong: bool = False) -> None:
        self.wrong = wrong
        self.calls: list[Any] = []

    def mmap(self, *given: Any, **named: Any) -> "System":
        self.calls.append((*given, named))
        return self

    def madvise(self, what: Any) -> None:
        self.calls.append(what)
        if self.wrong:
            raise OSError


@pytest.mark.parametrize("wrong", [False, True])
def test_huge_pages_are_requested_and_optional(wrong: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the file, on other systems, and on kernels without the feature or the flag."""
    system: Any = System(wrong)
    monkeypatch.setattr(memory, "mmap", system)
    monkeypatch.setattr(memory, "PrivatePages", system.mmap)
    assert memory.memory(4096) is system and system.calls == [(-1, 4096, {})]
    system.MADV_HUGEPAGE = 14
    assert memory.memory(8192) is system
    assert system.calls[1:] == [(-1, 8192, {"flags": 34}), 14]


def test_allocated_memory_is_zeroed_and_writable() -> None:
    pages = memory.memory(2 * mmap.PAGESIZE)
    assert pages[:] == bytes(2 * mmap.PAGESIZE)
    pages[5] = 7
    assert pages[5] == 7


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="the system has no private pages to give back")
def test_memory_that_is_cleared_is_all_zeros() -> None:
    pages = memory.memory(1 << 20)
    pages[:] = b"x" * len(pages)
    pages.clear()
    assert pages[:] == bytes(1 << 20)
