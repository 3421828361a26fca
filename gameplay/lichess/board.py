"""A person's game at a server: a local match whose seats wait for moves that the server confirms.

While the opponent thinks, the person may type commands: chat, takebacks, draw offers. An event from the
server (`Link.news`) ends the pending input; the match is updated, and input is requested again.
"""

from typing import TYPE_CHECKING

from gameplay.errors import IllegalMove, TryLater
from gameplay.lichess.link import Link
from gameplay.lichess.server import Refused
from gameplay.players.commands import PLAYING, Answer, Command
from gameplay.players.human import Human, PlayerInput
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, MatchControl

if TYPE_CHECKING:
    from gameplay.matches.match import Match

SEAT = "lichess"  # the spec of the opponent
# Allowed commands: none that search, which servers forbid, or that change only the local match.
ALLOWED = {
    *("help", "moves", "rules", "show", "quit", "save", "flip", "full", "line", "clock", "review"),
    *("settings", "theme", "pieces", "coordinates", "bar", "panel"),
    *("undo", "draw", "decline", "resign", "abort", "claim", "chat"),
}


class BoardInterpreter(Interpreter):
    """Reads moves on the person's turn, and commands at any time."""

    waiting = ""  # name of the opponent who is to move; "": it is the person's turn

    def move_of(self, text: str, match: MatchControl) -> int:
        """As in `Interpreter`; raises IllegalMove on the opponent's turn."""
        if match.over():
            raise IllegalMove("the game is over")
        if self.waiting:
            raise IllegalMove(f"it is the turn of {self.waiting}")
        return super().move_of(text, match)

    def execute(self, line: str, match: MatchControl) -> Answer:
        """As in `Interpreter`; commands that servers forbid are refused with the reason."""
        refusal = self._refusal(line, match)
        return Answer(refusal) if refusal else super().execute(line, match)

    def meaning(self, line: str, match: MatchControl) -> tuple[bool, str]:
        """As in `Interpreter`; with the reason for commands that servers forbid."""
        refusal = self._refusal(line, match)
        return (False, refusal) if refusal else super().meaning(line, match)

    def _refusal(self, line: str, match: MatchControl) -> str:
        """The reason why the command in `line` is refused; "" if it is not."""
        word = line.strip().lstrip(":/").partition(" ")[0].lower()
        if word in self.withheld and word in self.table and not match.over():
            return f"'{word}' is not allowed in games at a server"
        return ""

    def square(self, text: str, match: MatchControl) -> str:
        """As in `Interpreter`; on the opponent's turn no piece can be selected."""
        return "" if self.waiting else super().square(text, match)

    def after_leaving(self, match: MatchControl) -> str:
        """As in `Interpreter`."""
        return super().after_leaving(match) if match.over() else "the game goes on at the server"

    def invitation(self, match: MatchControl) -> str:
        """The prompt, with the possible input."""
        if self.waiting and not match.over():
            return f"waiting for {self.waiting}; chat, undo, draw, resign, quit or help"
        return "game over; type review, quit or help" if match.over() else super().invitation(match)

    def _move_texts(self, match: MatchControl) -> list[str]:
        return [] if self.waiting else super()._move_texts(match)

    def _promotions(self, text: str, match: MatchControl) -> tuple[int, ...]:
        return () if self.waiting else super()._promotions(text, match)


