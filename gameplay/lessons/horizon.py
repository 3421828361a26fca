"""The horizon effect in real positions: the moves of fixed-depth, quiescence and secondary search.

Hans Berliner, "Some necessary conditions for a master chess program", 1973, named the effect; quiescence is
Shannon's (1950), secondary search Greenblatt's (1967).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay import registry
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

# Turn off everything else that `selective` adds to quiescence, to isolate secondary search.
OFF = (
    "mates=off,threshold=off,null=off,reduce=off,late=off,futility=off,exchange=off,singular=off,extend=off,"
    "delta=off,checks=off"
)
SEARCHES = (
    ("fixed depth", "iterative:eval=classic"),
    ("quiescence", "quiescence:eval=classic"),
    ("quiescence and secondary search", f"selective:{OFF},secondary=2,eval=classic"),
)
REFERENCE = ("selective:eval=classic", 8)  # an engine and plies: the reference for move values
BLUNDER = 200  # centipawns of loss that make a blunder


@dataclass(frozen=True)
class HorizonPosition:
    """A chess position, the depth to search, and an explanation. `best` is the published move."""

    text: str
    depth: int
    best: str
    source: str
    why: str


EXAMPLES = (
    HorizonPosition(
        "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1",
        3,
        "h5",
        "Bratko and Kopec 1982, number 17",
        "A search of three plies ends after Nxe4 Nxe4 Bxe4 and counts a pawn and a piece for a piece; on the "
        "fourth ply Bxe4 takes the bishop. Quiescence search does not stop in the middle of an exchange.",
    ),
    HorizonPosition(
        "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1",
        4,
        "Rh8",
        "Reinfeld 1945, Win at Chess, number 18",
        "White threatens to promote and to check on the seventh rank: the rook is won only after a quiet "
        "move, beyond the depth. No capture leads there, so quiescence is not enough; secondary search "
        "extends the chosen line by two plies.",
    ),
)


@dataclass(frozen=True)
class HorizonChoice:
    """The move a search chose, its value by that search, and its loss by the reference engine."""

    name: str
    move: str
    value: float
    loss: float

    @property
    def blunder(self) -> bool:
        """True if it gives away two pawns or more."""
        return self.loss >= BLUNDER


def choices(example: HorizonPosition) -> list[HorizonChoice]:
    """The choice of each search in this position."""
    position = registry.game("chess").new(example.text)
    spec, plies = REFERENCE
    best = registry.engine(spec)[0].search(position, Limit(depth=plies)).value
    rows = []
    for name, each in SEARCHES:
        report = registry.engine(each)[0].search(position, Limit(depth=example.depth))
        assert report.move is not None
        true_value = _value(position, report.move)
        best = max(best, true_value)
        rows.append((name, position.format(report.move), report.value, true_value))
    return [HorizonChoice(name, move, value, best - true_value) for name, move, value, true_value in rows]


def _value(position: "AbstractPosition", move: int | None) -> float:
    assert move is not None
    spec, plies = REFERENCE
    value: float = registry.engine(spec)[0].search(position, Limit(depth=plies, moves=(move,))).value
    return value


def lines() -> Iterator[str]:
    """The text: each position with its board, the choices, and an explanation."""
    for number, example in enumerate(EXAMPLES):
        if number:
            yield ""
        position = registry.game("chess").new(example.text)
        yield f"{example.text}"
        yield ""
        yield str(position)
        yield ""
        yield f"{example.depth} plies; the published move is {example.best} ({example.source})"
        for choice in choices(example):
            lost = "a blunder: " if choice.blunder else ""
            away = f"{lost}{choice.loss / 100:.2f} pawns below the best" if choice.loss > 0 else "the best"
            yield f"  {choice.name + ':':<32} {choice.move:<4} {away}"
        yield ""
        yield example.why
    yield ""
    yield f"Moves are valued by {REFERENCE[0]}, {REFERENCE[1]} plies."
