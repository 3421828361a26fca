"""What positions look worth: an `Evaluation` is a name and its weights, for one game or for any.

A game lists its own by name, the default first (`evaluations`). The engine option
`eval` selects another: a name from this list, a file of weights, a file of code, or a name that an installed
package registers under the entry point `gameplay.evaluations`. Files of weights are learned or written by
hand:

    game = "connect4"
    evaluation = "threats"          # whose weights they are, of those that the game lists
    version = 1                     # of that evaluation: weights of another version mean something else
    checksum = "8d0e52a9c3f1b764"   # of the weights, as `Evaluation.checksum` makes it

    [weights]                       # or `file = "NAME"`, beside it, where they are too many to read
    right_row = 12
    wrong_row = 5

`gameplay.weights` reads and writes such files. A user-defined evaluation is a class in a file,
`eval=./centre.py`, or a function `evaluate(position)`:

    from gameplay import Evaluation

    class Centre(Evaluation):
        "Stones in the middle column."

        def evaluate(self, position):
            ...
            return worth            # for the mover, in the game's `unit`

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

from gameplay import weights
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Fault, Usage, raised, unknown
from gameplay.position import CHANCE, AbstractEvaluation, AbstractPosition
from gameplay.weights import check, frozen

if TYPE_CHECKING:
    from gameplay.knowledge.rote import RoteRecord
    from gameplay.ntuples.learned import LearnedEvaluation

ENTRY_POINTS = "gameplay.evaluations"
CALLED = ("evaluate", "evaluate_for")  # names of a user-defined function or method


class Evaluation(AbstractEvaluation):
    """What positions look worth, under weights that never change: threads and copies of positions share it.

    `weights` are ints by name, one or a row or a row of rows, or bytes. To learn or to try others, ask for
    the same evaluation with these: `weighed`. One's own evaluation is a subclass with `evaluate`.
    """

    def __init__(
        self,
        name: str = "",
        words: str = "",
        weights: Any = None,
        version: int = 1,
        most: int = 0,
        exact: bool = False,
        scale: int = 0,
        fixed: tuple[str, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name or type(self).name or type(self).__name__.lower()
        self.words = words or type(self).words or (inspect.getdoc(type(self)) or "").partition("\n")[0]
        self.version = version
        self.most = most or type(self).most
        self.exact = exact or type(self).exact
        self.scale = scale or type(self).scale
        self.fixed = fixed or type(self).fixed
        self.meanings = MappingProxyType(meanings or type(self).meanings)
        if weights is not None:
            self.weights = frozen(weights)

    def evaluate(self, position: Any) -> int:  # Any: positions of one game, of some evaluations
        """An estimate of the value of a position, from the mover's view, in the game's `unit`.

        Here it is the game's own evaluation under these weights; user-defined evaluations override it. It may
        call any method of the position, and make moves if it unmakes them. A compiled game is searched at the
        speed of this function, which runs in one thread at a time; `twin()` fails there.
        """
        if not self.inside:
            return self.evaluate_for(position, position.turn)
        kept, position.evaluation = position.evaluation, self
        try:
            return int(position.evaluate())
        finally:
            position.evaluation = kept

    def evaluate_for(self, position: Any, player: int) -> int:  # Any: as above
        """An estimate of a player's payoff, in the game's `unit`: see `Position.evaluate_for`.

        Default of user-defined evaluations: `evaluate`, in zero-sum games for two. Raises Usage in any other
        game.
        """
        if self.inside:
            kept, position.evaluation = position.evaluation, self
            try:
                return int(position.evaluate_for(player))
            finally:
                position.evaluation = kept
        if not self.suits(position):
            raise Usage(
                f"evaluation {self.name} speaks for the mover alone, and {name_of(position)} asks what "
                "each player gets: give it a method evaluate_for(position, player)"
            )
        if position.turn == CHANCE:
            return 0
        value = self.evaluate(position)
        return value if player == position.turn else -value

    @property
    def inside(self) -> bool:
        """True if the game computes it; false if it is user-defined."""
        cls = type(self)
        return cls.evaluate is Evaluation.evaluate and cls.evaluate_for is Evaluation.evaluate_for

    def suits(self, position: AbstractPosition) -> bool:
        """True if `evaluate_for` works here: a user-defined `evaluate` suffices in zero-sum games for two."""
        alone = type(self).evaluate_for is Evaluation.evaluate_for and not self.inside
        return not alone or (position.players == 2 and position.zero_sum)

    @property
    def checksum(self) -> str:
        """16 hex digits of the weights, their names and their order."""
        from hashlib import blake2b

        held = self.weights
        plain = held if isinstance(held, bytes) else repr(dict(frozen(held))).encode()
        return blake2b(plain, digest_size=8).hexdigest()

    def weighed(self, given: Any, file: Path | None = None) -> Self:
        """The same evaluation under other weights. Raises BadInput, saying which of them is wrong."""
        if self.size and isinstance(given, bytes):
            if len(given) != self.size:
                raise BadInput(f"{len(given)} bytes of weights, and {self.name} has {self.size}")
        else:
            check(self.weights, given, self.most, self.name)
            given = {name: given[name] for name in self.weights}  # in the order that their readers count on
        other = copy.copy(self)
        other.weights, other.file = frozen(given), file or self.file
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
            for name, unit in _units(position.evaluations[self.name]).items():
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
    """An evaluation whose weights are `size` bytes; the default ones lie in a file beside its module."""

    stored = "weights.toml"

    @cached_property
    def weights(self) -> bytes:
        """The default weights, read when they are needed."""
        module = sys.modules[type(self).__module__]
        return weights.unpacked(Path(str(module.__file__)).with_name(self.stored), self.size)


@cache
def _units(evaluation: AbstractEvaluation) -> dict[str, AbstractEvaluation]:
    """A linear evaluation under a weight of 1 for one term and 0 for the others, by the name of the term."""
    none = dict.fromkeys(evaluation.weights, 0)
    return {name: evaluation.weighed(none | {name: evaluation.scale}) for name in none}


class RoteEvaluation(Evaluation):
    """Another evaluation, except where a position is stored, see `gameplay.knowledge.rote`."""

    def __init__(self, base: AbstractEvaluation, records: "Mapping[int, RoteRecord]", depth: int) -> None:
        from gameplay.knowledge.books.fingerprint import fingerprint
        from gameplay.knowledge.rote import reduced

        super().__init__("rote", f"{base.name}, and {len(records):,} stored positions")
        self.base = base
        self.game = base.game
        self.records = records  # by fingerprint
        self.depth = depth  # plies of the searches that it serves
        self.used: set[int] = set()  # fingerprints of the positions that were looked up
        self._key, self._reduced = fingerprint, reduced

    def evaluate(self, position: AbstractPosition) -> int:
        """The stored value, reduced; without one, what the other evaluation returns."""
        key = self._key(position)
        record = self.records.get(key)
        if record is None:
            return self.base.evaluate(position)
        self.used.add(key)
        return self._reduced(record.value, self.depth)

    @property
    def checksum(self) -> str:
        """16 hex digits of the other evaluation's weights and of the records."""
        from hashlib import blake2b

        rows = [self.base.checksum, *(f"{key:x} {one.value}" for key, one in sorted(self.records.items()))]
        return blake2b(" ".join(rows).encode(), digest_size=8).hexdigest()


