"""A review: every move of a finished game compared with the best one, with its cost.

At each position the game's default engine searches for the best two moves, then, at the same depth, for the
move played if it is neither of them. Values are from the mover's view. The cost of a move is computed by
`players.verdict`. Forced moves are not judged. With a node limit reviews are reproducible.

A game with imperfect information is reviewed if it has `Position.mistake_thresholds`, in points. Each move is
judged by its player's information, in a position sampled by `determinize`. If the game has a double-dummy
solver, moves are judged with all cards open; moves that the solver does not value, such as calls, are not
judged. The cost of a move is then in points.

The accuracy of a move is

    103.1668 exp(-4.354 loss) - 3.1669        between 0 and 100 (lichess.org/page/accuracy)

and that of a player is the mean over the judged moves. Figures are also given by phase: the phases that the
game defines (`Position.phases`), or thirds of the moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from operator import add
from random import Random
from typing import TYPE_CHECKING

import msgspec

from gameplay import registry, specs
from gameplay import value as scale
from gameplay.board import Displayed
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books import names
from gameplay.matches.views import format_line
from gameplay.players import seats
from gameplay.players.remote.analyst import AnalysisProgram
from gameplay.players.verdict import SCORE_THRESHOLDS, VERDICTS, cost, verdict
from gameplay.position import CHANCE, AbstractPosition, side_names
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session
from gameplay.store import document, trust
from gameplay.store.record import Record
from gameplay.training.hindsight import Hindsight

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.engine import Engine

SCHEMA = 1
NODES = 100_000  # default limit of a search
SAMPLED_NODES = 10_000  # ... in a game with imperfect information
DEAL_SOLVER_NODES = 2_000_000  # ... of a double-dummy solver
MARKS = {"inaccuracy": 6, "mistake": 2, "blunder": 4, "only": 8}  # PGN numeric annotation glyphs
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
EXTENSION = 4  # node limit of the second search, as a multiple of the first, to reach its depth
EXPECTED_POINTS = "expected points"  # the unit of losses from which accuracies are computed
THIRDS = ("1st third", "2nd third", "3rd third")  # phases of games that define none


STORED_NAMES = {  # of fields of `ReviewedMove`
    "score_before": "stood",
    "score_after": "left",
    "second_score": "second",
    "result_text": "led",
    "best_result_text": "leads",
}


class ReviewedMove(msgspec.Struct, frozen=True, omit_defaults=True, rename=STORED_NAMES):
    """A move of a reviewed game. Values are on the scale of `gameplay.value`, from the mover's view."""

    ply: int  # from 1
    player: int
    move: str
    choices: int = 0  # legal moves; a single one, and chance, are not judged
    value: float | int | None = None  # of the move played
    best: float | int | None = None  # of the best move
    bound: str = "exact"  # of both: exact at the depth searched, or expectation
    exact: bool = False  # the values are proven
    better: str = ""  # the best move, if another one was played
    line: list[str] = []  # the better line, `better` first
    answer: list[str] = []  # the line after the move played, the reply first
    score_before: float = 0.0  # expected points with the best move
    score_after: float = 0.0  # ... with the move played
    second_score: float | None = None  # ... with the second-best move; None: unknown
    loss: float = 0.0  # expected points, equity, or points
    verdict: str = ""  # one of VERDICTS, or nothing
    result_text: str = ""  # the result of the move by a double-dummy solver
    best_result_text: str = ""  # ... of the best move
    depth: int = 0
    nodes: int = 0

    @property
    def is_judged(self) -> bool:
        """True if the player had a choice and the move has a value."""
        return self.value is not None

    @property
    def is_only_move(self) -> bool:
        """True if the player found the only good move."""
        return (
            self.is_judged
            and not self.loss
            and self.choices > 1
            and self.second_score is not None
            and self.score_before - self.second_score >= SCORE_THRESHOLDS[1]
        )


