"""Samuel's learner step by step: a correction, the coefficients by game, credit assignment after a loss.

The coefficients are those of checkers, where terms enter and leave the polynomial. Credit assignment is
checked where exact values are known: in Connect Four on 6 columns and 5 rows by a solver, and in a checkers
ending by endgame tables, which are built first. A move is an error if it gives up a win or turns a draw into
a loss.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gameplay import registry
from gameplay.knowledge.tables import building
from gameplay.knowledge.tables.table_file import DRAWN, WON
from gameplay.knowledge.tables.tables import Tables, is_numbered
from gameplay.learning.samuel import Correction, LearningGame, Replacement, Trainer, play_games
from gameplay.position import AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.value import WIN

GAMES = 30
TABLE_COLUMNS = 14  # columns of the table of coefficients
GAME = "checkers"
SOLVED = "connect4:columns=6,rows=5"
ENDING = "W:W28:B14,K24"  # checkers: a draw, White to move
PIECES = 3
DEPTH = 2

Judge = Callable[[AbstractPosition], int]  # the exact result of a position for its mover: 1, 0 or -1


@dataclass(frozen=True)
class LearningCourse:
    """The games of a run, and the polynomial after each."""

    played: list[LearningGame]
    polynomials: list[dict[str, int]]  # coefficient by term, active terms only
    trainer: Trainer

    def curves(self) -> dict[str, list[tuple[int, float]]]:
        """The coefficient of each term by game, for terms that are active after three or more games."""
        names = dict.fromkeys(name for polynomial in self.polynomials for name in polynomial)
        curves = {
            name: [
                (at + 1, float(abs(polynomial[name])))
                for at, polynomial in enumerate(self.polynomials)
                if polynomial.get(name)
            ]
            for name in names
        }
        return {name: curve for name, curve in curves.items() if len(curve) >= 3}


@dataclass(frozen=True)
class JudgedMove:
    """A move of Alpha's, the learner's correction there, and the exact results before and after it."""

    ply: int
    move: str
    delta: float | None  # of the correction that starts there, in the game's unit; None: no correction
    before: str  # won, drawn or lost, with perfect play
    after: str
    is_decided: bool = False  # delta comes from a decided game
    decimals: int = 0  # decimals of delta

    @property
    def is_error(self) -> bool:
        """True if the move gave up a win or a draw."""
        return self.before != self.after

    @property
    def is_blamed(self) -> bool:
        """True if the learner found the position overvalued."""
        return self.delta is not None and self.delta < 0


class GameFromStart(Game, frozen=True):
    """A game with another start position."""

    text: str = ""

    def new(self, text: str | None = None) -> AbstractPosition:
        """A new position; by default the start position."""
        return super().new(text or self.text)


def learn_games(
    number: int = GAMES,
    game: str = GAME,
    seed: int = 1,
    depth: int = DEPTH,
    start: str = "",
    plies: int = 70,
) -> LearningCourse:
    """Learn from `number` games, each started from `start` if it is given."""
    named = registry.game(game)
    rules = GameFromStart(named.spec, named.name, named.cls, named.parameters, start) if start else named
    evaluation = next(each for each in rules.new().evaluations.values() if each.scale)
    engine, _ = registry.engine("quiescence:table=1MB")
    trainer = Trainer(rules, evaluation, engine, seed, depth, plies, 2)
    played, polynomials = [], []
    for game_played in play_games(trainer, number):
        played.append(game_played)
        polynomials.append({term.name: trainer.learner.alpha[term.name] for term in trainer.learner.active})
    return LearningCourse(played, polynomials, trainer)


def solver_judge() -> Judge:
    """Exact results by the game's solver."""
    session = Session(registry.engine("perfect")[0])

    def judge(position: AbstractPosition) -> int:
        value = session.search(position.twin(), Limit()).value
        return (value > 0) - (value < 0)

    return judge


@contextmanager
def table_judge() -> Iterator[Judge]:
    """Exact results of checkers endings, by tables of at most PIECES pieces that are built temporarily."""
    rules = registry.game("checkers")
    position = rules.new()
    assert is_numbered(position)
    with tempfile.TemporaryDirectory() as folder:
        for group in building.groups(position, PIECES):
            building.build(group, position, rules.name, Path(folder))
        endgames = Tables(folder, rules)

        def judge(position: AbstractPosition) -> int:
            result = endgames.lookup(position)
            assert result is not None, "a position of more pieces"
            return {DRAWN: 0, WON: 1}.get(result[0], -1)

        yield judge


def judge_lost_game(course: LearningCourse, judge: Judge) -> tuple[LearningGame, list[JudgedMove]] | None:
    """The last game that Alpha lost, its moves judged by exact results; None if it lost none."""
    lost = [game for game in course.played if game.result < 0]
    if not lost:
        return None
    played = lost[-1]
    deltas = {event.since: event.delta for event in played.events if isinstance(event, Correction)}
    position = course.trainer.game.new()
    moves = []
    for ply, move in enumerate(played.moves):
        if position.turn == played.seat and ply >= course.trainer.opening:
            before = _result(judge, position)
            word = position.format(move)
            position.make(move)
            after = _result(judge, position, mover=-1)
            delta = deltas.get(ply)
            decided = delta is not None and abs(delta) >= WIN // 2
            decimals = 2 if position.unit > 1 else 0
            share = None if delta is None else delta / position.unit
            moves.append(JudgedMove(ply, word, share, before, after, decided, decimals))
        else:
            position.make(move)
    return played, moves