class FunctionEvaluation(Evaluation):
    """A user-defined function `evaluate(position)`, or such a method of a user's object."""

    def __init__(self, name: str, function: Callable[..., int]) -> None:
        super().__init__(name)
        self.words = (inspect.getdoc(function) or "").partition("\n")[0]
        self.function = function

    def evaluate(self, position: AbstractPosition) -> int:
        """What the function says."""
        return self.function(position)


class EachEvaluation(FunctionEvaluation):
    """A user-defined function `evaluate_for(position, player)`, or such a method of a user's object."""

    def evaluate(self, position: AbstractPosition) -> int:
        """What the function says of the mover."""
        return self.function(position, position.turn)

    def evaluate_for(self, position: AbstractPosition, player: int) -> int:
        """What the function says."""
        return self.function(position, player)


def listed(game: str, *evaluations: Evaluation) -> Mapping[str, Evaluation]:
    """The evaluations of a game by name, the default first: what it offers as `evaluations`."""
    for evaluation in evaluations:
        evaluation.game = game
    return MappingProxyType({evaluation.name: evaluation for evaluation in evaluations})


def kept(name: str, words: str, file: Path, most: int) -> Evaluation:
    """An evaluation whose default weights, with their names and number, are what a file of ours holds."""
    evaluation = Evaluation(name, words, weights.table(file)["weights"], most=most)
    evaluation.file = file
    return evaluation


def summed(
    module: str, name: str, words: str, scale: int, most: int, fixed: tuple[str, ...] = ()
) -> Evaluation:
    """A sum of named terms. terms.toml beside a module has for each its weight and what it counts."""
    terms = weights.table(Path(module).with_name("terms.toml"))
    return Evaluation(
        name,
        words,
        {term: weight * scale for term, (weight, _) in terms.items()},
        most=most,
        scale=scale,
        fixed=fixed,
        meanings={term: meaning for term, (_, meaning) in terms.items()},
    )


# -- which one is meant --------------------------------------------------------------------------


def chosen(word: str, position: AbstractPosition) -> AbstractEvaluation | None:
    """The evaluation that the option `eval` names for a position; None for "": the game's default.

    Raises Usage if there is none of that name, BadInput for a file that cannot be used, Fault for code that
    fails when imported.
    """
    if not word:
        return None
    if word in position.evaluations:
        return position.evaluations[word]
    if word.endswith(".toml"):
        return _of_weights(Path(word), position)
    if word.endswith(".rote"):
        return _of_records(Path(word), position)
    if is_file(word):
        return _from_code(word)
    from gameplay.usercode import plugin

    offered = plugin.offered(ENTRY_POINTS)
    if word in offered:
        return _made(plugin.loaded("evaluation", offered[word]), word, word)
    more = "; one of your own: give its file, ./NAME.py" if "." not in word else ""
    raise Usage(unknown("evaluation", word, [*position.evaluations, *offered]) + more)


