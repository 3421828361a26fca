"""A uniformly random legal move: the opponent every engine should beat."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from gameplay.search.engine import GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.options import seed_option
from gameplay.search.report import Report

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

ALIASES = ("rnd",)
REPORT = Report(nodes=1, bound="unknown", source="random")


@dataclass
class RandomMover(GeneralEngine):
    """Plays a random legal move, in every game."""

    name = "random"
    thinks = False
    samples = True
    priority = 2

    seed: int = seed_option("the move", "move")

    def odds(self, position: "AbstractPosition") -> list[float]:
        """Equal probabilities."""
        count = len(position.moves())
        return [1 / count] * count

    def at_once(self, position: "AbstractPosition", limit: Limit) -> Report:
        """A move drawn by a hash of the seed and the mover's information set, independent of other draws."""
        words = f"{self.seed}:{position.infoset(position.turn)!r}"
        draw = int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little")  # below 2**64
        moves = position.moves()
        if limit.moves:
            moves = [move for move in moves if move in limit.moves]
        move = moves[draw * len(moves) >> 64]
        return REPORT.with_(move=move, pv=(move,))
