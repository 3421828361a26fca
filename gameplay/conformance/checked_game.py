"""The game under test: every call into its code is timed and its exceptions are reported as broken laws."""

import functools
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gameplay.errors import Fault, describe_exception, truncate
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.spans import Span, abridge
from gameplay.usercode.watchdog import time_limit


class LawBroken(Exception):
    """A law does not hold: its name, and what was observed."""

    def __init__(self, law: str, observation: str) -> None:
        super().__init__(observation)
        self.law = law
        self.observation = observation


class CheckedGame:
    """A game and its current example: the moves made and the drawing that a broken law is reported with."""

    def __init__(self, game: Game, seconds: float) -> None:
        self.game = game
        self.seconds = seconds  # for each call
        self.path: list[str] = []  # the moves made, formatted
        self.drawing = ""
        self.saw: set[int] = set()  # players who saw the last move
        self.output = io.StringIO()

    def call(self, description: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with time_limit(self.seconds, description):
                return call(*arguments)
        except Fault as fault:
            raise LawBroken("returns", str(fault)) from None
        except (Exception, SystemExit) as error:
            raise LawBroken("raises", f"{description} raised {describe_exception(error)}") from error

    def new(self) -> AbstractPosition:
        try:
            with time_limit(self.seconds, "the constructor"):
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
        """Make these moves in a new position; set `path` and `drawing`, which reports of broken laws show."""
        position, self.path = self.new(), []
        for move in moves:
            self.make(position, move)
        self.drawing = str(position)
        return position

    def facts_of(self, position: AbstractPosition) -> dict[str, Any]:
        """All facts of a position, by name."""
        call = self.call
        outcome = call("outcome()", position.outcome)
        facts: dict[str, Any] = {"turn": position.turn, "outcome()": outcome}
        if outcome is None:
            moves = call("moves()", position.moves)
            if not isinstance(moves, Sequence):
                raise LawBroken("moves", f"moves() is a {type(moves).__name__}, not a list")
            facts["moves()"] = as_list(moves)
            if position.turn == CHANCE:
                facts["chances()"] = self.call_list("chances", position.chances, "chances()")
            else:
                facts["evaluate()"] = call("evaluate()", position.evaluate)
                facts["noisy()"] = self.call_list("noisy", position.noisy, "noisy()")
                facts["forced()"] = call("forced()", position.forced)
                for bit, name in enumerate(position.policies):
                    policy_call = functools.partial(position.policy_moves, 1 << bit)
                    facts[f"policy_moves() by {name}"] = self.call_list(
                        "policies", policy_call, "policy_moves()"
                    )
        if position.players == 1:
            facts["estimate()"] = call("estimate()", position.estimate)
        facts["key()"] = call("key()", position.key)
        for player in range(position.players):
            if outcome is None:
                facts[f"evaluate_for({player})"] = call("evaluate_for()", position.evaluate_for, player)
            facts[f"infoset({player})"] = call(f"infoset({player})", position.infoset, player)
        facts["text()"] = call("text()", position.text)
        facts["diagram()"] = call("diagram()", position.diagram)
        facts["str()"] = call("str()", str, position)
        return facts

    def call_list(self, law: str, call: Callable[[], object], name: str) -> list[Any]:
        """Call a method and return its result as a list. Raises LawBroken for `law` if it is not iterable."""
        result = self.call(name, call)
        try:
            return list(result)
        except TypeError:
            raise LawBroken(law, f"{name} is {brief(result)}, not a list") from None


def check_equal(law: str, expected: dict[str, Any], actual: dict[str, Any], context: str) -> None:
    for name in expected:
        if name not in actual or expected[name] != actual[name]:
            was, now = brief(expected[name]), brief(actual.get(name, "nothing"))
            raise LawBroken(law, f"{name} was {was} and is {now} {context}")


def possible_moves(facts: dict[str, Any]) -> list[int]:
    """The legal moves; at a chance node those with positive probability."""
    if facts["turn"] != CHANCE:
        return list(facts["moves()"])
    return [move for move, odds in zip(facts["moves()"], facts["chances()"], strict=True) if odds > 0]


def as_list(moves: Sequence[int]) -> list[int]:
    """The moves as a list; a Span, which may contain billions, is abridged."""
    return list(abridge(moves) if isinstance(moves, Span) else moves)


def is_integer(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)


def is_stable(key: Any) -> bool:
    """True if a key compares and prints alike in every process."""
    if isinstance(key, tuple):
        return all(is_stable(part) for part in key)
    return key is None or (isinstance(key, (int, float, str, bytes)) and key == key)


def brief(value: Any) -> str:
    text = value if isinstance(value, str) and "\n" not in value else repr(value)
    return truncate(text, 160)
