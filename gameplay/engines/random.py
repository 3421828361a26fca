"""Any legal move, each as likely: the opponent every engine should beat."""

from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

from gameplay.search.engine import GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.options import seed_option
from gameplay.search.report import Report

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

ALIASES = ("rnd",)


@dataclass
class RandomMover(GeneralEngine):
    """Plays a random legal move, in every game."""

    name = "random"
    thinks = False
    samples = True
    merit = 2

    seed: int = seed_option("the move", "move")

    def odds(self, position: "AbstractPosition") -> list[float]:
        """Each move alike."""
        count = len(position.moves())
        return [1 / count] * count

    def at_once(self, position: "AbstractPosition", limit: Limit) -> Report:
        """A move drawn by a hash of the seed and of what the mover knows: no stream that others share."""
        words = f"{self.seed}:{position.infoset(position.turn)!r}"
        draw = Random(int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little"))
        moves = position.moves()
        if limit.moves:
            moves = [move for move in moves if move in limit.moves]
        move = draw.choice(moves)
        return Report(move=move, nodes=1, pv=(move,), bound="unknown", source="random")
