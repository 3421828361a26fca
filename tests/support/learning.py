"""Learning programs run within tests."""

import sys

import pytest

from gameplay.kernel import compiled
from gameplay.learning.program import run

learns = pytest.mark.skipif(not compiled(), reason="the same files, and slow: once, in the compiled run")


def call(monkeypatch, capsys, main, *words):
    monkeypatch.setattr(sys, "argv", ["learn", *map(str, words)])
    try:
        run(main)
        status = 0
    except SystemExit as left:
        status = left.code
    return status, *capsys.readouterr()
