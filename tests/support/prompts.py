"""Entries of a prompt that tests share."""

from typing import Any

from prompt_toolkit.buffer import Buffer

from gameplay import registry
from gameplay.display.terminal.line_input import LineInput, PieceSelection
from gameplay.display.terminal.screen import Screen
from gameplay.display.theme import Theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter

PLAIN = Theme(colour=False, unicode=True, interactive=True)


class Future:
    """Replaces the awaited future."""

    def __init__(self, done: bool = False) -> None:
        self.over = done
        self.error: Any = None

    def done(self) -> bool:
        return self.over

    def set_exception(self, error: BaseException) -> None:
        self.over, self.error = True, error


def entry_of(game: str, moves: str | list[str] = "", start: str = "", specs: tuple[str, ...] = ()) -> Any:
    game_class = registry.game(game)
    seats = specs or ("human",) * game_class.new().players
    words = moves.split() if isinstance(moves, str) else moves
    match: Any = Match(game_class, [EmptySeat(spec) for spec in seats], start, words)
    screen = Screen(PLAIN, 0)
    screen.match = match
    asking = Interpreter()
    entry = LineInput(
        screen, match, lambda text: asking.meaning(text, match), lambda text: asking.completions(text, match),
        lambda: asking.invitation(match), "told before", PieceSelection(asking, match),
    )  # fmt: skip
    entry.buffer = Buffer()
    return entry
