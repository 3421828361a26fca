"""The rules of the games of this package in brief: summary, objective, notation, examples, symbols, terms.

A file `rules.toml` of a game's package, or `NAME.rules.toml` beside a game of one file, holds them; the whole
rules are the docstring of the game's class. A user's own game has its docstring alone.
"""

import inspect
import textwrap
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from gameplay import catalogue
from gameplay.errors import BadInput, GameplayError
from gameplay.position import CHANCE, AbstractPosition

if TYPE_CHECKING:
    from gameplay.registry import Game

DEALS = 20  # random deals and rolls in which an example may be legal
FEW = 3  # examples


@dataclass(frozen=True)
class Example:
    """A move as it is typed, its meaning, and the moves before it in which it is legal."""

    move: str
    text: str
    after: str = ""
    position: str = ""


@dataclass(frozen=True)
class Rules:
    """The rules of a game in brief. summary: the game in a few words, for lists."""

    summary: str
    objective: str
    moves: str
    examples: tuple[Example, ...] = ()
    symbols: dict[str, str] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)

    def lines(self, width: int) -> list[str]:
        """All of it, wrapped to `width` columns."""
        examples = [(example.move, example.text) for example in self.examples]
        return [
            *textwrap.wrap(self.objective, width),
            "",
            *textwrap.wrap(self.moves, width),
            *_table(examples, width),
            *(["", "symbols:", *_table(list(self.symbols.items()), width)] if self.symbols else []),
            *(["", "terms:", *_table(list(self.terms.items()), width)] if self.terms else []),
        ]

    def meaning(self, word: str) -> str:
        """The term or symbol `word` explained; "" if it is neither."""
        plain = word.lower()
        terms = {name.lower(): f"{name}: {text}" for name, text in self.terms.items()}
        symbol = self.symbols.get(word)
        return terms.get(plain) or (f"{word}: {symbol}" if symbol else "")


def of(cls: type) -> Rules | None:
    """The rules of a game's class; None for a game that is not of this package."""
    name = catalogue.game_of(cls)
    return _read(name) if name else None


@cache
def _read(name: str) -> Rules | None:
    file = catalogue.rules_file(name)
    if file is None:
        return None
    data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    try:
        examples = tuple(Example(**example) for example in data.pop("examples", ()))
        return Rules(examples=examples, **data)
    except TypeError as error:
        fields = "summary, objective and moves, and of each example move and text"
        raise BadInput(f"{file}: {error}; expected at least {fields}") from None


def brief(cls: type, width: int, game: "Game | None" = None) -> list[str]:
    """The rules of a game in brief, in lines; of a user's game the docstring of its class.

    With a `game` that has parameters, its examples are those that are legal there, see `fitting`.
    """
    rules = of(cls)
    if rules is not None:
        return (fitting(rules, game) if game is not None and game.parameters else rules).lines(width)
    text = inspect.cleandoc(cls.__doc__ or "The game has no description: its class has no docstring.")
    return [line for part in text.splitlines() for line in textwrap.wrap(part, width) or [""]]


def fitting(rules: Rules, game: "Game") -> Rules:
    """Rules with the examples that are legal by the parameters of a game; without any, its first moves."""
    seeds = range(DEALS)
    examples = [one for one in rules.examples if any(is_legal(game, one, seed) for seed in seeds)]
    if not examples:
        position = _begun(game, Example("", ""), 0)
        words = [position.format(move) for move in position.moves()] if position.outcome() is None else []
        examples = [Example(word, "legal at the start") for word in words[:FEW]]
    return replace(rules, examples=tuple(examples))


def is_legal(game: "Game", example: Example, seed: int) -> bool:
    """True if an example is legal after the moves that it names, and random deals or rolls."""
    try:
        position = _begun(game, example, seed)
        return position.outcome() is None and position.parse(example.move) in set(position.moves())
    except GameplayError:
        return False


def _begun(game: "Game", example: Example, seed: int) -> AbstractPosition:
    """The position of an example, after random deals or rolls where chance is next."""
    chance = Random(seed)
    position = game.seeded(seed).new(example.position or None)
    for word in example.after.split():
        position.make(position.parse(word))
    while position.outcome() is None and position.turn == CHANCE:
        position.make(chance.choice(list(position.moves())))
    return position


def _table(rows: list[tuple[str, str]], width: int) -> list[str]:
    """Names and texts in two columns."""
    wide = max((len(name) for name, _ in rows), default=0)
    lines: list[str] = []
    for name, text in rows:
        head = f"  {name:<{wide}}  "
        lines += textwrap.wrap(head + text, max(width, wide + 14), subsequent_indent=" " * len(head))
    return lines
