"""Static evaluations: an `Evaluation` is a name and its weights, for one game or for any.

A game lists its evaluations by name, the default first (`evaluations`). The engine option `eval` selects
another: a name from this list, a file of weights, a file of code, or a name that an installed package
registers under the entry point `gameplay.evaluations`. Files of weights are learned or written by hand:

    game = "connect4"
    evaluation = "threats"          # one of the game's evaluations
    version = 1                     # of that evaluation: weights of other versions are rejected
    checksum = "8d0e52a9c3f1b764"   # of the weights, see `Evaluation.checksum`

    [weights]                       # or `file = "NAME"`: packed, in the same folder
    right_row = 12
    wrong_row = 5

`gameplay.weights` reads and writes such files. A user-defined evaluation is a class in a file,
`eval=./centre.py`, or a function `evaluate(position)`:

    from gameplay import Evaluation

    class Centre(Evaluation):
        "Stones in the middle column."

        def evaluate(self, position):
            ...
            return value            # for the mover, in the game's `unit`

In a game that is not zero-sum, or not for two players, it estimates each player's payoff in a method (or
function) `evaluate_for(position, player)`, see `Position.evaluate_for`.
"""

import copy
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from gameplay import file_io, weights
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Fault, Usage, describe_exception, unknown_name
from gameplay.position import CHANCE, AbstractEvaluation, AbstractPosition
from gameplay.weights import check, freeze

if TYPE_CHECKING:
    from gameplay.knowledge.rote import RoteRecord
    from gameplay.ntuples.learned import LearnedEvaluation

ENTRY_POINTS = "gameplay.evaluations"
METHODS = ("evaluate", "evaluate_for")  # names of a user-defined function or method


