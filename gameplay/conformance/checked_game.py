"""The game under test: every call into its code is timed and its exceptions are reported as broken laws."""

import functools
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gameplay.errors import Fault, raised
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.spans import Span, abridge
from gameplay.usercode.watchdog import patience


class LawBroken(Exception):
    """A law does not hold: its name, and what was seen."""

    def __init__(self, law: str, seen: str) -> None:
        super().__init__(seen)
        self.law = law
        self.seen = seen


class CheckedGame:
    """A game and its current example: the moves made and the drawing that a broken law is reported with."""

    def __init__(self, game: Game, seconds: float) -> None:
        self.game = game
        self.seconds = seconds  # for each call
        self.path: list[str] = []  # the moves made, in words
        self.drawing = ""
        self.saw: set[int] = set()  # players who saw the last move
        self.printed = io.StringIO()

    def call(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with patience(self.seconds, what):
                return call(*arguments)
        except Fault as fault:
            raise LawBroken("returns", str(fault)) from None
        except (Exception, SystemExit) as error:
            raise LawBroken("raises", f"{what} raised {raised(error)}") from error

    def new(self) -> AbstractPosition:
        try:
            with patience(self.seconds, "the constructor"):
                return self.game.new()
        except Fault as fault:
            raise LawBroken("raises" if fault.__cause__ else "returns", str(fault)) from fault

    def make(self, position: AbstractPosition, move: int) -> None:
        word = self.call("format()", position.format, move)
        if position.hidden:
            self.saw = {seat for seat in range(position.players) if self.sees(position, seat, move)}
        self.call(f"make({move})", position.make, move)
        self.path.append(word)

    def sees(self, position: AbstractPosition, seat: int, move: int) -> bool:
        return bool(self.call(f"sees({seat}, {move})", position.sees, seat, move))

    def when(self) -> str:
        return f'after "{" ".join(self.path)}"' if self.path else "at the start"

    def replay(self, moves: Iterable[int]) -> AbstractPosition:
        """Make these moves in a new position, which is then the one that a broken law is reported at."""
        position, self.path = self.new(), []
        for move in moves:
            self.make(position, move)
        self.drawing = str(position)
        return position

    def look(self, position: AbstractPosition) -> dict[str, Any]:
        """All facts of a position, by name."""
        ask = self.call
        outcome = ask("outcome()", position.outcome)
        look: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            moves = ask("moves()", position.moves)
            if not isinstance(moves, Sequence):
                raise LawBroken("moves", f"moves() is a {type(moves).__name__}, not a list")
            look["moves()"] = written_out(moves)
            if position.turn == CHANCE:
                look["chances()"] = self.listed("chances", position.chances, "chances()")
            else:
                look["evaluate()"] = ask("evaluate()", position.evaluate)
                look["noisy()"] = self.listed("noisy", position.noisy, "noisy()")
                look["forced()"] = ask("forced()", position.forced)
                for bit, name in enumerate(position.policies):
                    drawn = functools.partial(position.policy_moves, 1 << bit)
                    look[f"policy_moves() by {name}"] = self.listed("policies", drawn, "policy_moves()")
        if position.players == 1:
            look["estimate()"] = ask("estimate()", position.estimate)
        look["key()"] = ask("key()", position.key)
        for player in range(position.players):
            if outcome is None:
                look[f"evaluate_for({player})"] = ask("evaluate_for()", position.evaluate_for, player)
            look[f"infoset({player})"] = ask(f"infoset({player})", position.infoset, player)
        look["text()"] = ask("text()", position.text)
        look["diagram()"] = ask("diagram()", position.diagram)
        look["str()"] = ask("str()", str, position)
        return look

    def listed(self, law: str, call: Callable[[], object], name: str) -> list[Any]:
        """What the method of that name, which a law is about, gave, as a list."""
        given = self.call(name, call)
        try:
            return list(given)
        except TypeError:
            raise LawBroken(law, f"{name} is {short(given)}, not a list") from None


def same(law: str, before: dict[str, Any], after: dict[str, Any], when: str) -> None:
    for name in before:
        if name not in after or before[name] != after[name]:
            was, now = short(before[name]), short(after.get(name, "nothing"))
            raise LawBroken(law, f"{name} was {was} and is {now} {when}")


def likely(look: dict[str, Any]) -> list[int]:
    """The moves that can happen."""
    if look["turn"] != CHANCE:
        return list(look["moves()"])
    return [move for move, odds in zip(look["moves()"], look["chances()"], strict=True) if odds > 0]


def written_out(moves: Sequence[int]) -> list[int]:
    """The moves as a list: those of a Span, which may be billions, only in part."""
    return list(abridge(moves) if isinstance(moves, Span) else moves)


def is_whole(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def is_stable(key: Any) -> bool:
    """True for what compares and prints alike in every process."""
    if isinstance(key, tuple):
        return all(is_stable(part) for part in key)
    return key is None or (isinstance(key, (int, float, str, bytes)) and key == key)


def short(value: Any) -> str:
    text = value if isinstance(value, str) and "\n" not in value else repr(value)
    return text if len(text) <= 160 else text[:157] + "..."
