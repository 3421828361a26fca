"""A strategy as a readable file: for each infoset of each player, the probability of each move.

    game = "kuhn"
    engine = "cfr:iterations=1000"      # what it was made by; any other facts of one word may stand here
    exploitability = 0.0002

    [first]                             # a player, as the game calls them
    "'J'" = { check = 0.777, bet = 0.223 }  # J ?

An infoset is written as Python writes it, a move as the game does; a move that is left out is not played.
Behind it stand the moves that lead there, as its player saw them; `?` is one that they did not see.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from gameplay import file_io
from gameplay.engines.cfr.profile import Mixed
from gameplay.errors import BadInput, brief, unknown
from gameplay.position import AbstractPosition, side

LARGEST = 64_000_000  # bytes of a file
DIGITS = 6  # behind the point
SLACK = 1e-3  # that the shares of an infoset may be off a sum of 1

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Strategy:
    """The strategy in a file. Raises BadInput, with the expected format, if it is none."""

    def __init__(self, file: str) -> None:
        self.file = file
        data = file_io.toml(Path(file), LARGEST)
        self.game = data.get("game")
        self.played = {name: table for name, table in data.items() if isinstance(table, dict)}
        if not isinstance(self.game, str) or not self.played:
            lacks = "a table for each player" if isinstance(self.game, str) else 'a field game = "NAME"'
            listed = f" (there are: {brief(', '.join(data))})" if data else ""
            raise BadInput(
                f"{file} is not a strategy: it lacks {lacks}{listed}. Try: gameplay exploit GAME --write FILE"
            )
        for name, table in self.played.items():
            for infoset, shares in table.items():
                self._check(f"{file}: {name}, {infoset}", shares)

    def _check(self, where: str, shares: Any) -> None:
        numbers: list[Any] = list(shares.values()) if isinstance(shares, dict) else [None]
        if not all(isinstance(x, int | float) and not isinstance(x, bool) and x >= 0 for x in numbers):
            like = "{ check = 0.25, bet = 0.75 }"
            raise BadInput(f"{where}: expected a table of moves with probabilities, as in {like}")
        if abs(sum(numbers) - 1) > SLACK:
            raise BadInput(f"{where}: the probabilities sum to {sum(numbers):g}; expected 1")

    def check(self, position: AbstractPosition) -> None:
        """Raise BadInput for a table of a player that the game does not have."""
        players = [side(position, player) for player in range(position.players)]
        for name in self.played:
            if name not in players:
                raise BadInput(f"{self.file}: {unknown('player', name, players)}")

    def shares(self, position: AbstractPosition, playing: bool = False) -> list[float]:
        """The probability of each of the mover's moves. Raises BadInput if the file has no entry for them.

        In a game in progress (`playing`) the error does not reveal the infoset, since other players read it.
        """
        name, infoset = side(position, position.turn), repr(position.infoset(position.turn))
        odds = self.played.get(name, {}).get(infoset)
        where = f"what {name} knows here" if playing and position.hidden else f"{name}, {infoset}"
        if odds is None:
            raise BadInput(f"{self.file}, made for {self.game}, has no entry for {where}")
        words = [position.format(move) for move in position.moves()]
        for word in odds:
            if word not in words:
                raise BadInput(f"{self.file}: {where}: {word} is none of {', '.join(words)}")
        total = sum(odds.values())
        return [odds.get(word, 0) / total for word in words]


def written(mixed: Mixed, facts: Mapping[str, Any], start: AbstractPosition | None = None) -> str:
    """A strategy as the text of a file; with observed moves, if the game's `start` is given."""
    form = mixed.form
    lines = [f"{_key(name)} = {json.dumps(fact, ensure_ascii=False)}" for name, fact in facts.items()]
    player = -1
    for infoset in form.infosets:
        if infoset.player != player:
            player = infoset.player
            lines += ["", f"[{_key(side(form, player))}]"]
        shares = [round(share, DIGITS) for share in mixed.shares(infoset)]
        odds = ", ".join(
            f"{_key(word)} = {_number(share)}"
            for word, share in zip(infoset.words, shares, strict=True)
            if share
        )
        key = json.dumps(repr(infoset.known), ensure_ascii=False)
        seen = infoset.seen(start) if start is not None else ""
        lines.append(f"{key} = {{ {odds} }}" + (f"  # {seen}" if seen else ""))
    return "\n".join(lines) + "\n"


def _number(share: float) -> str:
    return f"{share:.{DIGITS}f}".rstrip("0").rstrip(".")


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)


def drawn(position: AbstractPosition, moves: Sequence[int], shares: Sequence[float], seed: int) -> int:
    """A move sampled by probability: the same for the same seed and infoset, independent of other draws."""
    words = f"{seed}:{position.infoset(position.turn)!r}"
    rng = Random(int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little"))
    return rng.choices(moves, shares)[0]
