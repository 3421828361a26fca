"""Requests to a server: the token and its destination, retries, limits and error messages."""

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from gameplay.errors import BadInput, TryLater, Usage
from gameplay.lichess import credentials
from gameplay.lichess.credentials import Token
from gameplay.lichess.server import MAX_LINE, PAUSE, LichessServer, Lost, NotFound, RateLimited, Refused
from tests.support.commands import run_printed
from tests.support.lichess import TOKEN, FakeGame, FakeLichess, fake_lichess

pytestmark = pytest.mark.once


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def server(fake: FakeLichess, waits: list[float]) -> LichessServer:
    return LichessServer(fake.url, Token(TOKEN), waits.append)


URL = "https://lichess.org"

# -- the token -------------------------------------------------------------------------------------


def test_tokens_have_no_text() -> None:
    token = Token(TOKEN)
    assert TOKEN not in f"{token} {token!r}"
    with pytest.raises(TypeError):
        pickle.dumps(token)


def test_a_token_of_the_environment_is_inherited_by_no_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LICHESS_TOKEN", TOKEN)
    assert credentials.token(None, tmp_path / "none", URL).header() == f"Bearer {TOKEN}"
    assert "LICHESS_TOKEN" not in os.environ


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_token_files_readable_by_others_are_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    path.chmod(mode)
    with pytest.raises(BadInput) as caught:
        credentials.token(path, tmp_path / "none", URL)
    assert str(caught.value) == (
        f"{path} has mode {mode:o}: others can read it; expected 600. Try: chmod 600 {path}"
    )
    path.chmod(0o600)
    assert credentials.token(path, tmp_path / "none", URL).header() == f"Bearer {TOKEN}"


@pytest.mark.parametrize("content", ["", "two words", "x", "lip_\x1b[2J0000000", "a" * 300])
def test_invalid_token_is_not_printed(content: str, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(BadInput, match="does not hold a token") as caught:
        credentials.token(path, tmp_path / "none", URL)
    assert str(caught.value).endswith("as from https://lichess.org/account/oauth/token")
    assert len(content) < 5 or content not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://lichess.org",
        "http://127.0.0.1.example.org",
        "ftp://lichess.org",
        "lichess.org",
        "https://user:word@lichess.org",
        "https://lichess.org?x=1",
        "https://lichess.org:port",
        "",
    ],
)
def test_servers_must_be_https_except_on_loopback(url: str) -> None:
    with pytest.raises(Usage, match="--server"):
        LichessServer(url, Token(TOKEN))


def test_redirects_are_not_followed(server: LichessServer, fake: FakeLichess) -> None:
    with fake_lichess() as elsewhere:
        fake.failed_games["/api/account"] = [
            lambda request: request.json({}, 302, Location=f"{elsewhere.url}/api/account")
        ]
        with pytest.raises(BadInput, match=r"redirects to http://127\.0\.0\.1:.*, which is not followed"):
            server.get("/api/account")
        assert not elsewhere.requests


# -- answers ---------------------------------------------------------------------------------------


def test_a_minute_passes_after_too_many_requests(
    server: LichessServer, fake: FakeLichess, waits: list[float]
) -> None:
    fake.failed_games["/api/account"] = [429, 429]
    assert server.get("/api/account")["username"] == "Tester"
    assert waits == [PAUSE, PAUSE]
    fake.failed_games["/api/account"] = [429] * 4
    with pytest.raises(RateLimited):
        server.get("/api/account")


def test_passing_failures_are_retried(server: LichessServer, fake: FakeLichess, waits: list[float]) -> None:
    def drop(request: Any) -> None:
        request.connection.close()
        request.close_connection = True

    def nonsense(request: Any) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "2")
        request.end_headers()
        request.wfile.write(b"{{")

    fake.failed_games["/api/account"] = [503, nonsense, drop]
    assert server.get("/api/account")["username"] == "Tester"
    assert waits == [1, 2, 4]
    fake.failed_games["/api/account"] = [500] * 4
    with pytest.raises(TryLater, match=r"127.0.0.1 does not answer: status 500"):
        server.get("/api/account")


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (
            401,
            Usage,
            r"refuses the token .asked for.\. Try: a new token from http://127.*/account/oauth/token$",
        ),
        (404, NotFound, "asked for"),
        (400, Refused, "asked for"),
    ],
)
def test_refusals_are_not_retried(
    status: int, error: type[Exception], message: str, server: LichessServer, fake: FakeLichess
) -> None:
    fake.failed_games["/api/account"] = [status]
    with pytest.raises(error, match=message) as caught:
        server.get("/api/account")
    assert TOKEN not in str(caught.value)
    assert len(fake.requests) == 1


def test_server_text_is_escaped_for_the_terminal(server: LichessServer, fake: FakeLichess) -> None:
    fake.failed_games["/api/account"] = [lambda request: request.json({"error": "\x1b[2J" + "x" * 999}, 400)]
    with pytest.raises(Refused) as caught:
        server.get("/api/account")
    assert str(caught.value).startswith("\\u001b[2Jxxx")
    assert len(str(caught.value)) < 250


def test_streams_skip_nonsense_and_end_at_endless_lines(server: LichessServer, fake: FakeLichess) -> None:
    fake.waiting += [b"\n", b"{nonsense\n", b"[1]\n", {"type": "one"}, b"x" * (MAX_LINE + 2) + b"\n"]  # type: ignore[list-item]
    results = []
    with pytest.raises(Lost, match="a line of more than"):
        for message in server.stream("/api/stream/event"):
            results.append(message)
    assert results == [None, None, None, {"type": "one"}]


def test_a_stream_that_is_cut_short_is_lost(server: LichessServer, fake: FakeLichess) -> None:
    fake.waiting += [{"type": "one"}, b'{"type": "tw', None]  # type: ignore[list-item]
    results = []
    with pytest.raises(Lost):
        for message in server.stream("/api/stream/event"):
            results.append(message)
    assert results == [{"type": "one"}]


# -- commands --------------------------------------------------------------------------------------


def test_the_account_and_its_games_are_listed(
    fake: FakeLichess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.account = {"username": "Ann\x1b[2J", "title": "FM", "perfs": {"blitz": {"rating": 2300, "games": 7}}}
    assert run_printed(capsys, "lichess", "account", "--server", fake.url) == (
        0,
        "FM Ann\\u001b[2J\n  blitz: 2300, 7 games\n",
        "",
    )
    fake.add(FakeGame(name="Bob\nmoves"))
    monkeypatch.setenv("LICHESS_TOKEN", TOKEN)
    status, out, _ = run_printed(capsys, "lichess", "games", "--server", fake.url)
    assert (status, out) == (
        0,
        "abcdefgh  white against Bob\\u000amoves (1600), blitz, standard, your turn\n",
    )
    monkeypatch.setenv("LICHESS_TOKEN", TOKEN)
    out = run_printed(capsys, "lichess", "games", "--server", fake.url, "--json")[1]
    assert '"side": "white", "turn": true' in out


def test_nothing_is_sent_without_a_token(
    fake: FakeLichess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LICHESS_TOKEN")
    status, _, err = run_printed(capsys, "lichess", "account", "--server", fake.url)
    assert (status, fake.requests) == (2, [])
    assert err.startswith(f"gameplay: no token is set. Create one at {fake.url}/account/oauth/token (board:")


def test_a_missing_address_is_named(fake: FakeLichess) -> None:
    with pytest.raises(NotFound, match=r"127\.0\.0\.1 has no /club/api/account$"):
        LichessServer(f"{fake.url}/club/", Token(TOKEN)).get("/api/account")
    fake.objections.clear()
