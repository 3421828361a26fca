"""Evaluations by signature tables, and their files.

    game = "checkers"
    evaluation = "signature"
    version = 1
    checksum = "8d0e52a9c3f1b764"
    terms = "samuel"                 # the linear evaluation of the terms
    span = 50                        # the value of a C of 1, in units
    fixed = { man = 819200 }         # weights of terms that are added to the value of the tables
    slots = [["man", 1, 2, 3], ...]  # the terms in tables: name, smallest size of each range
    tables = ["01234", ...]          # the entries of each table but the last, a digit each
    values = [-120, ...]             # the entries of the last table: 1000 times C

`gameplay learn --method signature` writes these files; the option `eval=FILE` of engines reads them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from gameplay import file_io
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, unknown_name
from gameplay.once import once_per_file
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.signatures.tables import MAX_SLOTS, WHOLE, SignatureTables
from gameplay.terms.reader import term_reader

NAME = "signature"
VERSION = 1
INPUTS = 3  # of a table, at most
RANGES = 5  # of the entries of a table below the last level
MAX_CUTS = 3  # of a term: 7 ranges
FARTHEST = 127  # counts are clamped to this size
MAX_SPAN = 100_000  # far below a win, with the fixed terms
CERTAIN = 1000  # the value of a C of 1 in a game without points

Slot = tuple[str, tuple[int, ...]]  # a term, and the smallest size of its count in each range away from 0


@dataclass(frozen=True)
class SignatureLayout:
    """The connections of the tables: each has up to three inputs, terms or tables of the level below."""

    slots: tuple[Slot, ...]

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The number of tables of each level; the last is 1."""
        counts = [-(-len(self.slots) // INPUTS)]
        while counts[-1] > 1:
            counts.append(-(-counts[-1] // INPUTS))
        return tuple(counts)

    @cached_property
    def radices(self) -> tuple[int, ...]:
        """The number of ranges of each node: terms first, then tables."""
        return (*(2 * len(cuts) + 1 for _, cuts in self.slots), *[RANGES] * sum(self.levels))

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The first input node of each table."""
        firsts, begin = [], 0
        for below, count in zip((len(self.slots), *self.levels), self.levels, strict=False):
            firsts += [begin + INPUTS * number for number in range(count)]
            begin += below
        return tuple(firsts)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The number of inputs of each table."""
        widths = []
        for below, count in zip((len(self.slots), *self.levels), self.levels, strict=False):
            widths += [min(INPUTS, below - INPUTS * number) for number in range(count)]
        return tuple(widths)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of entries of each table."""
        return tuple(
            prod(self.radices[first : first + width])
            for first, width in zip(self.firsts, self.widths, strict=True)
        )

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The index of the first entry of each table."""
        return tuple(sum(self.sizes[:number]) for number in range(len(self.sizes)))

    @property
    def size(self) -> int:
        """The number of all entries."""
        return sum(self.sizes)


class SignatureEvaluation(AbstractEvaluation):
    """Signature tables as an evaluation. Searches of compiled games evaluate without the interpreter."""

    def __init__(
        self,
        terms: AbstractEvaluation,
        layout: SignatureLayout,
        outputs: Sequence[int],
        fixed: Mapping[str, int],
        span: int,
        file: Path | None = None,
    ) -> None:
        self.name = NAME
        self.words = f"{len(layout.sizes)} signature tables over {len(layout.slots)} terms of {terms.name}"
        self.game = terms.game
        self.terms = terms
        self.layout = layout
        self.outputs = tuple(outputs)  # the entries of all tables
        self.fixed_weights = MappingProxyType(dict(fixed))
        self.span = span
        self.file = file
        self._tables: SignatureTables | None = None

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # weights never change: copies of a position share them

    @property
    def inside(self) -> bool:
        """False: the evaluation is not one of the game."""
        return False

    @cached_property
    def checksum(self) -> str:
        """16 hex digits of the tables and their layout."""
        content = (self.terms.name, self.layout.slots, self.outputs, dict(self.fixed_weights), self.span)
        return blake2b(repr(content).encode(), digest_size=8).hexdigest()

    def estimator(self, position: AbstractPosition) -> SignatureTables:
        """The tables, shared by all positions."""
        if self._tables is None:
            reader = term_reader(self.terms, position)
            fixed = [self.fixed_weights.get(name, 0) for name in reader.names]
            self._tables = SignatureTables(reader, self.layout, fixed, self.terms.scale, self.span)
            self._tables.put(self.outputs)
        return self._tables

    def evaluate(self, position: Any) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for the mover."""
        return self.evaluate_for(position, position.turn)

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as in `AbstractEvaluation`
        """The value of a position for a player."""
        value: int = self.estimator(position).value_of(kernel_of(position))
        return value if player == 0 else -value


def span_of(terms: AbstractEvaluation, position: AbstractPosition) -> int:
    """The value of a C of 1: half the least fixed term (so that -1 to 1 is a man), else ten points."""
    fixed = [abs(terms.weights[name]) for name in terms.fixed if terms.weights[name]]
    if fixed:
        return int(max(1, min(fixed) // (2 * terms.scale)))
    return 10 * position.unit if position.scored else CERTAIN


# -- files -----------------------------------------------------------------------------------------------

FIELDS = {
    "game": str,
    "evaluation": str,
    "version": int,
    "checksum": str,
    "terms": str,
    "span": int,
    "fixed": dict,
    "slots": list,
    "tables": list,
    "values": list,
}


def write(path: Path, evaluation: SignatureEvaluation, comment: str) -> None:
    """Write an evaluation to a file for `read`."""
    layout, outputs = evaluation.layout, evaluation.outputs
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [
        f"game = {json.dumps(evaluation.game)}",
        f'evaluation = "{NAME}"',
        f"version = {VERSION}",
        f'checksum = "{evaluation.checksum}"',
        f"terms = {json.dumps(evaluation.terms.name)}",
        f"span = {evaluation.span}",
        "fixed = { "
        + ", ".join(f"{json.dumps(name)} = {weight}" for name, weight in evaluation.fixed_weights.items())
        + " }",
        "slots = [",
        *[f"    {json.dumps([name, *cuts])}," for name, cuts in layout.slots],
        "]",
        "tables = [",
    ]
    *below, last = zip(layout.offsets, layout.sizes, strict=True)
    lines += [f'    "{"".join(map(str, outputs[at : at + size]))}",' for at, size in below]
    at, size = last
    rows = [outputs[k : k + 15] for k in range(at, at + size, 15)]
    lines += ["]", "values = [", *[f"    {', '.join(map(str, row))}," for row in rows], "]"]
    file_io.write(path, ["\n".join(lines).encode() + b"\n"])


@once_per_file
def read(path: Path, game: "type[AbstractPosition]") -> SignatureEvaluation:
    """Read the evaluation in a file, cached until it changes. Raises BadInput for an invalid file."""
    data = file_io.toml(path)
    for name, kind in FIELDS.items():
        if type(data.get(name)) is not kind:
            wrong = "wrong" if name in data else "missing"
            raise BadInput(f"{path}: {name} is {wrong}: learn the tables again")
    linear = {name: evaluation for name, evaluation in game.evaluations.items() if evaluation.scale}
    if data["game"] not in {evaluation.game for evaluation in linear.values()}:
        raise BadInput(f"{path} holds tables for {data['game']}, and this is {game.__name__.lower()}")
    if data["terms"] not in linear:
        raise BadInput(f"{path}: {unknown_name('linear evaluation', data['terms'], linear)}")
    if data["version"] != VERSION:
        raise BadInput(f"{path}: version {data['version']}: expected {VERSION}; learn the tables again")
    try:
        evaluation = _evaluation(path, data, linear[data["terms"]])
    except (TypeError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from None
    if data["checksum"] != evaluation.checksum:
        raise BadInput(f"{path}: the checksum is not that of the tables: the file is damaged")
    return evaluation


def _evaluation(path: Path, data: dict[str, Any], terms: AbstractEvaluation) -> SignatureEvaluation:
    """The evaluation that a file describes. Raises TypeError or ValueError if it is invalid."""
    layout = SignatureLayout(tuple(_slot(row, terms) for row in data["slots"]))
    names = [name for name, _ in layout.slots]
    if not 0 < len(names) <= MAX_SLOTS or len(set(names)) < len(names):
        raise ValueError(f"slots: expected 1 to {MAX_SLOTS} terms, each once")
    *sizes, last = layout.sizes
    if [len(table) for table in data["tables"]] != sizes or not all(
        type(table) is str for table in data["tables"]
    ):
        raise ValueError(f"tables: expected {len(sizes)} tables of {', '.join(map(str, sizes))} digits")
    digits = "".join(data["tables"])
    if not set(digits) <= set("01234"):
        raise ValueError("tables: expected digits from 0 to 4")
    values = data["values"]
    if len(values) != last or not all(type(value) is int and abs(value) <= WHOLE for value in values):
        raise ValueError(f"values: expected {last} whole numbers from -{WHOLE} to {WHOLE}")
    for name, weight in data["fixed"].items():
        if name not in terms.fixed or type(weight) is not int or abs(weight) > terms.max_weight:
            raise ValueError(f"fixed: {name} = {weight!r}: expected a weight of {', '.join(terms.fixed)}")
    if not 0 < data["span"] <= MAX_SPAN:
        raise ValueError(f"span is {data['span']}: expected 1 to {MAX_SPAN}")
    return SignatureEvaluation(terms, layout, (*map(int, digits), *values), data["fixed"], data["span"], path)


def _slot(row: Any, terms: AbstractEvaluation) -> Slot:
    name, *cuts = row
    if name not in terms.weights:
        raise ValueError(f"slots: {unknown_name('term', str(name), terms.weights)}")
    valid = all(type(cut) is int for cut in cuts) and 1 <= len(cuts) <= MAX_CUTS
    if not valid or cuts[0] < 1 or cuts != sorted(set(cuts)) or cuts[-1] > FARTHEST + MAX_CUTS:
        raise ValueError(f"slots: {name}: expected 1 to {MAX_CUTS} increasing sizes")
    return name, tuple(cuts)
