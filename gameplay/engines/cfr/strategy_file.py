"""Strategies as TOML files: the probability of each move at each infoset of each player.

    game = "kuhn"
    engine = "cfr:iterations=1000"      # what computed it; other keys with scalar values are allowed
    exploitability = 0.0002

    [first]                             # the name of a player
    "'J'" = { check = 0.777, bet = 0.223 }  # J ?

An infoset is the `repr` of its key, a move is in the game's notation; omitted moves have probability 0. The
comment lists the moves that lead there, as the player observed them: `?` is an unobserved move.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from gameplay import file_io
from gameplay.catalogue import games, name_of
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.errors import BadInput, brief, unknown_name
from gameplay.position import AbstractPosition, side, side_names

MAX_BYTES = 64_000_000  # bytes of a file
DIGITS = 6  # after the decimal point
TOLERANCE = 1e-3  # for the sum of an infoset's probabilities, which should be 1

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Strategy:
    """The strategy in a file. Raises BadInput if the file has another format."""

    def __init__(self, file: str) -> None:
        self.file = file
        data = file_io.toml(Path(file), MAX_BYTES)
        self.game = data.get("game")
        self.played = {name: table for name, table in data.items() if isinstance(table, dict)}
        if not isinstance(self.game, str) or not self.played:
            missing = "a table for each player" if isinstance(self.game, str) else 'a field game = "NAME"'
            fields = f" (it has: {brief(', '.join(data))})" if data else ""
            raise BadInput(
                f"{file} is not a strategy: it lacks {missing}{fields}. Try: gameplay exploit GAME --out FILE"
            )
        for name, table in self.played.items():
            for infoset, odds in table.items():
                self._check(f"{file}: {name}, {infoset}", odds)

    def _check(self, where: str, odds: Any) -> None:
        numbers: list[Any] = list(odds.values()) if isinstance(odds, dict) else [None]
        if not all(isinstance(x, int | float) and not isinstance(x, bool) and x >= 0 for x in numbers):
            example = "{ check = 0.25, bet = 0.75 }"
            raise BadInput(f"{where}: expected a table of moves with probabilities, as in {example}")
        if abs(sum(numbers) - 1) > TOLERANCE:
            raise BadInput(f"{where}: the probabilities sum to {sum(numbers):g}; expected 1")

    def check(self, position: AbstractPosition) -> None:
        """Raise BadInput if the file is for another game, or names a player that the game does not have."""
        game, made_for = name_of(position), str(self.game).partition(":")[0]
        if made_for != game and made_for in games():
            raise BadInput(
                f"{self.file} is a strategy for {self.game}; expected one for {game}. "
                f"Try: gameplay exploit {game} --out FILE"
            )
        players = side_names(position)
        for name in self.played:
            if name not in players:
                raise BadInput(f"{self.file}: {unknown_name('player', name, players)}")

    def probabilities(self, position: AbstractPosition, playing: bool = False) -> list[float]:
        """The probability of each of the mover's moves. Raises BadInput if the file has no entry for them.

        In a game in progress (`playing`) the error does not reveal the infoset, since other players read it.
        """
        name, infoset = side(position, position.turn), repr(position.infoset(position.turn))
        odds = self.played.get(name, {}).get(infoset)
        where = f"{name}'s infoset here" if playing and position.hidden else f"{name}, {infoset}"
        if odds is None:
            raise BadInput(f"{self.file}, made for {self.game}, has no entry for {where}")
        names = [position.format(move) for move in position.moves()]
        for name in odds:
            if name not in names:
                raise BadInput(f"{self.file}: {where}: {name} is not a legal move: {', '.join(names)}")
        total = sum(odds.values())
        return [odds.get(name, 0) / total for name in names]


def format_strategy(
    profile: StrategyProfile, facts: Mapping[str, Any], start: AbstractPosition | None = None
) -> str:
    """The text of a strategy file, with observed moves as comments if the game's `start` is given."""
    form = profile.form
    lines = [f"{_key(name)} = {json.dumps(fact, ensure_ascii=False)}" for name, fact in facts.items()]
    player = -1
    written = set()
    for infoset in form.infosets:
        if (infoset.player, infoset.key) in written:  # a transposition of a game of perfect information
            continue
        written.add((infoset.player, infoset.key))
        if infoset.player != player:
            player = infoset.player
            lines += ["", f"[{_key(side(form, player))}]"]
        probabilities = [round(p, DIGITS) for p in profile.probabilities(infoset)]
        odds = ", ".join(
            f"{_key(name)} = {_number(p)}"
            for name, p in zip(infoset.move_names, probabilities, strict=True)
            if p
        )
        key = json.dumps(repr(infoset.key), ensure_ascii=False)
        path = infoset.observed_path(start) if start is not None else ""
        lines.append(f"{key} = {{ {odds} }}" + (f"  # {path}" if path else ""))
    return "\n".join(lines) + "\n"


def _number(probability: float) -> str:
    return f"{probability:.{DIGITS}f}".rstrip("0").rstrip(".")


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def sample_move(position: AbstractPosition, moves: Sequence[int], odds: Sequence[float], seed: int) -> int:
    """A move sampled by `odds`, uniformly if all are 0. Depends only on the seed and the mover's infoset."""
    words = f"{seed}:{position.infoset(position.turn)!r}"
    rng = Random(int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little"))
    return rng.choices(moves, odds if any(odds) else None)[0]
