"""Samuel's learning by generalization: a linear evaluation whose coefficients are corrected during self-play.

Alpha corrects its coefficients after each of its moves; Beta's polynomial is fixed for the whole game. When
Alpha has won a majority of the decided games, at least two, Beta adopts Alpha's polynomial. When Beta has won
three games before that, Alpha's leading coefficient is set to zero. Either resets the counts.

The invariant: each coefficient is a power of two with the sign of the correlation between the signs of its
term and of delta, its exponent proportional to the size of that correlation. Delta is the backed-up value of
the current search minus the value of the remembered position, both from Alpha's view: the direction in which
the remembered evaluation was wrong.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, IBM Journal of Research and
Development 3 (1959) 210-229, the procedure of the second series of tests. The paper sets exponents "by the
ratio of the correlation coefficients"; the polynomial that it prints has 18 times the ratio to the leading
one, rounded, which is what is done here.

Differences: openings are random moves (Samuel forced Beta's first move). A game without a material term is
played to its end; others last at most `plies` plies, then the side ahead in material wins. The remembered
position is valued by a quiescence search to depth 1, for Samuel's rudimentary tree search.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gameplay.errors import Usage
from gameplay.learning.self_play import SelfPlay, sign
from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.value import WIN

if TYPE_CHECKING:
    from gameplay.search.report import Report

ACTIVE = 16  # terms of the polynomial
MAX_EXPONENT = 18  # of the leading coefficient, if the evaluation allows it
MARKS = 32  # an active term is replaced after being the least correlated on this many moves
WINS = 2  # wins against the same Beta, and more than losses: Beta adopts the polynomial
LOSSES = 3  # losses to the same Beta: Alpha's leading coefficient is set to zero
MIN_N, MAX_N = 16, 256  # of the divisor N in the correction of a correlation

# Samuel's polynomial after 42 games, the first twelve terms (Appendix C). Terms for what a side can do next
# have the opposite sign there, see games/checkers/samuel.py.
PUBLISHED = {
    "moc2": "-2^18", "kcent": "+2^16", "moc4": "-2^14", "mode3": "-2^13", "demmo": "-2^11", "move": "+2^8",
    "adv": "-2^8", "mode2": "-2^8", "back": "-2^6", "cntr": "+2^5", "thret": "+2^5", "moc3": "+2^4",
}  # fmt: skip


@dataclass
class Term:
    """An active term."""

    name: str
    correlation: float = 0.0  # of its sign with that of delta, -1 to 1
    used: int = 0  # corrections of the correlation
    marks: int = 0  # moves on which no active term had a smaller correlation


@dataclass
class Learner:
    """The state of Alpha and Beta between two games, which a run stores as plain data."""

    active: list[Term]
    reserve: list[str]  # the next term to enter is the first
    alpha: dict[str, int]  # weights of the evaluation
    beta: dict[str, int]
    wins: int = 0  # since the counts were reset
    losses: int = 0
    games: int = 0
    moves: int = 0  # of Alpha
    corrections: int = 0
    results: list[int] = field(default_factory=lambda: [0, 0, 0])  # Alpha's wins, draws, losses
    discarded: dict[str, int] = field(default_factory=dict)  # term: times used before it was replaced

    @classmethod
    def of(cls, evaluation: AbstractEvaluation) -> "Learner":
        """Start with the weights of an evaluation; the terms that it uses are active first."""
        names = learnable_terms(evaluation)
        names.sort(key=lambda name: not evaluation.weights[name])  # stable: the terms in use first
        weights = dict(evaluation.weights)
        active = [Term(name, correlation=0.5 * sign(weights[name])) for name in names[:ACTIVE]]
        return cls(active, names[ACTIVE:], weights, dict(weights))

    def stored(self) -> dict[str, Any]:
        """The data to store as JSON."""
        return asdict(self)

    @classmethod
    def restore(cls, data: dict[str, Any]) -> "Learner":
        """Restore the result of `stored`."""
        return cls(**data | {"active": [Term(**term) for term in data["active"]]})


@dataclass(frozen=True)
class Correction:
    """A correction of the coefficients, for reports."""

    ply: int
    since: int  # ply of the remembered position
    delta: int  # in units of the game's values
    score: int  # of the remembered position
    weight: int  # 1; 2 if material changed; 4 if the game is decided
    terms: tuple[tuple[str, int, float, float], ...]  # name, its count, correlation before and after
    coefficients: tuple[tuple[str, int, int], ...]  # changed ones: name, before and after
    contributions: tuple[float, ...] = ()  # of the terms to the score, in units of the game's values


@dataclass(frozen=True)
class Mark:
    """A mark for the active term of least correlation, given at each move."""

    ply: int
    name: str
    marks: int  # with this one


@dataclass(frozen=True)
class Replacement:
    """A term that left the polynomial, and the one that entered it."""

    ply: int
    left: str
    used: int
    entered: str


class LearningEvent(Protocol):
    """A change of the weights or the memory at a ply."""

    @property
    def ply(self) -> int: ...


@dataclass(frozen=True)
class LearningGame:
    """One game of Alpha against Beta."""

    number: int
    seat: int  # Alpha's
    moves: tuple[int, ...]
    result: int  # 1: Alpha won, 0: drawn, -1: Alpha lost
    adopted: bool  # Beta took Alpha's polynomial
    cleared: str  # the term whose coefficient was set to zero, or ""
    events: tuple[LearningEvent, ...]  # Correction, Mark and Replacement; of rote learning `rote.Storing`


def learnable_terms(evaluation: AbstractEvaluation) -> list[str]:
    """The names of the terms that are not fixed. Raises Usage if the evaluation is not linear."""
    if not evaluation.scale:
        raise Usage(f"evaluation {evaluation.name} of {evaluation.game} is not a sum of named terms")
    return [name for name in evaluation.weights if name not in evaluation.fixed]


def divisor(used: int) -> int:
    """N of C - (C -+ 1) / N: 16 until a term was used 32 times, then 32 until 64 times, ..., at most 256."""
    n = MIN_N
    while n < MAX_N and used >= 2 * n:
        n *= 2
    return n


def coefficients(active: list[Term], largest: int) -> dict[str, int]:
    """Powers of two, by correlation relative to the leading one; 0 for a term without correlation."""
    leading = max((abs(term.correlation) for term in active), default=0.0)
    if leading == 0.0:
        return {term.name: 0 for term in active}
    return {
        term.name: sign(term.correlation) * 2 ** int(largest * abs(term.correlation) / leading + 0.5)
        if term.correlation
        else 0
        for term in active
    }


@dataclass(eq=False)
class Trainer(SelfPlay):
    """Plays games of Alpha against Beta and corrects Alpha."""

    def __post_init__(self) -> None:
        self.largest = min(MAX_EXPONENT, self.evaluation.max_weight.bit_length() - 1)
        self.learner = Learner.of(self.evaluation)

    # -- a game --------------------------------------------------------------------------------------

    def play(self) -> LearningGame:
        """Play one game, correcting Alpha's polynomial."""
        learner = self.learner
        number = learner.games
        seat, position, moves = self._begin(number)
        remembered: _Remembered | None = None
        events: list[Correction | Mark | Replacement] = []
        beta = self.evaluation.with_weights(learner.beta)
        while self._continues(position, moves):
            if position.turn != seat:
                move = self._search(position, beta).move
            else:
                # 1. Search with Alpha's polynomial; compare with the remembered value.
                report = self._search(position, self.evaluation.with_weights(learner.alpha))
                move = report.move
                learner.moves += 1
                corrected = remembered is None
                if remembered is not None:
                    event = self._correct(remembered, report, position, len(moves))
                    if event is not None:
                        events.append(event)
                        corrected = True
                # 2. Mark the least correlated term.
                lowest = self._lowest()
                events.append(Mark(len(moves), lowest.name, lowest.marks + 1))
                replaced = self._mark(len(moves))
                if replaced is not None:
                    events.append(replaced)
                # 3. Remember this position under the corrected polynomial, unless delta was too small for
                #    a correction: then the older one stays.
                if corrected:
                    remembered = self._remember(position, len(moves))
            assert move is not None
            moves.append(move)
            position.make(move)
        return self._end(number, seat, tuple(moves), self._result(position, seat), tuple(events))

    def stored(self) -> dict[str, Any]:
        """The data to store as JSON."""
        return self.learner.stored()

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the result of `stored`."""
        self.learner = Learner.restore(data)

    def line(self, played: LearningGame) -> dict[str, Any]:
        """The statistics of a game, and Alpha's polynomial after it, for games.jsonl."""
        learner = self.learner
        return {
            "adopted": played.adopted,
            "cleared": played.cleared,
            "corrections": sum(isinstance(event, Correction) for event in played.events),
            "polynomial": {term.name: learner.alpha[term.name] for term in learner.active},
            "correlations": {term.name: round(term.correlation, 4) for term in learner.active},
        }

    def _end(
        self, number: int, seat: int, moves: tuple[int, ...], result: int, events: tuple[LearningEvent, ...]
    ) -> LearningGame:
        """Count the game; when due, let Beta adopt the polynomial or clear Alpha's leading coefficient."""
        learner, cleared = self.learner, ""
        learner.games += 1
        learner.results[1 - result] += 1
        learner.wins += result > 0
        learner.losses += result < 0
        adopted = learner.wins >= WINS and learner.wins > learner.losses
        if adopted:
            learner.beta = dict(learner.alpha)
        elif learner.losses == LOSSES:
            leading = max(learner.active, key=lambda term: abs(term.correlation))
            leading.correlation, cleared = 0.0, leading.name
            self._set_weights()
        if adopted or cleared:
            learner.wins = learner.losses = 0
        return LearningGame(number, seat, moves, result, adopted, cleared, events)

    # -- learning ------------------------------------------------------------------------------------

    def _remember(self, position: AbstractPosition, ply: int) -> "_Remembered":
        alpha = self.evaluation.with_weights(self.learner.alpha)
        score = int(self._search(position, alpha, depth=1).value)
        return _Remembered(ply, self.evaluation.counts(position), score)

    @property
    def min_delta(self) -> float:
        """The smallest delta to correct by: the mean coefficient, in units of the game's values."""
        learner = self.learner
        total = sum(abs(learner.alpha[term.name]) for term in learner.active)
        return total / max(1, len(learner.active)) / self.evaluation.scale

    def _correct(
        self, remembered: "_Remembered", report: "Report", position: AbstractPosition, ply: int
    ) -> Correction | None:
        """Correct the coefficients by the delta of this search; None if it is too small."""
        learner, min_delta = self.learner, self.min_delta
        delta = int(report.value) - remembered.score
        if abs(delta) < max(1.0, min_delta):
            return None

        # 1. Select the terms: all that contribute if delta is negative; if it is positive, only those that
        #    contribute against the sign of the score, since the opponent may have blundered.
        toward = 0 if abs(remembered.score) < min_delta else sign(remembered.score)
        weight = self._emphasis(remembered, report, position)
        terms, before = [], dict(learner.alpha)
        for term in learner.active:
            count = remembered.counts[term.name]
            contribution = sign(before[term.name] * count)
            if not count or (delta > 0 and (not toward or contribution == toward)):
                continue
            # 2. C <- C - (C -+ 1) / N: agreement of the signs moves it to 1, disagreement to -1.
            agreement = sign(count) * sign(delta)
            old = term.correlation
            term.correlation = old - weight * (old - agreement) / divisor(term.used)
            term.used += 1
            terms.append((term.name, count, old, term.correlation))
        if not terms:
            return None

        # 3. The coefficients follow from the correlations.
        learner.corrections += 1
        self._set_weights()
        changed = tuple(
            (name, before[name], learner.alpha[name])
            for name in before
            if before[name] != learner.alpha[name]
        )
        scale = self.evaluation.scale
        contributions = tuple(before[name] * count / scale for name, count, *_ in terms)
        return Correction(
            ply, remembered.ply, delta, remembered.score, weight, tuple(terms), changed, contributions
        )

    def _emphasis(self, remembered: "_Remembered", report: "Report", position: AbstractPosition) -> int:
        """4 if the game is decided, 2 if material changes along the principal variation, else 1."""
        if abs(report.value) > WIN // 2:
            return 4
        if not self.evaluation.fixed:
            return 1
        made = 0
        for move in report.pv:
            position.make(move)
            made += 1
            if position.outcome() is not None:
                break
        now = self._material(self.evaluation.counts(position)) if position.outcome() is None else 0
        now = -now if made % 2 else now
        for _ in range(made):
            position.unmake()
        return 2 if now != self._material(remembered.counts) else 1

    def _lowest(self) -> Term:
        """The active term of least correlation."""
        return min(self.learner.active, key=lambda term: abs(term.correlation))

    def _mark(self, ply: int) -> Replacement | None:
        """Mark the least correlated term; after MARKS marks replace it by the first of the reserve."""
        learner = self.learner
        lowest = self._lowest()
        lowest.marks += 1
        if lowest.marks < MARKS or not learner.reserve:
            return None
        entered = learner.reserve.pop(0)
        learner.reserve.append(lowest.name)
        learner.discarded[lowest.name] = learner.discarded.get(lowest.name, 0) + lowest.used
        learner.active[learner.active.index(lowest)] = Term(entered)
        self._set_weights()
        return Replacement(ply, lowest.name, lowest.used, entered)

    def _set_weights(self) -> None:
        """Set Alpha's weights by the correlations of the active terms."""
        learner = self.learner
        weights = dict.fromkeys(learnable_terms(self.evaluation), 0)
        learner.alpha = {**learner.alpha, **weights, **coefficients(learner.active, self.largest)}


@dataclass(frozen=True)
class _Remembered:
    """A position with Alpha to move, the counts of its terms and its value."""

    ply: int
    counts: dict[str, int]
    score: int


def play_games(trainer: Trainer, total: int) -> Iterator[LearningGame]:
    """Play until `total` games have been played."""
    while trainer.learner.games < total:
        yield trainer.play()
