"""A human at the board of this program and an opponent at a server on loopback."""

import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.display.terminal.prompt import leave_warning
from gameplay.lichess.board import BoardGame, BoardInterpreter, BoardSeat
from gameplay.lichess.credentials import Token
from gameplay.lichess.link import Link
from gameplay.lichess.server import LichessServer
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import MatchControl
from gameplay.store import saved
from tests.support.commands import run_printed
from tests.support.lichess import TOKEN, FakeGame, FakeLichess, challenge

pytestmark = pytest.mark.once

Play = Callable[..., tuple[int, list[str], str]]


class TypedInput(io.StringIO):
    """Standard input with typed lines; those in `more` follow when it is set."""

    def __init__(self, lines: str) -> None:
        super().__init__(lines.replace("|", "\n"))
        self.more = threading.Event()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            self.more.wait(10)
        return line


class FakeRequests(list[str]):
    """The requests of a human to the server, each with an effect."""

    def __init__(self, deed: Callable[[], None]) -> None:
        super().__init__()
        self.deed = deed

    def append(self, what: str) -> None:
        super().append(what)
        self.deed()


@pytest.fixture
def play(fake: FakeLichess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a command with these lines typed: its status, the lines it printed, its errors."""
    fake.account = {"id": "tester", "username": "Tester"}

    def run(lines: str, *words: str, stays: bool = False) -> tuple[int, list[str], str]:
        source = TypedInput(lines)
        if not stays:
            source.more.set()
        monkeypatch.setattr(sys, "stdin", source)
        monkeypatch.setenv("LICHESS_TOKEN", TOKEN)
        status, out, err = run_printed(capsys, "lichess", *(words or ("play",)), "--server", fake.url)
        source.more.set()
        return status, out.splitlines(), err

    return run


def test_a_game_is_played_and_saved(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame(replies=["e7e5", "b8c6", "g8f6"]))
    status, out, err = play("e4|Qh5|Bc4|Qxf7|quit|")
    assert (status, err) == (0, "")
    assert (game.status, game.moves[-1]) == ("mate", "h5f7")
    assert "black (k): Rival (1600)" in out
    assert [line for line in out if " plays " in line][:3] == [
        "white plays e4",
        "black plays e5",
        "white plays Qh5",
    ]
    assert "result: white wins by checkmate" in out
    (kept,) = saved.saved_games()
    assert (kept.name, kept.record.result) == ("lichess-abcdefgh", [1, -1])
    assert kept.record.players == ["human", "lichess"]
    assert TOKEN not in kept.path.read_text() + "".join(out)


def test_a_game_continues_from_its_moves_on_the_server(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame(color="black", moves=["f2f3", "e7e5"], replies=["g2g4"]))
    _, out, _ = play("Qh4|quit|")
    assert game.moves == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert any(line.startswith("moves so far: f3 e5") for line in out)
    assert "result: black wins by checkmate" in out


def test_the_input_may_end_before_the_game(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame(replies=["e7e5"]))
    status, _, err = play("e4|")
    assert (status, game.status, game.moves) == (4, "started", ["e2e4", "e7e5"])
    back = f"gameplay lichess play abcdefgh --server {fake.url}"
    assert f"the game is still in progress; return to it: {back}\n" in err
    game.replies = ["b8c6"]
    assert play("Nf3|resign yes|quit|", *back.split()[2:-2])[0] == 0


def test_the_server_may_end_the_game_on_the_persons_turn(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame())
    game.acts = FakeRequests(lambda: game.end("outoftime", "black"))
    _, out, _ = play("chat now|", stays=True)
    assert "result: black wins; white lost on time" in out
    assert [game.record.reason for game in saved.saved_games()] == ["time"]


@pytest.mark.parametrize(
    ("typed", "acts"),
    [
        ("resign|resign yes|", ["resign"]),
        ("abort|", ["abort"]),
        ("draw|undo|takeback|resign yes|", ["draw/yes", "takeback/yes", "takeback/yes", "resign"]),
        ("decline|chat good luck|claim|resign yes|", ["chat", "claim-victory", "resign"]),
    ],
)
def test_commands_are_sent(fake: FakeLichess, play: Play, typed: str, acts: list[str]) -> None:
    game = fake.add(FakeGame())
    play(typed + "quit|")
    assert game.acts == acts
    assert [form["text"] for _, path, form in fake.requests if path.endswith("/chat")] == (
        ["good luck"] if "chat" in acts else []
    )


def test_hints_are_withheld_and_refusals_are_reported(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame())
    fake.failed_games["/api/board/game/abcdefgh/move"] = [400]
    _, out, _ = play("hint|analyse|e9|e4|resign yes|e4|resign yes|quit|")
    assert "'hint' is not allowed in games at a server" in out
    assert "'analyse'" not in "\n".join(line for line in out if "withheld" in line), "it is no word at all"
    assert "the move was not made: asked for" in out
    assert game.status == "resign"


def test_offers_and_chat_are_shown_sanitized(fake: FakeLichess, play: Play) -> None:
    game = FakeGame(color="black", replies=["e2e4"], name="Ri\x1b[2Jval")
    make = game.make

    def then_ask(word: str) -> None:
        make(word)
        game.flags |= {"wdraw": True, "wtakeback": True}
        game.tell(game.state())
        game.tell({"type": "chatLine", "room": "player", "username": "rival", "text": "hi\x1b]0;x\x07"})

    game.make = then_ask  # type: ignore[method-assign]
    fake.add(game)
    _, out, _ = play("decline|resign yes|quit|")
    text = "\n".join(out)
    assert "\x1b" not in text
    assert "Ri\\u001b[2Jval offers a draw: draw accepts it, decline refuses" in text
    assert "requests a takeback: undo accepts it" in text
    assert "rival: hi\\u001b]0;x\\u0007" in text
    assert game.acts[0] == "takeback/no"


def test_a_takeback_rewinds_the_match(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame(color="black", moves=["e2e4", "e7e5"], replies=["d2d4"]))

    def back() -> None:
        del game.moves[:]
        game.replies = ["f2f3"]
        game.tell(game.state())
        game.reply()
        game.end("aborted")

    game.acts = FakeRequests(back)
    _, out, _ = play("chat now|", stays=True)
    assert [line for line in out if "takes back" in line] == [
        "white takes back d4",
        "black takes back e5",
        "white takes back e4",
    ]
    assert "white plays f3" in out


# -- how games come about ------------------------------------------------------------------------


def test_a_challenge_that_is_accepted_begins_a_game(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame())
    assert play("resign yes|quit|", "challenge", "rival", "--clock", "5+3", "--as", "white")[0] == 0
    form = next(form for _, path, form in fake.requests if path == "/api/challenge/rival")
    assert form == {
        "rated": "false",
        "clock.limit": "300",
        "clock.increment": "3",
        "color": "white",
        "keepAliveStream": "true",
    }
    assert game.status == "resign"
    fake.answer = "declined"
    status, _, err = play("", "challenge", "rival")
    assert (status, err) == (4, "gameplay: rival did not accept: declined\n")
    game.status = "started"
    play("resign yes|quit|", "challenge", "ai:3")
    assert next(form for _, path, form in fake.requests if path == "/api/challenge/ai")["level"] == "3"


def test_a_seek_finds_a_game_that_was_not_in_progress(fake: FakeLichess, play: Play) -> None:
    fake.add(FakeGame("oldgame0"))
    fake.on_challenge = lambda user, form: seen.append(form) or fake.add(FakeGame("newgame0"))  # type: ignore[func-returns-value]
    seen: list[dict[str, str]] = []
    play("resign yes|quit|", "seek", "--clock", "15+10", "--rated")
    assert seen == [{"rated": "true", "time": "15", "increment": "10", "color": "random"}]
    assert (fake.games["newgame0"].status, fake.games["oldgame0"].status) == ("resign", "started")


def test_challenges_are_accepted_or_declined(fake: FakeLichess, play: Play) -> None:
    game = fake.add(FakeGame("chal0001"))
    hint = f"Try: gameplay lichess challenge USER --server {fake.url}\n"
    assert play("", "accept")[2] == f"gameplay: no challenge is pending at 127.0.0.1. {hint}"
    assert "'chal0009' is pending at 127.0.0.1; none is\n" in play("", "decline", "chal0009")[2]
    fake.challenges = [challenge("chal0001"), challenge("chal0002")]
    assert (
        "2 challenges are pending; expected an id (chal0001: Rival (1600), 5+3, casual; chal0002:"
        in play("", "accept")[2]
    )
    assert (
        "'chal0009' is pending at 127.0.0.1; expected one of these (chal"
        in play("", "decline", "chal0009")[2]
    )
    assert play("", "decline", "chal0002")[:2] == (0, ["declined chal0002"])
    play("resign yes|quit|", "accept", "chal0001")
    assert game.status == "resign"
    assert "/api/challenge/chal0001/accept" in fake.paths()


def test_bots_are_no_persons(fake: FakeLichess, play: Play) -> None:
    fake.account["title"] = "BOT"
    assert play("")[::2] == (
        2,
        "gameplay: Tester is a bot account, which requires an engine. "
        f"Try: gameplay lichess bot --server {fake.url}\n",
    )


def test_the_game_to_go_on_with_must_be_clear(fake: FakeLichess, play: Play) -> None:
    none = f"no game is in progress at 127.0.0.1. Try: gameplay lichess challenge USER --server {fake.url}\n"
    assert play("")[2] == f"gameplay: {none}"
    fake.add(FakeGame("game0001", moves=["e2e4"]))
    fake.add(FakeGame("game0004", moves=["e2e4"]))
    assert (
        "it is your turn in none of 2 games; expected the id of one. Try: gameplay lichess play game0001"
        in (play("")[2])
    )
    fake.add(FakeGame("game0002"))
    fake.add(FakeGame("game0003"))
    assert play("resign yes|quit|")[0] == 0
    assert fake.games["game0002"].status == "resign"
    assert play("resign yes|quit|", "play", "game0003")[0] == 0
    assert fake.games["game0003"].status == "resign"


def test_a_missing_game_or_tournament_is_named(fake: FakeLichess, play: Play) -> None:
    status, out, error = play("", "play", "gonegone")
    assert (status, out) == (2, [])
    options = f"--server {fake.url}"
    assert error == f"gameplay: 127.0.0.1 has no game 'gonegone'. Try: gameplay lichess games {options}\n"
    for word in ("join", "withdraw"):
        status, out, error = play("", word, "gonegone")
        assert (status, out) == (2, [])
        hint = f"Try: gameplay lichess tournaments {options}\n"
        assert error == f"gameplay: 127.0.0.1 has no tournament 'gonegone'. {hint}"
    assert f"Try: gameplay lichess tournaments {options}" in play("", "join", "../gone")[2]


def test_a_game_is_named_by_its_id_or_address(fake: FakeLichess, play: Play) -> None:
    fake.add(FakeGame())
    for word in (f"{fake.url}/abcdefgh/white", f"{fake.url}/abcdefghWXYZ", "abcdefgh"):
        assert play("quit|", "play", word)[0] == 0
    for word in ("abc", "https://lichess.org/abcdefgh", "../abcdefgh"):
        status, _, error = play("", "play", word)
        assert status == 2 and f"'{word}' is not the id of a game; expected 8 letters and digits" in error
        assert error.endswith(f"Try: gameplay lichess games --server {fake.url}\n")


def test_hints_repeat_the_file_of_the_token(fake: FakeLichess, play: Play, tmp_path: Path) -> None:
    file = tmp_path / "a token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    error = play("", "play", "--token-file", str(file))[2]
    assert error.endswith(f"challenge USER --server {fake.url} --token-file '{file}'\n")


@pytest.mark.parametrize("clock", ["abc", "5+x", "40/90", "10s/move", "5.01+0"])
def test_a_wrong_clock_is_refused_with_an_example(play: Play, clock: str) -> None:
    status, _, error = play("", "challenge", "rival", "--clock", clock)
    expected = "expected minutes and seconds a move. Try: --clock 5+3"
    assert (status, error) == (2, f"gameplay: --clock is '{clock}'; {expected}\n")


def test_leaving_and_forbidden_commands_are_described_before_enter(fake: FakeLichess, play: Play) -> None:
    interpreter = BoardInterpreter()
    interpreter.withheld = frozenset({"hint"})
    game = registry.game("chess")
    match = Match(game, [EmptySeat("human"), EmptySeat("human")], moves=["e4"])
    assert interpreter.meaning(" :hint", match) == (False, "'hint' is not allowed in games at a server")
    assert interpreter.meaning("e5", match) == (True, "Enter plays e5")
    left = "press Ctrl-C again to leave; the game"
    assert leave_warning(match, interpreter) == f"{left} goes on at the server"
    match.leave()
    assert leave_warning(match, interpreter) == f"{left} is saved"
    for line in ("hint", "e5"):  # an undo would not reach the server
        assert interpreter.execute(line, match).text == "the game is over"
    fake.add(FakeGame())
    (line,) = (line for line in play("help|quit|")[1] if line.startswith("quit "))
    assert line.split(maxsplit=1)[1] == "leave; the game goes on at the server (q, exit)"


class QuittingHuman:
    """A human who types `quit` when prompted; records the messages."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def read(self, match: MatchControl, interpreter: Interpreter) -> str:
        return "quit"

    def show_answer(self, text: str) -> None:
        self.messages.append(text)


def test_a_screen_shows_the_last_lines_together(fake: FakeLichess) -> None:
    fake.account["title"] = ""
    fake.add(FakeGame())
    link = Link(LichessServer(fake.url, Token(TOKEN)), "board", "abcdefgh", "tester")
    link.open()
    board = BoardGame(link, interactive=True, line_count=2)
    interpreter, person = BoardInterpreter(), QuittingHuman()
    seats = [BoardSeat(board, ours, person, interpreter, "") for ours in (True, False)]
    board.match = Match(registry.game("chess"), seats, clock=link.clock())
    for words in ("one", "two", "three"):
        link.texts.append(words)
        board.turn(True, person, interpreter)
        board.match.reason = ""
    link.close()
    assert person.messages == ["one", "one\ntwo", "two\nthree"]


class TypingHuman(QuittingHuman):
    """A human whose input is interrupted by events: empty lines."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.lines = [*lines, "quit"]

    def read(self, match: MatchControl, interpreter: Interpreter) -> str:
        return self.lines.pop(0)


def test_a_screen_keeps_its_message_when_an_event_ends_the_input(fake: FakeLichess) -> None:
    fake.account["title"] = ""
    fake.add(FakeGame())
    link = Link(LichessServer(fake.url, Token(TOKEN)), "board", "abcdefgh", "tester")
    link.open()
    board = BoardGame(link, interactive=True, line_count=3)
    person = TypingHuman("", "chat hello", "", "undo", "")
    interpreter = BoardInterpreter(board.commands())
    seats = [BoardSeat(board, ours, person, interpreter, "") for ours in (True, False)]
    board.match = Match(registry.game("chess"), seats, clock=link.clock())
    link.texts.append("Rival: hi")
    board.turn(True, person, interpreter)
    link.close()
    both, undo = "Rival: hi\nyou: hello", "takeback requested or accepted"
    assert person.messages[:6] == ["Rival: hi", "Rival: hi", both, both, undo, undo]