class Review(Displayed, msgspec.Struct, omit_defaults=True):
    """The review of one game. `start` and `moves` are as in its record."""

    schema: int
    game: str
    start: str
    names: list[str]  # of the players, by seat
    sides: list[str]  # names of the seats
    engine: str
    limit: str
    moves: list[ReviewedMove]
    players: list[str] = []  # their specs, as in a record
    opening: str = ""
    result: list[int | float] | None = None
    reason: str = ""
    date: str = ""
    equity: bool = False  # game of chance: losses are in stakes
    unit: str = ""  # of losses in a game with imperfect information
    phases: list[str] = []  # names, in order; empty in reviews of earlier versions
    phase: list[int] = []  # index of the phase of each move
    file: str = ""  # the source file, and the number of the game in it
    number: int = 1

    @property
    def words(self) -> list[str]:
        """The moves in notation."""
        return [move.move for move in self.moves]

    @property
    def game_name(self) -> str:
        """The game without its options."""
        return specs.game_name(self.game)

    @property
    def outcome_text(self) -> str:
        """The result of the game: `white won`, `draw`, `unfinished`."""
        if self.result is None:
            return "unfinished"
        most = max(self.result)
        if min(self.result) == most:
            return "draw"
        winners = [name for name, payoff in zip(self.sides, self.result, strict=True) if payoff == most]
        return f"{' and '.join(winners)} won"

    @property
    def loss_unit(self) -> str:
        """The unit of losses."""
        return self.unit or ("equity" if self.equity else EXPECTED_POINTS)

    @property
    def has_accuracy(self) -> bool:
        """True if accuracies can be computed from the losses."""
        return self.loss_unit == EXPECTED_POINTS

    @property
    def mistakes(self) -> list[ReviewedMove]:
        """The moves with a verdict."""
        return [move for move in self.moves if move.verdict]

    def curve(self) -> list[float | None]:
        """The first player's expected points after each move; None if unknown, or if losses are in points."""
        if self.unit:
            return [None] * len(self.moves)
        return [
            None if not move.is_judged else move.score_after if move.player == 0 else 1 - move.score_after
            for move in self.moves
        ]

    def player_figures(self, player: int, phase: int | None = None) -> "Figures":
        """The figures of a player's judged moves, in all phases or one."""
        chosen = [
            move
            for move in self.moves
            if move.player == player
            and move.is_judged
            and (phase is None or self.phase[move.ply - 1] == phase)
        ]
        return figures(chosen)


@dataclass(frozen=True)
class Figures:
    """Figures of a set of moves."""

    moves: int = 0  # judged
    accuracy: float | None = None  # 0 to 100; None: none was judged
    lost: float = 0.0  # the sum of losses, in `Review.loss_unit`
    verdicts: tuple[int, ...] = (0, 0, 0)  # counts, in the order of VERDICTS
    best: int = 0  # moves without a loss

    @property
    def error(self) -> float:
        """The mean loss of a move."""
        return self.lost / self.moves if self.moves else 0.0

    def __add__(self, other: "Figures") -> "Figures":
        """The combined figures."""
        if self.accuracy is None or other.accuracy is None:
            return self if other.accuracy is None else other
        moves = self.moves + other.moves
        return Figures(
            moves=moves,
            accuracy=(self.accuracy * self.moves + other.accuracy * other.moves) / moves,
            lost=self.lost + other.lost,
            verdicts=tuple(map(add, self.verdicts, other.verdicts)),
            best=self.best + other.best,
        )


def figures(moves: Sequence[ReviewedMove]) -> Figures:
    """The combined figures of judged moves."""
    if not moves:
        return Figures()
    return Figures(
        moves=len(moves),
        accuracy=sum(accuracy(move.loss) for move in moves) / len(moves),
        lost=sum(move.loss for move in moves),
        verdicts=tuple(sum(move.verdict == verdict for move in moves) for verdict in VERDICTS),
        best=sum(not move.loss for move in moves),
    )


def accuracy(loss: float) -> float:
    """The accuracy, 0 to 100, of a move that loses `loss` expected points."""
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * loss) - 3.1669))