class Evaluation(AbstractEvaluation):
    """An immutable evaluation, shared by threads and copies of positions.

    `weights` are ints by name, single or in nested tuples, or bytes. `with_weights` returns a copy with other
    weights. A user-defined evaluation is a subclass with `evaluate`.
    """

    def __init__(
        self,
        name: str = "",
        words: str = "",
        weights: Any = None,
        version: int = 1,
        max_weight: int = 0,
        exact: bool = False,
        scale: int = 0,
        fixed: tuple[str, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name or type(self).name or type(self).__name__.lower()
        self.words = words or type(self).words or (inspect.getdoc(type(self)) or "").partition("\n")[0]
        self.version = version
        self.max_weight = max_weight or type(self).max_weight
        self.exact = exact or type(self).exact
        self.scale = scale or type(self).scale
        self.fixed = fixed or type(self).fixed
        self.meanings = MappingProxyType(meanings or type(self).meanings)
        if weights is not None:
            self.weights = freeze(weights)

    def evaluate(self, position: Any) -> int:  # Any: positions of one game, of some evaluations
        """Estimate the value of a position, from the mover's view, in the game's `unit`.

        The default is the game's evaluation under these weights; user-defined evaluations override it. An
        override may call any method of the position except `twin()`, and make moves if it unmakes them. It
        runs in one thread at a time, and slows down the search of compiled games.
        """
        if not self.inside:
            return self.evaluate_for(position, position.turn)
        kept, position.evaluation = position.evaluation, self
        try:
            return int(position.evaluate())
        finally:
            position.evaluation = kept

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as above
        """Estimate a player's payoff, in the game's `unit`: see `Position.evaluate_for`.

        User-defined evaluations default to `evaluate` in zero-sum games for two, and raise Usage in others.
        """
        if self.inside:
            kept, position.evaluation = position.evaluation, self
            try:
                return int(position.evaluate_for(player))
            finally:
                position.evaluation = kept
        if not self.suits(position):
            raise Usage(
                f"evaluation {self.name} has no evaluate_for(position, player), which {name_of(position)} "
                "requires: it is not a zero-sum game for two"
            )
        if position.turn == CHANCE:
            return 0
        value = self.evaluate(position)
        return value if player == position.turn else -value

    @property
    def inside(self) -> bool:
        """True if the game computes the evaluation, false if it is user-defined."""
        cls = type(self)
        return cls.evaluate is Evaluation.evaluate and cls.evaluate_for is Evaluation.evaluate_for

    def suits(self, position: AbstractPosition) -> bool:
        """True if `evaluate_for` works for this game: `evaluate` suffices in zero-sum games for two."""
        mover_only = type(self).evaluate_for is Evaluation.evaluate_for and not self.inside
        return not mover_only or (position.players == 2 and position.zero_sum)

    @property
    def checksum(self) -> str:
        """A hash of the weights, their names and their order: 16 hex digits."""
        from hashlib import blake2b

        held = self.weights
        plain = held if isinstance(held, bytes) else repr(dict(freeze(held))).encode()
        return blake2b(plain, digest_size=8).hexdigest()

    def with_weights(self, given: Any, file: Path | None = None) -> Self:
        """The same evaluation under other weights. Raises BadInput, naming the invalid weight."""
        if self.size and isinstance(given, bytes):
            if len(given) != self.size:
                raise BadInput(f"{len(given)} bytes of weights; {self.name} has {self.size}")
        else:
            check(self.weights, given, self.max_weight, self.name)
            given = {name: given[name] for name in self.weights}  # in the declared order
        other = copy.copy(self)
        other.weights, other.file = freeze(given), file or self.file
        return other

    def counts(self, position: AbstractPosition) -> dict[str, int]:
        """The terms of a linear evaluation in a position by name, from the mover's view.

        A term is the value under a weight of 1 for it and 0 for all others. Raises Usage if this evaluation
        is not linear.
        """
        if not self.scale:
            raise Usage(f"evaluation {self.name} of {self.game or 'any game'} is not a sum of named terms")
        kept = position.evaluation
        counts = {}
        try:
            for name, unit in _unit_evaluations(position.evaluations[self.name]).items():
                position.evaluation = unit
                counts[name] = int(position.evaluate())
        finally:
            position.evaluation = kept
        return counts

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, checksum {self.checksum})"


class PackedEvaluation(Evaluation):
    """An evaluation whose weights are `size` bytes; the defaults are in a file next to its module."""

    stored = "weights.toml"

    @cached_property
    def weights(self) -> bytes:
        """The default weights, loaded on first use."""
        module = sys.modules[type(self).__module__]
        return weights.load_packed(Path(str(module.__file__)).with_name(self.stored), self.size)


@cache
def _unit_evaluations(evaluation: AbstractEvaluation) -> dict[str, AbstractEvaluation]:
    """A linear evaluation under a weight of 1 for one term and 0 for the others, by the name of the term."""
    none = dict.fromkeys(evaluation.weights, 0)
    return {name: evaluation.with_weights(none | {name: evaluation.scale}) for name in none}


class RoteEvaluation(Evaluation):
    """Another evaluation, except where a position is stored, see `gameplay.knowledge.rote`."""

    def __init__(self, base: AbstractEvaluation, records: "Mapping[int, RoteRecord]", depth: int) -> None:
        from gameplay.knowledge.books.fingerprint import fingerprint
        from gameplay.knowledge.rote import discount

        super().__init__("rote", f"{base.name}, and {len(records):,} stored positions")
        self.base = base
        self.game = base.game
        self.records = records  # by fingerprint
        self.depth = depth  # plies of the searches that it serves
        self.used: set[int] = set()  # fingerprints of the stored positions that were evaluated
        self._key, self._discounted = fingerprint, discount

    def evaluate(self, position: AbstractPosition) -> int:
        """The stored value, reduced; without one, the value of the other evaluation."""
        key = self._key(position)
        record = self.records.get(key)
        if record is None:
            return self.base.evaluate(position)
        self.used.add(key)
        return self._discounted(record.value, self.depth)

    @property
    def checksum(self) -> str:
        """A hash of the other evaluation's weights and of the records: 16 hex digits."""
        from hashlib import blake2b

        rows = [
            self.base.checksum,
            *(f"{key:x} {record.value}" for key, record in sorted(self.records.items())),
        ]
        return blake2b(" ".join(rows).encode(), digest_size=8).hexdigest()


class FunctionEvaluation(Evaluation):
    """A user-defined function `evaluate(position)`, or such a method of a user's object."""

    def __init__(self, name: str, function: Callable[..., int]) -> None:
        super().__init__(name)
        self.words = (inspect.getdoc(function) or "").partition("\n")[0]
        self.function = function

    def evaluate(self, position: AbstractPosition) -> int:
        """The function's value."""
        return self.function(position)


class PayoffEvaluation(FunctionEvaluation):
    """A user-defined function `evaluate_for(position, player)`, or such a method of a user's object."""

    def evaluate(self, position: AbstractPosition) -> int:
        """The function's value for the mover."""
        return self.function(position, position.turn)

    def evaluate_for(self, position: AbstractPosition, player: int) -> int:
        """The function's value for a player."""
        return self.function(position, player)


def by_name(game: str, *evaluations: Evaluation) -> Mapping[str, Evaluation]:
    """A game's `evaluations`: by name, the default first."""
    for evaluation in evaluations:
        evaluation.game = game
    return MappingProxyType({evaluation.name: evaluation for evaluation in evaluations})


def load_evaluation(name: str, words: str, file: Path, max_weight: int) -> Evaluation:
    """Load an evaluation whose default weights, their names and number come from a file."""
    evaluation = Evaluation(name, words, file_io.toml(file)["weights"], max_weight=max_weight)
    evaluation.file = file
    return evaluation


def linear_evaluation(
    module: str, name: str, words: str, scale: int, max_weight: int, fixed: tuple[str, ...] = ()
) -> Evaluation:
    """Load a weighted sum of named terms from terms.toml next to a module: each term's weight and meaning."""
    terms = file_io.toml(Path(module).with_name("terms.toml"))
    return Evaluation(
        name,
        words,
        {term: weight * scale for term, (weight, _) in terms.items()},
        max_weight=max_weight,
        scale=scale,
        fixed=fixed,
        meanings={term: meaning for term, (_, meaning) in terms.items()},
    )


# -- the option `eval` -----------------------------------------------------------------------------


def select_evaluation(word: str, position: AbstractPosition) -> AbstractEvaluation | None:
    """The evaluation that the option `eval` names for a position; None for "": the game's default.

    Raises Usage if there is none of that name, BadInput for a file that cannot be used, Fault for code that
    fails when imported.
    """
    if not word:
        return None
    if word in position.evaluations:
        return position.evaluations[word]
    if word.endswith(".toml"):
        return _load_weights(Path(word), position)
    if word.endswith(".rote"):
        return _load_records(Path(word), position)
    if is_file(word):
        return _load_code(word)
    from gameplay.usercode import plugin

    offered = plugin.entry_points(ENTRY_POINTS)
    if word in offered:
        return _wrap(plugin.load("evaluation", offered[word]), word, word)
    more = "; for one of your own, give its file: ./NAME.py" if "." not in word else ""
    raise Usage(unknown_name("evaluation", word, [*position.evaluations, *offered]) + more)


def is_file(word: str) -> bool:
    """True if the option `eval` names a file: weights, stored positions (.rote), code (.py, .py:NAME)."""
    return word.endswith((".toml", ".rote", ".py")) or ".py:" in word


def split_file(word: str) -> tuple[Path, str]:
    """Split the option `eval` into a file and a name in it: `./mine.py:Centre` is ./mine.py, Centre."""
    head, colon, name = word.partition(".py:")
    return Path(head + ".py" if colon else word), name


def resolve_file(word: str, folder: Path | None = None) -> str:
    """The option `eval` with the path of its file absolute; relative paths start at `folder` (None: here)."""
    if not is_file(word):
        return word
    path, name = split_file(word)
    return str(((folder or Path.cwd()) / os.path.expanduser(path)).resolve()) + (":" + name if name else "")


def placed_in(spec: str, folder: Path) -> str:
    """The spec of a built-in engine, with the file of its option `eval` resolved from `folder`."""
    return re.sub(
        r"([:,] *eval=)([^,]+)", lambda found: found[1] + resolve_file(found[2].strip(), folder), spec
    )


def files_of(word: str) -> list[Path]:
    """The files that the option `eval` depends on: the named one, and its companion files."""
    if not is_file(word):
        return []
    path, _ = split_file(word)
    return [path, *weights.companion_files(path)] if path.suffix == ".toml" else [path]


def _load_weights(path: Path, position: AbstractPosition) -> AbstractEvaluation:
    kind = file_io.toml(path).get("evaluation")
    if kind == "signature":
        from gameplay.signatures import evaluation as signature

        return signature.read(path, type(position))
    if not isinstance(kind, str) or kind not in LEARNED:
        return weights.read(path, type(position))
    evaluation = LEARNED[kind](path, name_of(position))
    evaluation.check(position)
    return evaluation


def _load_ntuples(path: Path, game: str) -> "LearnedEvaluation":
    from gameplay.ntuples import weights

    return weights.read(path, game)


def _load_network(path: Path, game: str) -> "LearnedEvaluation":
    from gameplay.networks import weights

    return weights.read(path, game)


# Readers of learned weights.
LEARNED = {"ntuples": _load_ntuples, "network": _load_network}


def _load_records(path: Path, position: AbstractPosition) -> Evaluation:
    from gameplay.knowledge import rote

    game, name, given, depth, records = rote.read(path)
    base = position.evaluations.get(name)
    if base is None or base.game != game.partition(":")[0]:
        raise BadInput(f"{path} holds stored positions of {game}, not of {name_of(position)}")
    return RoteEvaluation(base.with_weights(given), records, depth)


# -- code ----------------------------------------------------------------------------------------


@cache
def _load_code(word: str) -> Evaluation:
    """The evaluation in a user's file: the named class or function, else the only one."""
    from gameplay.usercode import plugin

    path, wanted = split_file(word)
    module = plugin.load_module(path, "an evaluation is a .py file, its weights a .toml file")
    own = {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    }
    candidates = {
        name: thing for name, thing in own.items() if _is_class(thing) or name in (*METHODS, wanted)
    }
    if wanted:
        if wanted not in candidates:
            raise Usage(f"{path}: {unknown_name('evaluation', wanted, candidates)}")
        return _wrap(candidates[wanted], wanted, word)
    if not candidates:
        raise BadInput(
            f"{path} holds no evaluation; expected a class with evaluate(position) or a function evaluate"
        )
    if len(candidates) > 1:
        listed = ", ".join(candidates)
        raise Usage(f"{path} holds several evaluations ({listed}). Try: {path}:{next(iter(candidates))}")
    name, thing = next(iter(candidates.items()))
    return _wrap(thing, path.stem if name in METHODS else name, word)


def _is_class(thing: Any) -> bool:
    """True for a class of evaluations; a game's class has `evaluate` too."""
    evaluates = any(callable(getattr(thing, name, None)) for name in METHODS)
    return inspect.isclass(thing) and evaluates and not hasattr(thing, "moves")


def _wrap(thing: Any, name: str, word: str) -> Evaluation:
    """Wrap a class, object or function as an evaluation. Raises Usage, or Fault if the constructor fails."""
    if inspect.isclass(thing):
        try:
            thing = thing()
        except Exception as error:
            raise Fault(f"evaluation {word}: the constructor raised {describe_exception(error)}") from error
    if isinstance(thing, Evaluation):
        if thing.inside:
            raise Usage(f"evaluation {word}: {type(thing).__name__} has no evaluate(position)")
        thing.name = thing.name or name.lower()
        return thing
    each = getattr(thing, "evaluate_for", thing if getattr(thing, "__name__", "") == "evaluate_for" else None)
    if each is not None:
        return PayoffEvaluation(name.lower(), each)
    function = getattr(thing, "evaluate", thing)
    if not callable(function):
        raise Usage(f"evaluation {word}: {name} is neither a class with evaluate(position) nor a function")
    return FunctionEvaluation(name.lower(), function)