class BoardGame:
    """The person's side of a game at the server. `match` is set when it begins."""

    match: "Match"

    def __init__(self, link: Link, interactive: bool, line_count: int = 0) -> None:
        self.link = link
        self.line_count = line_count  # maximum lines from the server to show; 0: the screen keeps all
        self.recent: list[str] = []  # messages since our last move
        self.shown = ""  # the text on the screen
        self.interactive = interactive  # input is possible at any time, not only on the person's turn

    def commands(self) -> tuple[Command, ...]:
        """The commands of a game at a server."""

        def send_action(action: str, text: str) -> Answer:
            self.link.send_action(action)
            return Answer(text)

        def resign(match: MatchControl, argument: str) -> Answer:
            if argument.lower() != "yes":
                return Answer("to resign type: resign yes")
            return send_action("resign", "you resign")

        def decline(match: MatchControl, _: str) -> Answer:
            opponent = 1 - self.link.seat
            if self.link.state.takeback_requests[opponent]:
                return send_action("takeback/no", "the takeback is declined")
            if self.link.state.draw_offers[opponent]:
                return send_action("draw/no", "the draw is declined")
            return Answer("there is nothing to decline")

        def chat(match: MatchControl, text: str) -> Answer:
            self.link.chat(text[:140])
            if self.line_count:
                self._add_messages([f"you: {text[:140]}"])
                return Answer("\n".join(self.recent))
            return Answer(f"you: {text[:140]}")

        return (
            Command(
                "undo",
                "",
                "request or accept a takeback",
                lambda match, _: send_action("takeback/yes", "takeback requested or accepted"),
                PLAYING,
            ),
            Command(
                "draw",
                "",
                "offer a draw, accept or claim one",
                lambda match, _: send_action("draw/yes", "draw offered or accepted"),
                PLAYING,
            ),
            Command("decline", "", "decline an offer or request", decline, PLAYING),
            Command("resign", "[yes]", "give up", resign, PLAYING),
            Command(
                "abort",
                "",
                "end the game before the second move, without a result",
                lambda match, _: send_action("abort", "the game is aborted"),
                PLAYING,
            ),
            Command(
                "claim",
                "",
                "win the game if the opponent has left",
                lambda match, _: send_action("claim-victory", "the win is claimed"),
                PLAYING,
            ),
            Command("chat", "TEXT", "write to the opponent", chat),
        )

    def turn(self, is_own: bool, source: PlayerInput, interpreter: BoardInterpreter) -> Choice | None:
        """The next move of a seat; None if the match changed otherwise, or the person leaves."""
        link, match = self.link, self.match
        view = match.view(link.seat)
        assert link.full is not None
        opponent = link.full.players[1 - link.seat].name
        while True:
            if texts := link.follow(match):
                self._add_messages(texts)
                self._show("\n".join(self.recent), source)
            if match.over() or (match.turn == link.seat) != is_own:
                return None
            if (move := link.next_move(match)) is not None:
                return Choice(move)
            if not is_own and not self.interactive:
                if link.full.days:  # the reply may take days
                    match.leave()
                    return None
                link.wait()
                continue
            interpreter.waiting = "" if is_own else opponent
            line = source.read(view, interpreter)
            if not line.strip():
                if self.line_count:  # an event ended the input, and the screen dropped its message
                    self._show(self.shown, source)
                continue
            answer = interpreter.execute(line, view)
            self.shown = ""
            if answer.text:
                self._show(answer.text, source)
            if answer.choice is not None and self._send_move(answer.choice, source):
                return answer.choice
            if answer.done:
                return None

    def _add_messages(self, texts: list[str]) -> None:
        self.recent = [*self.recent, *texts][-self.line_count :] if self.line_count else texts

    def _show(self, text: str, source: PlayerInput) -> None:
        source.show_answer(text)
        self.shown = text

    def _send_move(self, choice: Choice, source: PlayerInput) -> bool:
        """Send the person's move; if the server rejects it, show the reason and return False."""
        try:
            self.link.send(self.match, choice.move)
        except (Refused, TryLater) as error:
            source.show_answer(f"the move was not made: {error}")
            return False
        self.recent, self.shown = [], ""
        return True


class BoardSeat(Human):
    """A seat of the match: the person's if `is_own`, else the opponent's."""

    def __init__(
        self,
        game: BoardGame,
        is_own: bool,
        source: PlayerInput,
        interpreter: BoardInterpreter,
        display_name: str,
    ) -> None:
        super().__init__(source, interpreter, display_name)
        self.spec = Human.spec if is_own else SEAT
        self.game, self.is_own, self.board_interpreter = game, is_own, interpreter

    def choose(self, match: MatchControl) -> Choice | None:
        """The move that the server sends or accepts; see `BoardGame.turn`."""
        return self.game.turn(self.is_own, self.input, self.board_interpreter)