# -- reviewing ----------------------------------------------------------------------------------


def engine_for(game: "Game", spec: str = "") -> "Engine":
    """The engine that reviews a game: its default engine, or that of `spec`.

    Raises Usage for a game that cannot be reviewed, or an engine that does not search.
    """
    position = game.new()
    if position.players != 2 or not position.zero_sum or position.hidden:
        raise Usage(f"{game.name} cannot be reviewed: reviews need a two-player game of perfect information")
    return _resolve_engine(position, spec)


def review_engine(game: "Game", spec: str = "") -> "Engine":
    """As `engine_for`, also for those games with imperfect information that can be reviewed."""
    position = game.new()
    if not position.hidden:
        return engine_for(game, spec)
    if not position.mistake_thresholds:
        raise Usage(f"{game.name} cannot be reviewed: the cost of its moves depends on hidden information")
    if position.has_deal_solver and not spec:
        return Hindsight()
    return _resolve_engine(position, spec)


def default_limit(game: "Game", engine: "Engine") -> Limit:
    """The default limit of each search; an external program uses its own."""
    if isinstance(engine, AnalysisProgram):
        return Limit()
    hidden = game.new().hidden
    return Limit(
        nodes=DEAL_SOLVER_NODES if isinstance(engine, Hindsight) else SAMPLED_NODES if hidden else NODES
    )


def _resolve_engine(position: AbstractPosition, spec: str) -> "Engine":
    engine = seats.analysis_engine(spec)[0] if spec else registry.default_engine(position)()
    if not engine.thinks:
        raise Usage(f"{engine} does not search; expected an engine that does. Try: leave it out")
    engine.check(position)
    return engine


def review(
    record: Record, engine: "Engine", limit: Limit, watch: Callable[[int, int], object] | None = None
) -> Review:
    """Judge every move of a record. `watch` is called before each with the ply and the number of plies.

    If it returns true, the remaining moves are not judged. Raises KeyboardInterrupt if a search is
    interrupted, GameplayError for illegal moves.
    """
    game = registry.game(record.game)
    position = game.new(record.start)
    judge = _Judge(engine, limit, bool(position.chance))
    moves: list[ReviewedMove] = []
    ended = False
    for number, word in enumerate(record.words, 1):
        ended = ended or (watch is not None and bool(watch(number, len(record.moves))))
        move = position.parse(word)
        moves.append(
            ReviewedMove(number, position.turn, word) if ended else judge.judge(position, move, number, word)
        )
        position.make(move)
    start_position = game.new(record.start)
    opening = names.opening(start_position, map(start_position.parse, record.words))
    called, phase = phases(record)
    return Review(
        schema=SCHEMA,
        game=record.game,
        start=record.start,
        names=record.display_names,
        players=list(record.players),
        sides=side_names(position),
        engine=str(engine),
        limit=str(limit),
        moves=moves,
        opening=str(opening) if opening is not None else "",
        result=record.result,
        reason=record.reason,
        date=record.date,
        equity=bool(position.chance) and not position.hidden,
        unit=position.unit_names[1] if position.hidden else "",
        phases=called,
        phase=phase,
    )