def is_file(word: str) -> bool:
    """True if the option `eval` names a file: weights, stored positions (.rote), code (.py, .py:NAME)."""
    return word.endswith((".toml", ".rote", ".py")) or ".py:" in word


def parted(word: str) -> tuple[Path, str]:
    """The file that the option `eval` names, and what of it: `./mine.py:Centre` is ./mine.py, Centre."""
    head, colon, name = word.partition(".py:")
    return Path(head + ".py" if colon else word), name


def placed(word: str, folder: Path | None = None) -> str:
    """The option `eval` with the path of its file, if it names one, absolute from `folder` (None: here)."""
    if not is_file(word):
        return word
    path, name = parted(word)
    return str(((folder or Path.cwd()) / os.path.expanduser(path)).resolve()) + (":" + name if name else "")


def placed_in(spec: str, folder: Path) -> str:
    """The spec of an engine of ours, with the file of its option `eval` absolute from `folder`."""
    return re.sub(r"([:,] *eval=)([^,]+)", lambda found: found[1] + placed(found[2].strip(), folder), spec)


def files_of(word: str) -> list[Path]:
    """The files on which the option `eval` depends: its own, and the weights that lie beside it."""
    if not is_file(word):
        return []
    path, _ = parted(word)
    return [path, *weights.beside(path)] if path.suffix == ".toml" else [path]


def _of_weights(path: Path, position: AbstractPosition) -> AbstractEvaluation:
    kind = weights.table(path).get("evaluation")
    if kind == "signature":
        from gameplay.signatures import evaluation as signature

        return signature.read(path, type(position))
    if not isinstance(kind, str) or kind not in LEARNED:
        return weights.read(path, type(position))
    evaluation = LEARNED[kind](path, name_of(position))
    evaluation.check(position)
    return evaluation


def _ntuples(path: Path, game: str) -> "LearnedEvaluation":
    from gameplay.ntuples import weights

    return weights.read(path, game)


def _network(path: Path, game: str) -> "LearnedEvaluation":
    from gameplay.networks import weights

    return weights.read(path, game)


LEARNED = {"ntuples": _ntuples, "network": _network}  # readers of files of weights that were learned


def _of_records(path: Path, position: AbstractPosition) -> Evaluation:
    from gameplay.knowledge import rote

    game, name, given, depth, records = rote.read(path)
    base = position.evaluations.get(name)
    if base is None or base.game != game.partition(":")[0]:
        raise BadInput(f"{path} holds stored positions of {game}, not of {name_of(position)}")
    return RoteEvaluation(base.weighed(given), records, depth)


# -- code ----------------------------------------------------------------------------------------


@cache
def _from_code(word: str) -> Evaluation:
    """The evaluation in a file: its one class or function that says `evaluate`, or the one named."""
    from gameplay.usercode import plugin

    path, wanted = parted(word)
    module = plugin.module(path, "an evaluation is a .py file, its weights a .toml file")
    own = {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    }
    candidates = {name: thing for name, thing in own.items() if _is_class(thing) or name in (*CALLED, wanted)}
    if wanted:
        if wanted not in candidates:
            raise Usage(f"{path}: {unknown('evaluation', wanted, candidates)}")
        return _made(candidates[wanted], wanted, word)
    if not candidates:
        raise BadInput(f"{path} holds no evaluation: a class with evaluate(position), or a function evaluate")
    if len(candidates) > 1:
        listed = ", ".join(candidates)
        raise Usage(
            f"{path} holds several evaluations ({listed}): name one, as {path}:{next(iter(candidates))}"
        )
    name, thing = next(iter(candidates.items()))
    return _made(thing, path.stem if name in CALLED else name, word)


def _is_class(thing: Any) -> bool:
    """True for a class of evaluations, and not of games."""
    says = any(callable(getattr(thing, name, None)) for name in CALLED)
    return inspect.isclass(thing) and says and not hasattr(thing, "moves")


def _made(thing: Any, name: str, word: str) -> Evaluation:
    """An evaluation of a class, an object or a function. Raises Usage, or Fault for a class that fails."""
    if inspect.isclass(thing):
        try:
            thing = thing()
        except Exception as error:
            raise Fault(f"evaluation {word}: the constructor raised {raised(error)}") from error
    if isinstance(thing, Evaluation):
        if thing.inside:
            raise Usage(f"evaluation {word}: {type(thing).__name__} has no evaluate(position)")
        thing.name = thing.name or name.lower()
        return thing
    each = getattr(thing, "evaluate_for", thing if getattr(thing, "__name__", "") == "evaluate_for" else None)
    if each is not None:
        return EachEvaluation(name.lower(), each)
    function = getattr(thing, "evaluate", thing)
    if not callable(function):
        raise Usage(f"evaluation {word}: {name} is neither a class with evaluate(position) nor a function")
    return FunctionEvaluation(name.lower(), function)
