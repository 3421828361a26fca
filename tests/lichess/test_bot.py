"""A bot at a server on loopback: challenges, games, faults of the server and of the opponent."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from gameplay.errors import Usage
from gameplay.lichess.bot import Bot, Invitation, check_account
from gameplay.lichess.credentials import Token
from gameplay.lichess.messages import Challenge
from gameplay.lichess.policy import BotPolicy
from gameplay.lichess.server import LichessServer
from gameplay.search.report import Report
from gameplay.store import saved
from tests.support.commands import run_printed
from tests.support.lichess import TOKEN, FakeGame, FakeLichess, challenge

pytestmark = pytest.mark.once

FOOL = ["f2f3", "g2g4"]  # the opponent's moves as White, mated by Qh4
ENGINE = "selective:depth=2"
Play = Callable[..., tuple[Bot, list[str]]]


@pytest.fixture
def play(fake: FakeLichess) -> Play:
    """Play this number of games as a bot; the bot, and its reports."""

    def run_bot(games: int = 1, words: str = "", concurrent: int = 1, **more: Any) -> tuple[Bot, list[str]]:
        lines: list[str] = []
        policy = BotPolicy.of(words.split(), more.pop("draws", "level"), more.pop("takebacks", "never"))
        server = LichessServer(fake.url, Token(TOKEN), lambda seconds: time.sleep(0.01))
        bot = Bot(
            server, "Tester", more.pop("engine", ENGINE), policy, lines.append, concurrent, games, **more
        )
        runner = threading.Thread(target=bot.run, daemon=True)
        runner.start()
        runner.join(10)
        assert not runner.is_alive(), lines
        return bot, lines

    return run_bot


def fool(name: str = "abcdefgh", **changes: Any) -> FakeGame:
    return FakeGame(name, **({"color": "black", "replies": list(FOOL)} | changes))


def test_a_game_is_won_and_saved(fake: FakeLichess, play: Play) -> None:
    game = fake.add(fool())
    bot, output = play()
    assert (game.status, game.winner, game.moves[-1]) == ("mate", "black", "d8h4")
    assert output == [
        "abcdefgh: black against Rival (1600), 5+3, casual",
        "abcdefgh: won, checkmate; 4 plies, saved as lichess-abcdefgh",
    ]
    (kept,) = saved.saved_games()
    assert kept.name == "lichess-abcdefgh"
    assert (kept.record.result, kept.record.display_names) == ([-1, 1], ["Rival (1600)", "Tester"])
    assert kept.record.players == ["lichess", ENGINE]
    assert TOKEN not in kept.path.read_text()
    assert not bot.failed_games


def test_challenges_are_accepted_by_kind(fake: FakeLichess, play: Play) -> None:
    fake.games["chal0001"] = fool("chal0001")
    for name, changes in {
        "chal0002": {"rated": True},
        "chal0003": {"variant": {"key": "atomic"}},
        "chal0004": {"speed": "bullet"},
        "chal0005": {"challenger": {"id": "x", "name": "Bot", "title": "BOT"}},
        "chal0001": {},
    }.items():
        fake.event(challenge(name, **changes))
    fake.waiting.append({"type": "challenge", "challenge": {"id": "../../x"}})
    _, output = play(words="casual standard blitz people")
    reasons = {path: form.get("reason") for method, path, form in fake.requests if "/challenge/" in path}
    assert reasons == {
        "/api/challenge/chal0002/decline": "casual",
        "/api/challenge/chal0003/decline": "variant",
        "/api/challenge/chal0004/decline": "timeControl",
        "/api/challenge/chal0005/decline": "noBot",
        "/api/challenge/chal0001/accept": None,
    }
    assert "declined: Rival (1600), 5+3, rated (a rated game)" in output
    assert "accepted: Rival (1600), 5+3, casual" in output
    assert any("is not the id of a game" in line for line in output)
    assert output[-1].startswith("chal0001: won, checkmate")


def test_a_refused_answer_to_a_challenge_names_it(fake: FakeLichess, play: Play) -> None:
    fake.failed_games["/api/challenge/chal0001/accept"] = [400]
    fake.failed_games["/api/challenge/chal0002/decline"] = [400]
    fake.games["chal0003"] = fool("chal0003")
    fake.waiting += [challenge("chal0001"), challenge("chal0002", rated=True), challenge("chal0003")]
    output = play(words="casual")[1]
    assert output[:3] == [
        "not accepted: Rival (1600), 5+3, casual (asked for)",
        "not declined: Rival (1600), 5+3, rated (asked for)",
        "accepted: Rival (1600), 5+3, casual",
    ]


def test_a_second_challenge_waits_until_there_is_room(fake: FakeLichess, play: Play) -> None:
    fake.games["chal0001"] = fool("chal0001")
    fake.waiting += [challenge("chal0001"), challenge("chal0002")]
    _, output = play()
    assert "declined: Rival (1600), 5+3, casual (busy)" in output


def test_games_are_played_at_once(fake: FakeLichess, play: Play) -> None:
    games = [fake.add(fool(f"game000{number}")) for number in range(3)]
    _, output = play(3, concurrent=3)
    assert [game.status for game in games] == ["mate"] * 3
    assert sum("won, checkmate" in line for line in output) == 3
    assert len(saved.saved_games()) == 3


def test_a_user_is_challenged_until_the_games_are_played(fake: FakeLichess, play: Play) -> None:
    def accept(user: str, form: dict[str, str]) -> None:
        forms.append((user, form))
        fake.add(fool(f"game000{len(forms)}"))

    forms: list[tuple[str, dict[str, str]]] = []
    fake.on_challenge = accept
    play(2, invitation=Invitation("rival", (180, 2)))
    assert forms == [("rival", {"rated": "false", "clock.limit": "180", "clock.increment": "2"})] * 2


def test_a_declined_challenge_ends_the_bot(fake: FakeLichess, play: Play) -> None:
    fake.on_challenge = lambda user, form: fake.event(
        {"type": "challengeDeclined", "challenge": {"id": "chal0009", "declineReason": "Not now\x1b[2J"}}
    )
    assert play(1, invitation=Invitation("rival", (180, 2)))[1] == [
        "challenged rival",
        "the challenge is declined: Not now\\u001b[2J",
    ]


def test_a_game_in_progress_is_resumed(fake: FakeLichess, play: Play) -> None:
    game = fake.add(fool(moves=["f2f3", "e7e5"], replies=["g2g4"]))
    _, output = play()
    assert game.moves == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert output[-1].startswith("abcdefgh: won, checkmate; 4 plies")


# -- faults of the connection --------------------------------------------------------------------


def test_a_dropped_stream_is_connected_again(fake: FakeLichess, play: Play) -> None:
    game = fake.add(fool())
    fake.failed_games["/api/bot/game/stream"] = [503, 429, _cut_stream(game)]
    fake.failed_games["/api/stream/event"] = [500, 429]
    _, output = play()
    assert game.status == "mate"
    assert sum("connecting again" in line for line in output) >= 2


def _cut_stream(game: FakeGame) -> Callable[[Any], None]:
    """A stream that ends after half a line of the game."""

    def answer(request: Any) -> None:
        request.stream(game.streams, [game.full(), b'{"type": "gameSt', None])

    return answer


def test_repeated_states_change_nothing(fake: FakeLichess, play: Play) -> None:
    game = fool()
    full = game.full()
    fake.add(game)
    fake.failed_games["/api/bot/game/stream"] = [
        lambda request: request.stream(
            game.streams, [game.state(), full, full, game.state(), {"type": "?"}, game.state()], game.reply
        )
    ]
    play()
    assert game.moves == ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_a_move_with_a_lost_response_is_made_once(fake: FakeLichess, play: Play) -> None:
    game = fake.add(fool())

    def lose(request: Any) -> None:
        game.make(request.path.rpartition("/")[2])
        game.reply()
        request.connection.close()
        request.close_connection = True

    fake.failed_games["/api/bot/game/abcdefgh/move"] = [lose]
    play()
    assert game.moves == ["f2f3", "e7e5", "g2g4", "d8h4"]


@pytest.mark.parametrize(
    ("states", "fault"),
    [
        ([{"type": "gameState", "moves": "e2e5", "status": "started"}], "legal"),
        ([{"type": "gameState", "moves": "zzzz", "status": "started"}], "the server sent the move 'zzzz'"),
        ([{"type": "gameState", "status": "started"}], "without moves or status"),
    ],
)
def test_nonsense_costs_one_game(fake: FakeLichess, play: Play, states: list[Any], fault: str) -> None:
    bad, good = fool("badbad00", replies=[]), fool("goodgood")
    fake.add(bad)
    fake.add(good)
    fake.failed_games["/api/bot/game/stream/badbad00"] = [
        lambda request: request.stream(bad.streams, [bad.full(), *states])
    ]
    bot, output = play(2, concurrent=2)
    assert any(line.startswith("badbad00: ") and fault in line for line in output)
    assert any(line.startswith("goodgood: won") for line in output)
    assert bot.failed_games == 1


def test_other_variants_are_left_to_the_server(fake: FakeLichess, play: Play) -> None:
    fake.add(fool(variant="atomic"))
    assert "abcdefgh: atomic is not supported" in play()[1][-1]


def test_an_unknown_game_and_a_refused_token_are_reported(fake: FakeLichess, play: Play) -> None:
    fake.event({"type": "gameStart", "game": {"gameId": "gonegone"}})
    assert play()[1] == ["gonegone: 127.0.0.1 has no /api/bot/game/stream/gonegone"]
    fake.failed_games["/api/stream/event"] = [401]
    server = LichessServer(fake.url, Token(TOKEN))
    with pytest.raises(Usage, match="refuses the token"):
        Bot(server, "Tester", ENGINE, BotPolicy.of([]), print).run()


# -- how games end, and offers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "winner", "ending", "result"),
    [
        ("resign", "black", "won, resigned", [-1, 1]),
        ("outoftime", "white", "lost, time", [1, -1]),
        ("draw", None, "drawn, agreed", [0, 0]),
        ("aborted", None, "aborted", None),
        ("cheat", "black", "won, resigned", [-1, 1]),
        ("mystery", None, "ended by the server: mystery", None),
    ],
)
def test_the_server_ends_games(
    fake: FakeLichess, play: Play, status: str, winner: str | None, ending: str, result: list[int] | None
) -> None:
    game = fool(replies=["e2e4"])
    make = game.make

    def then_end(word: str) -> None:
        make(word)
        if len(game.moves) == 2:
            game.end(status, winner)

    game.make = then_end  # type: ignore[method-assign]
    fake.add(game)
    assert f"abcdefgh: {ending}" in play()[1][-1]
    assert saved.saved_games()[0].record.result == result


@pytest.mark.parametrize(("takebacks", "answer"), [("never", "takeback/no"), ("once", "takeback/yes")])
def test_takebacks_follow_the_policy(fake: FakeLichess, play: Play, takebacks: str, answer: str) -> None:
    game = fool(replies=["a2a3"])
    fake.add(game)
    make = game.make

    def then_ask(word: str) -> None:
        make(word)
        if len(game.moves) == 2:
            game.flags["wtakeback"] = True
            game.tell(game.state())
            threading.Thread(target=after_answer, daemon=True).start()

    def after_answer() -> None:
        while not game.acts:
            time.sleep(0.01)
        game.flags.clear()
        if answer.endswith("yes"):
            del game.moves[:]
            game.tell(game.state())
        game.replies += ["f2f3", "g2g4"] if answer.endswith("yes") else []
        game.make = make  # type: ignore[method-assign]
        game.reply() if game.replies else game.end("resign", "black")

    game.make = then_ask  # type: ignore[method-assign]
    play(takebacks=takebacks)
    assert game.acts == [answer]
    assert game.status == ("mate" if answer.endswith("yes") else "resign")


def test_draws_need_a_row_of_level_values() -> None:
    level = [Report(value=5, depth=4)] * 8
    assert BotPolicy.of([]).accepts_draw(level, 100)
    assert not BotPolicy.of([]).accepts_draw(level[:7], 100)
    assert not BotPolicy.of([]).accepts_draw([*level, Report(value=300, depth=4)], 100)
    assert BotPolicy.of([]).accepts_draw([Report(value=-300, depth=4)] * 8, 100)
    assert not BotPolicy.of([], "never").accepts_draw(level, 100)


def test_a_repetition_is_claimed_as_a_draw(fake: FakeLichess, play: Play) -> None:
    """With kings alone the third repetition is a draw by our rules, so it is claimed on the server."""
    start = "k7/8/8/8/8/8/8/K6R w - - 0 1"
    game = fool(replies=[], start=start, moves=["a1b1", "a8b8", "b1a1", "b8a8"] * 2)
    game.acts = FakeRequests(game)
    fake.add(game)
    assert "drawn" in play()[1][-1]
    assert game.acts == ["draw/yes"]


class FakeRequests(list[str]):
    """The requests of the user; the server grants a draw."""

    def __init__(self, game: FakeGame) -> None:
        super().__init__()
        self.game = game

    def append(self, what: str) -> None:
        super().append(what)
        self.game.end("draw")


def test_policies_name_what_they_accept() -> None:
    offer = Challenge.of(challenge(speed="ultraBullet")["challenge"])
    assert BotPolicy.of(["bullet"]).decline_reason(offer) is None
    assert BotPolicy.of(["blitz"]).decline_reason(offer) == ("timeControl", "the speed bullet")
    correspondence = Challenge.of(challenge(speed="correspondence")["challenge"])
    assert BotPolicy.of([]).decline_reason(correspondence) is not None
    assert BotPolicy.of(["correspondence"]).decline_reason(correspondence) is None
    with pytest.raises(Usage, match="unknown kind of challenge 'blits'; did you mean 'blitz'"):
        BotPolicy.of(["blits"])


def test_engines_play_for_bots_only() -> None:
    with pytest.raises(Usage, match="Ann is not a bot account, and engines may only play for bot accounts"):
        check_account({"username": "Ann"}, engine=True)
    with pytest.raises(Usage, match="Ann is a bot account"):
        check_account({"username": "Ann", "title": "BOT"}, engine=False)


def test_the_command_plays_and_reports(fake: FakeLichess, capsys: pytest.CaptureFixture[str]) -> None:
    fake.add(fool())
    words = [
        "lichess",
        "bot",
        "--server",
        fake.url,
        "--engine",
        ENGINE,
        "--games",
        "1",
        "--accept",
        "casual,standard,blitz",
    ]
    status, out, err = run_printed(capsys, *words)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Tester at 127.0.0.1 accepts casual, standard, blitz, people, bots (Ctrl-C: stop)",
        "abcdefgh: black against Rival (1600), 5+3, casual",
        "abcdefgh: won, checkmate; 4 plies, saved as lichess-abcdefgh",
    ]
    assert set(fake.headers) == {f"Bearer {TOKEN}"}