def phases(record: Record) -> tuple[list[str], list[int]]:
    """The names of the phases of a game, and the index of the phase of each move.

    The index never decreases, except that after the last phase the first may begin a new round.
    """
    position = registry.game(record.game).new(record.start)
    if not position.phases:
        count = len(record.moves)
        return list(THIRDS), [min(2, 3 * ply // count) for ply in range(count)]
    indices: list[int] = []
    last, now = len(position.phases) - 1, 0
    for word in record.words:
        here = position.phase()
        now = here if now == last and not here else max(now, here)
        indices.append(now)
        position.make(position.parse(word))
    return list(position.phases), indices


class _Judge:
    """Judges the moves of one game, with one table for all of them."""

    def __init__(self, engine: "Engine", limit: Limit, equity: bool) -> None:
        self.limit = limit
        self.equity = equity
        self.hindsight = engine if isinstance(engine, Hindsight) else None
        self.session = Session(engine)
        self.session.begin()

    def judge(self, position: AbstractPosition, move: int, ply: int, word: str) -> ReviewedMove:
        """Judge a move in the position before it; the position is unchanged."""
        player = position.turn
        legal = position.moves() if player != CHANCE else []
        if len(legal) < 2 or move not in legal:
            return ReviewedMove(ply, player, word, len(legal))
        if position.hidden and not self.hindsight:
            position = position.determinize(player, Random(ply))
        report = self._search(position, self.limit.with_(multipv=len(legal) if self.hindsight else 2))
        best, chosen, others = self._search_moves(position, report, move)
        if "unknown" in (best.bound, chosen.bound):
            return ReviewedMove(ply, player, word, len(legal))
        if chosen.value > best.value:
            best, others = chosen, []
        if position.hidden:
            others = []
        exact = best.proven and chosen.proven
        before, after, second = (
            scale.expected_score(candidate.value, position, candidate.bound, exact)
            for candidate in (best, chosen, *(others[:1] or [chosen]))
        )
        loss = cost(position, best, chosen)
        return ReviewedMove(
            ply=ply,
            player=player,
            move=word,
            choices=len(legal),
            value=chosen.value,
            best=best.value,
            bound=chosen.bound,
            exact=exact,
            better=position.format(best.move) if loss else "",
            line=self._format_line(position, best.pv) if loss else [],
            answer=self._format_line(position, chosen.pv)[1:],
            score_before=round(before, 6),
            score_after=round(after if loss else before, 6),
            second_score=round(second, 6) if others else None,
            loss=loss,
            verdict=verdict(loss, self.equity, position.mistake_thresholds),
            result_text=self.hindsight.words(chosen.move) if self.hindsight else "",
            best_result_text=self.hindsight.words(best.move) if self.hindsight else "",
            depth=report.depth,
            nodes=report.nodes,
        )

    def _search_moves(
        self, position: AbstractPosition, report: Report, move: int
    ) -> tuple[Candidate, Candidate, list[Candidate]]:
        """The best move, the move played, and other moves if they were searched equally.

        Simulations are distributed unevenly over the moves, which favours the luckiest. With simulations both
        moves are therefore searched again, each alone, with the same number of simulations.
        """
        best = report.candidates[0]
        others = [candidate for candidate in report.candidates[1:] if candidate.bound != "unknown"]
        if report.visits and not best.proven:
            best, others = self._search(position, self._comparable_limit(report, best.move)).candidates[0], []
            chosen = best if best.move == move else None
        else:
            chosen = next((candidate for candidate in report.candidates if candidate.move == move), None)
        if chosen is None:
            chosen = self._search(position, self._comparable_limit(report, move)).candidates[0]
        return best, chosen, others

    def _comparable_limit(self, report: Report, move: int) -> Limit:
        """The limit for searching a move to the depth of the report, or without one if that was proven."""
        nodes = self.limit.nodes
        limit = self.limit.with_(moves=(move,), multipv=1, nodes=nodes * EXTENSION if nodes else None)
        if report.stopped == "proven":
            return limit
        return limit.with_(depth=report.depth) if report.depth else limit.with_(nodes=nodes)

    def _search(self, position: AbstractPosition, limit: Limit) -> Report:
        report = self.session.search(position, limit)
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        return report

    def _format_line(self, position: AbstractPosition, line: Sequence[int]) -> list[str]:
        """Format a line."""
        words = format_line(position, line)
        for _ in words:
            position.unmake()
        return words


class OtherVersion(BadInput):
    """The review was stored with another schema, by another version of this program."""


def decode(text: bytes, where: str) -> Review:
    """Decode a review. Raises BadInput with `where`; OtherVersion for another schema."""
    review = document.decode(text, Review, where, "a review")
    if review.schema != SCHEMA:
        raise OtherVersion(f"{where}: the review has schema {review.schema}; this version reads {SCHEMA}")
    review.game = trust.mark_game(review.game)
    return review
