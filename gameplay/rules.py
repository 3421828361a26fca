"""The rules of the built-in games in brief: summary, objective, notation, examples, symbols, terms.

They are read from `rules.toml` in a game's package, or `NAME.rules.toml` next to a game of one file. The
full rules are the docstring of the game's class; a user-defined game has only this.
"""

import inspect
import textwrap
import tomllib
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from gameplay import catalogue
from gameplay.errors import BadInput, GameplayError
from gameplay.position import CHANCE, AbstractPosition

if TYPE_CHECKING:
    from gameplay.registry import Game

SEEDS = 20  # random deals and rolls tried for the legality of an example
MAX_EXAMPLES = 3


class Example(msgspec.Struct, frozen=True):
    """A move as it is typed, its meaning, and the moves before it in which it is legal."""

    move: str
    text: str
    after: str = ""
    position: str = ""


class Rules(msgspec.Struct, frozen=True):
    """The rules of a game in brief. summary: the game in a few words, for lists."""

    summary: str
    objective: str
    moves: str
    examples: tuple[Example, ...] = ()
    symbols: dict[str, str] = {}
    terms: dict[str, str] = {}

    def lines(self, width: int) -> list[str]:
        """All sections as lines, wrapped to `width` columns."""
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
        """The meaning of the term or symbol `word`; "" if it is neither."""
        plain = word.lower()
        terms = {name.lower(): f"{name}: {text}" for name, text in self.terms.items()}
        symbol = self.symbols.get(word)
        return terms.get(plain) or (f"{word}: {symbol}" if symbol else "")


def of(cls: type) -> Rules | None:
    """The rules of a game's class; None for a game that is not built in."""
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
        fields = "summary, objective and moves, and for each example move and text"
        raise BadInput(f"{file}: {error}; expected at least {fields}") from None


def brief(cls: type, width: int, game: "Game | None" = None) -> list[str]:
    """The rules of a game as lines; for a user-defined game the docstring of its class.

    With a `game` that has parameters, only examples that are legal in it, see `legal_examples`.
    """
    rules = of(cls)
    if rules is not None:
        return (legal_examples(rules, game) if game is not None and game.parameters else rules).lines(width)
    text = inspect.cleandoc(cls.__doc__ or "The game has no description: its class has no docstring.")
    return [line for part in text.splitlines() for line in textwrap.wrap(part, width) or [""]]


def legal_examples(rules: Rules, game: "Game") -> Rules:
    """The rules with only the examples that are legal in `game`; without any, with its first moves."""
    seeds = range(SEEDS)
    examples = [example for example in rules.examples if any(is_legal(game, example, seed) for seed in seeds)]
    if not examples:
        position = _example_position(game, Example("", ""), 0)
        words = [position.format(move) for move in position.moves()] if position.outcome() is None else []
        examples = [Example(word, "legal at the start") for word in words[:MAX_EXAMPLES]]
    return structs.replace(rules, examples=tuple(examples))


def is_legal(game: "Game", example: Example, seed: int) -> bool:
    """True if an example is legal after its moves, with deals and rolls drawn from `seed`."""
    try:
        position = _example_position(game, example, seed)
        return position.outcome() is None and position.parse(example.move) in set(position.moves())
    except GameplayError:
        return False


def _example_position(game: "Game", example: Example, seed: int) -> AbstractPosition:
    """The position of an example, with deals and rolls drawn from `seed`."""
    chance = Random(seed)
    position = game.with_seed(seed).new(example.position or None)
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
