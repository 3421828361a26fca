"""The evaluation `correction` of chess and its files: `classic`, and what a learned network adds to it.

    game = "chess"
    evaluation = "correction"
    version = 1
    checksum = "8d0e52a9c3f1b764"    # of the network and of what it corrects
    classic = "5f0c1b7d9a3e2468"     # checksum of the weights of `classic` that it was learned for
    file = "weights.bin"             # beside it: 16-bit numbers, packed by zlib; see `correction.py`

`gameplay learn chess --method correction` writes such files; the option `eval=FILE` of engines reads them.
"""

import json
import zlib
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.games.chess.board import ChessBoard
from gameplay.games.chess.correction import SIZE, CorrectedEstimator, numbers
from gameplay.games.chess.evaluation import EVALUATIONS
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.weights import unpacked_beside

NAME = "correction"
FIELDS = {"game": str, "evaluation": str, "version": int, "checksum": str, "classic": str, "file": str}


class CorrectedEvaluation(AbstractEvaluation):
    """`classic`, and what a network adds to it, as searches without the interpreter have it."""

    name = NAME
    words = "classic, and what a network adds to it, learned by self-play"
    game = "chess"
    version = 1

    def __init__(self, packed: bytes, file: Path | None = None) -> None:
        """`packed`: the weights of the network. Raises ValueError for bytes of another size."""
        self.packed = packed
        self.file = file
        self._numbers = numbers(packed)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # weights never change: copies of a position share them

    @property
    def inside(self) -> bool:
        """False: it is none of those that the game lists."""
        return False

    @property
    def classic(self) -> str:
        """The checksum of the weights that are corrected."""
        return str(EVALUATIONS["classic"].checksum)

    @cached_property
    def checksum(self) -> str:
        """16 hex digits of the network and of what it corrects."""
        return blake2b(self.classic.encode() + self.packed, digest_size=8).hexdigest()

    def estimator(self, position: AbstractPosition) -> CorrectedEstimator:
        """An estimator for one position and what a search makes of it: it remembers the last board."""
        self.check(position)
        return CorrectedEstimator(self._numbers)

    def check(self, position: AbstractPosition) -> None:
        """Raise BadInput if the position is of another game."""
        if not isinstance(position, ChessBoard):
            raise BadInput(f"{self.file} is for another board or version of the game: expected chess")

    def evaluate(self, position: Any) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for the mover."""
        return self.evaluate_for(position, position.turn)

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for a player."""
        value = int(self.estimator(position).worth(position))
        return value if player == 0 else -value


def write(path: Path, evaluation: CorrectedEvaluation, comment: str) -> None:
    """Write a file that `read` reads, the weights into NAME.bin beside it."""
    packed = path.with_suffix(".bin")
    facts = {
        "game": evaluation.game,
        "evaluation": evaluation.name,
        "version": evaluation.version,
        "checksum": evaluation.checksum,
        "classic": evaluation.classic,
        "file": packed.name,
    }
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name} = {json.dumps(value)}" for name, value in facts.items()]
    file_io.write(packed, [zlib.compress(evaluation.packed, 9)])
    file_io.write(path, [("\n".join(lines) + "\n").encode()])


@cache
def read(path: Path) -> CorrectedEvaluation:
    """The evaluation in a file, read once a process. Raises BadInput, saying what is wrong."""
    data = file_io.toml(path)
    for name, kind in FIELDS.items():
        if type(data.get(name)) is not kind:
            raise BadInput(
                f"{path}: {name} is {'wrong' if name in data else 'missing'}: learn the weights again"
            )
    if data["game"] != CorrectedEvaluation.game:
        raise BadInput(f"{path} holds weights for {data['game']}, and this is chess")
    version = CorrectedEvaluation.version
    if data["version"] != version:
        raise BadInput(f"{path}: version {data['version']}: expected {version}; learn the weights again")
    content = unpacked_beside(path, data["file"], SIZE)
    if len(content) != SIZE:
        raise BadInput(
            f"file {path.parent / data['file']} has {len(content) // 2} weights: expected {SIZE // 2}"
        )
    evaluation = CorrectedEvaluation(content, path)
    if data["classic"] != evaluation.classic:
        raise BadInput(
            f"{path} corrects weights of classic with checksum {data['classic']}, and those of this version "
            f"have {evaluation.classic}: learn the weights again"
        )
    if data["checksum"] != evaluation.checksum:
        raise BadInput(
            f"{path}: the checksum is not that of the weights: the file or one beside it is damaged"
        )
    return evaluation
