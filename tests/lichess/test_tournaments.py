"""Tournaments and correspondence: listed, joined, played and left, by requests as the API describes them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gameplay.errors import Usage
from gameplay.lichess import tournaments
from gameplay.lichess.tournaments import ServerTournament, parse_tournament
from tests.lichess.test_board import play  # noqa: F401  # a fixture
from tests.support.lichess import FakeGame, FakeLichess
from tests.support.lichess_api import objections, requests

pytestmark = pytest.mark.once

Play = Callable[..., tuple[int, list[str], str]]


def arena(**changes: Any) -> dict[str, Any]:
    results = {"id": "arena001", "fullName": "Rapid Arena", "clock": {"limit": 600, "increment": 0}}
    results |= {"variant": {"key": "standard"}, "rated": True, "nbPlayers": 26, "minutes": 57, "status": 20}
    return results | changes


# -- the description of the API -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "form", "words"),
    [
        ("GET", "/api/nothing", {}, "is not in the description"),
        ("POST", "/api/board/seek", {"time": "10"}, "increment is missing"),
        ("POST", "/api/board/seek", {"days": "4"}, "days is 4"),
        ("POST", "/api/board/seek", {"days": "3", "color": "white"}, "there is no field color"),
        ("POST", "/api/challenge/ai", {"level": "9"}, "level is 9"),
        ("POST", "/api/swiss/abcdefgh/join", {"pairMeAsap": "true"}, "there is no field pairMeAsap"),
        ("GET", "/api/account/playing?nb=51", {}, "nb is 51"),
        ("POST", "/api/bot/game/abcdefgh/resign", {}, "needs one of the scopes"),
    ],
)
def test_wrong_requests_are_found(method: str, path: str, form: dict[str, str], words: str) -> None:
    scopes = ("board:play", "challenge:write", "tournament:write")
    assert any(words in objection for objection in objections(method, path, form, scopes))


def test_right_requests_are_not() -> None:
    scopes = {scope for facts in requests().values() for scope in facts["scopes"]}
    assert not objections("POST", "/api/board/seek", {"days": "3", "rated": "true"}, scopes)
    assert not objections("POST", "/api/challenge/ai", {"level": "3", "days": "2"}, scopes)


# -- correspondence -----------------------------------------------------------------------------------


def test_a_correspondence_game_is_left_after_the_move(fake: FakeLichess, play: Play) -> None:  # noqa: F811
    game = fake.add(FakeGame(days=3))
    status, out, err = play("e4|")
    assert (status, game.moves) == (0, ["e2e4"])
    assert any("3 days a move" in line for line in out) and "the game is still in progress" in err
    out = play("", "games")[1]
    assert out == ["abcdefgh  white against Rival (1600), correspondence, standard, their turn, 2 days left"]


def test_challenges_and_seeks_with_days_wait_at_the_server(fake: FakeLichess, play: Play) -> None:  # noqa: F811
    status, out, _ = play("", "challenge", "rival", "--days", "3", "--as", "white")
    play_hint = f"gameplay lichess play --server {fake.url}"
    assert status == 0 and out == [f"challenged rival; once they accept, play: {play_hint}"]
    assert fake.requests[-1][1:] == (
        "/api/challenge/rival",
        {"rated": "false", "days": "3", "color": "white"},
    )
    status, out, _ = play("", "seek", "--days", "7")
    assert status == 0 and fake.requests[-1][1:] == ("/api/board/seek", {"rated": "false", "days": "7"})
    for words in (["--days", "4"], ["--days", "3", "--clock", "5+3"], ["--days", "3", "--as", "white"]):
        status, out, err = play("", "seek", *words)
        assert (status, out) == (2, []) and "--days" in err


# -- tournaments --------------------------------------------------------------------------------------


def test_tournaments_that_can_be_played_are_listed(fake: FakeLichess, play: Play) -> None:  # noqa: F811
    fake.tournaments = {
        "arena001": arena(),
        "arena002": arena(id="arena002", clock={"limit": 180, "increment": 0}),
        "arena003": arena(id="arena003", variant={"key": "antichess"}),
    }
    out = play("", "tournaments")[1]
    assert out == [
        "arena001  Rapid Arena: 10+0, rated, 57 min, 26 players, in progress",
        "2 tournaments not listed: they are too fast, or of other variants",
        f"Join one: gameplay lichess join arena001 --server {fake.url}",
    ]
    rows = json.loads(play("", "tournaments", "--json")[1][0])["tournaments"]
    assert [bool(row["obstacle"]) for row in rows] == [False, True, True]


@pytest.mark.parametrize(("word", "kind"), [("arena001", "arena"), ("swiss/arena001", "swiss")])
def test_games_are_played_until_it_is_over(
    fake: FakeLichess,
    play: Play,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    word: str,
    kind: str,
) -> None:
    monkeypatch.setattr(tournaments, "BACKOFF", (0.01,))
    fake.tournaments["arena001"] = arena() if kind == "arena" else arena(name="Swiss", status="started")
    name = {"tournamentId": "arena001"} if kind == "arena" else {"source": "swiss"}
    game = fake.add(FakeGame(replies=["f7f6", "g7g5"], tournament=name))
    fake.add(FakeGame("othergam"))
    monkeypatch.setattr(
        game, "reply", lambda reply=game.reply: (reply(), _finish(fake, game))[0], raising=False
    )
    status, out, err = play("e4|d4|Qh5|quit|", "join", word)
    assert (status, err, game.status, game.winner) == (0, "", "mate", "white")
    assert out[-1] == "Rapid Arena is over"
    joins = [form for _, path, form in fake.requests if path.endswith("/join")]
    assert joins[0] == ({"pairMeAsap": "true"} if kind == "arena" else {})


def _finish(fake: FakeLichess, game: FakeGame) -> None:
    if len(game.moves) >= 4:
        fake.tournaments["arena001"]["isFinished"] = True


def test_leaving_a_game_ends_the_waiting(fake: FakeLichess, play: Play) -> None:  # noqa: F811
    fake.tournaments["arena001"] = arena()
    fake.add(FakeGame(tournament={"tournamentId": "arena001"}))
    status, _, err = play("quit|", "join", "arena001")
    assert status == 0 and "leave it: gameplay lichess withdraw arena001" in err
    assert play("", "withdraw", "arena001")[0] == 0
    assert fake.paths()[-1] == "/api/tournament/arena001/withdraw"


def test_tournaments_that_cannot_be_played_are_refused(fake: FakeLichess, play: Play) -> None:  # noqa: F811
    fake.tournaments["arena001"] = arena(clock={"limit": 180, "increment": 0})
    assert "3+0 is too fast" in play("", "join", "arena001")[2]
    fake.tournaments["arena001"] = arena(isFinished=True)
    assert "it is over" in play("", "join", "arena001")[2]
    assert "is not a tournament" in play("", "join", "arena")[2]
    assert fake.paths() == []


def test_places_are_ids_and_addresses() -> None:
    url = "https://lichess.org"
    assert parse_tournament("hL7vMrFQ", url) == ("tournament", "hL7vMrFQ")
    swiss = parse_tournament("https://lichess.org/swiss/hL7vMrFQ", url)
    assert parse_tournament("swiss/hL7vMrFQ", url) == swiss == ("swiss", "hL7vMrFQ")
    with pytest.raises(Usage, match="is not a tournament"):
        parse_tournament("../../account", url)
    with pytest.raises(Usage, match=r"is an address of other\.example; expected one of lichess\.org"):
        parse_tournament("https://other.example/swiss/hL7vMrFQ", url)


def test_bots_play_only_in_tournaments_that_allow_them() -> None:
    assert ServerTournament.of("tournament", arena()).obstacle(bot=True) == "bots are not allowed"
    assert ServerTournament.of("tournament", arena(botsAllowed=True)).obstacle(bot=True) == ""