def _result(judge: Judge, position: AbstractPosition, mover: int = 1) -> str:
    """The exact result for the mover, or for the opponent if `mover` is -1."""
    payoffs = position.outcome()
    value = judge(position) if payoffs is None else payoffs[position.turn]
    sign = mover * ((value > 0) - (value < 0))
    return {1: "won", 0: "drawn", -1: "lost"}[sign]


def lines(number: int, course: LearningCourse) -> Iterator[str]:
    """The text of the lecture, section by section."""
    yield "1. One correction\n"
    yield from _correction(course)
    yield ""
    yield f"2. The coefficients of {number} games of checkers, as signed powers of two\n"
    yield from _table(course)
    yield ""
    yield from _changes(course)
    yield ""
    yield f"3. Credit assignment: a lost game of {SOLVED}\n"
    yield from _blame(judge_lost_game(learn_games(12, SOLVED), solver_judge()))
    yield ""
    yield f"4. Credit assignment: a lost ending of checkers from {ENDING}, and tables of {PIECES} pieces\n"
    with table_judge() as judge:
        yield from _blame(judge_lost_game(learn_games(12, start=ENDING, plies=1000), judge))


def _correction(course: LearningCourse) -> Iterator[str]:
    """The first correction of the run, in full."""
    event = next(event for game in course.played for event in game.events if isinstance(event, Correction))
    unit = course.trainer.game.new().unit
    sign, verdict = ("+", "undervalued") if event.delta > 0 else ("-", "overvalued")
    yield (
        f"Alpha valued the position before ply {event.since + 1} at {event.score / unit:+.2f}. Before ply "
        f"{event.ply + 1} a {DEPTH}-ply search returns {(event.score + event.delta) / unit:+.2f}. The "
        f"difference, delta, is {event.delta / unit:+.2f}: the position was {verdict}. A term with the sign "
        "of delta gains correlation C, any other term loses it. N is 16 until a term has been used 32 "
        "times:\n"
    )
    for name, count, before, after in event.terms:
        step = "-" if (count > 0) == (event.delta > 0) else "+"
        times = "" if event.weight == 1 else f"{event.weight} x "
        formula = f"{before:+.3f} - {times}({before:+.3f} {step} 1) / N = {after:+.3f}"
        yield f"  {name:<8}{count:+3d}, delta {sign}:  C = {formula}"
    changes = [f"{name} {before} -> {after}" for name, before, after in event.coefficients]
    if changes:
        yield f"\nCoefficients: {', '.join(changes)}"


def _table(course: LearningCourse) -> Iterator[str]:
    number = len(course.polynomials)
    columns = (
        sorted({round((at + 1) * number / TABLE_COLUMNS) for at in range(TABLE_COLUMNS)} - {0})
        if number > TABLE_COLUMNS
        else None
    )
    shown = columns or list(range(1, number + 1))
    names = list(dict.fromkeys(name for polynomial in course.polynomials for name in polynomial))
    yield f"{'game':<8}" + "".join(f"{at:>5}" for at in shown)
    for name in names:
        cells = [_cell(course.polynomials[at - 1].get(name)) for at in shown]
        if any(cells):
            yield f"{name:<8}" + "".join(f"{cell:>5}" for cell in cells)


def _cell(weight: int | None) -> str:
    if weight is None:
        return ""
    if weight == 0:
        return "0"
    return f"{'+' if weight > 0 else '-'}{abs(weight).bit_length() - 1}"


def _changes(course: LearningCourse) -> Iterator[str]:
    """The terms that were replaced."""
    replaced = [
        (game.number + 1, event)
        for game in course.played
        for event in game.events
        if isinstance(event, Replacement)
    ]
    yield f"{len(replaced)} terms were replaced; the first:" if replaced else "No term was replaced."
    for number, event in replaced[:5]:
        where = f"game {number}, ply {event.ply + 1}"
        yield f"  {where}: {event.entered} replaces {event.left}, used {event.used} times"
    cleared = [f"{game.cleared} after game {game.number + 1}" for game in course.played if game.cleared]
    if cleared:
        yield f"Set to zero after three losses: {', '.join(cleared)}."


def _blame(judged: tuple[LearningGame, Sequence[JudgedMove]] | None) -> Iterator[str]:
    if judged is None:
        yield "Alpha lost no game."
        return
    played, moves = judged
    yield f"Game {played.number + 1}; Alpha has seat {played.seat + 1}. Values are those of perfect play.\n"
    yield f"{'ply':>4}  {'move':<6}{'delta':>8}  {'learner':<12}{'before':<8}{'after':<8}"
    for move in moves:
        delta = (
            "" if move.delta is None else "decided" if move.is_decided else f"{move.delta:+.{move.decimals}f}"
        )
        verdict = "blame" if move.is_blamed else "credit" if move.delta is not None else ""
        values = f"{move.before:<8}{move.after:<8}{'error' if move.is_error else ''}"
        yield f"{move.ply + 1:>4}  {move.move:<6}{delta:>8}  {verdict:<12}{values}".rstrip()
    errors = [move for move in moves if move.is_error]
    blamed = [move for move in moves if move.is_blamed]
    right = sum(move.is_error for move in blamed)
    yield ""
    yield (
        f"Errors: {len(errors)} of Alpha's {len(moves)} moves. The learner blames {len(blamed)}, of which "
        f"{right} are errors: it blames the positions after which its own evaluation fell, often later ones."
    )
