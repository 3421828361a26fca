"""A server on loopback, and waits that are recorded instead of slept."""

from collections.abc import Iterator

import pytest

from gameplay.lichess import bot, link
from tests.support.lichess import TOKEN, FakeLichess, fake_lichess


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, home: object) -> Iterator[FakeLichess]:
    monkeypatch.setenv("LICHESS_TOKEN", TOKEN)
    monkeypatch.setattr(link, "BACKOFF", (0.01,))
    monkeypatch.setattr(link, "PAUSE", 0.01)
    monkeypatch.setattr(link, "CONFIRM_TIMEOUT", 0.3)
    monkeypatch.setattr(bot, "BACKOFF", (0.01,))
    with fake_lichess() as server:
        yield server
        assert not server.objections  # each request is as the description of the API has it
