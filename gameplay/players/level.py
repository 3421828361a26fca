"""Strength for people: ten levels, from a child's play to all the engine can do.

A level looks some plies ahead, weighs the moves that it sees there, and errs as people do: by little often,
by much seldom. Of the moves it draws one, in proportion to

    prior * exp(-loss / slip)    loss: what the move costs beside the best one, see `lost`
                                 slip: the level's; a move that costs as much comes 0.37 times as often
                                 prior: EYE for a move that catches the eye (`noisy`: a capture), else 1

It overlooks no win on the spot, and from level ALERT on it leaves the other side none where it need not. What
limits it is plies and positions, so that it is as strong on every machine.

An engine of simulations knows too little of the moves that it seldom tries to weigh them so. Its levels look
away instead: with the chance given they play a random move, but win at once where they can.

A game may have a ladder of its own: an attribute `levels`, ten pairs as LEVELS or LOOKING_AWAY has.
A scale of errors that is the player's own (there called sensitivity) after K. W. Regan and G. McC. Haworth,
Intrinsic Chess Ratings, AAAI 2011.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from random import Random
from textwrap import wrap
from typing import Any, NamedTuple

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, MatchView
from gameplay.players.verdict import cost
from gameplay.position import CHANCE
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

# Depth in plies (None: as deep as MOST positions go), and the slip (0: no errors) as `lost` counts.
LEVELS: tuple[tuple[int | None, float], ...] = (
    *((1, 2.0), (2, 0.55), (2, 0.42), (3, 0.25), (4, 0.2)),
    *((6, 0.1), (7, 0.065), (8, 0.042), (10, 0.02), (None, 0.0)),
)
# Where the engine simulates: doublings of SIMULATED, and the share of moves made without looking.
LOOKING_AWAY: tuple[tuple[int | None, float], ...] = (
    *((1, 0.80), (1, 0.45), (2, 0.36), (3, 0.26), (4, 0.18)),
    *((5, 0.12), (6, 0.07), (8, 0.03), (10, 0.0), (None, 0.0)),
)
ALERT = 3  # the level from which on a win that the other side threatens is seen
EYE = 2.0
SURE = 0.99  # expected points
ALL = 10_000  # lines: more than any game has moves
MOST = 2_000_000  # positions that a move may cost
MOST_PYTHON = 100_000  # ... in a game written in Python
PATIENCE = 10.0  # seconds, which no level needs where the program is compiled
SIMULATED = 500  # positions that an engine of simulations visits instead of looking 0 plies ahead
MOST_DOUBLINGS = 12  # of them, that it visits at most


class Gain(NamedTuple):
    """By how much a level was measured to be stronger than the one below it."""

    elo: int
    margin: int  # half the 95 % interval
    games: int


# Of the levels from 2 up, each against the one below it, as far as anybody has measured. Every opening is
# played from both sides: of chess, Othello and checkers those in configs/openings, of Connect Four two or
# three random plies; of backgammon and pig both games of a pair have the same dice; tic-tac-toe and nim
# begin at the start. The engines had tables of 4 MB.
MEASURED: dict[str, tuple[Gain, ...]] = {
    "tictactoe": (
        Gain(85, 40, 200),
        Gain(189, 45, 200),
        Gain(49, 30, 200),
        Gain(31, 28, 200),
        Gain(42, 27, 200),
        Gain(42, 25, 200),
        Gain(28, 23, 200),
        Gain(35, 19, 200),
        Gain(7, 7, 200),
    ),
    "nim": (
        Gain(182, 55, 200),
        Gain(108, 52, 200),
        Gain(182, 58, 200),
        Gain(338, 82, 200),
        Gain(160, 53, 200),
        Gain(220, 54, 200),
        Gain(338, 74, 200),
        Gain(246, 65, 200),
        Gain(196, 47, 200),
    ),
    "connect4": (
        Gain(156, 50, 200),
        Gain(210, 56, 200),
        Gain(184, 52, 200),
        Gain(186, 48, 200),
        Gain(173, 48, 200),
        Gain(193, 55, 200),
        Gain(193, 51, 200),
        Gain(127, 64, 100),
    ),
    "go": (
        Gain(176, 105, 60),
        Gain(95, 94, 60),
        Gain(108, 96, 60),
        Gain(280, 131, 60),
        Gain(120, 97, 60),
        Gain(223, 115, 60),
        Gain(241, 188, 30),
    ),
    "othello": (
        Gain(127, 50, 200),
        Gain(191, 58, 200),
        Gain(191, 53, 200),
        Gain(166, 57, 200),
        Gain(200, 51, 200),
        Gain(156, 52, 200),
        Gain(191, 58, 200),
        Gain(156, 52, 200),
    ),
    "checkers": (
        Gain(168, 102, 40),
        Gain(89, 111, 40),
        Gain(61, 103, 40),
        Gain(137, 112, 40),
        Gain(147, 100, 40),
        Gain(168, 108, 40),
    ),
    "chess": (
        Gain(89, 100, 40),
        Gain(232, 115, 24),
        Gain(232, 90, 24),
        Gain(172, 119, 24),
        Gain(104, 88, 24),
        Gain(163, 100, 16),
    ),
    "pig": (
        Gain(56, 68, 100),
        Gain(49, 60, 100),
        Gain(92, 63, 100),
        Gain(56, 68, 100),
        Gain(70, 62, 100),
        Gain(35, 60, 100),
        Gain(115, 71, 100),
        Gain(92, 55, 100),
        Gain(56, 58, 100),
    ),
    "backgammon": (
        Gain(147, 132, 40),
        Gain(168, 124, 40),
        Gain(241, 132, 40),
        Gain(168, 102, 40),
        Gain(53, 121, 40),
        Gain(70, 84, 40),
        Gain(108, 115, 40),
        Gain(70, 115, 40),
    ),
}


def ladder(game: Game, engine: Any) -> Sequence[tuple[int | None, float]]:
    """The levels of a game, its own if it has any."""
    usual = LOOKING_AWAY if engine.samples else LEVELS
    return getattr(game.new(), "levels", None) or usual


@dataclass(frozen=True)
class Rung:
    """A level of a game: what the engine may do, and how it errs."""

    level: int
    limit: Limit
    gain: Gain | None  # over the level below; None: there is none, or nobody has measured
    slip: float = 0.0  # as in LEVELS
    careless: float = 0.0  # of an engine of simulations: the share of moves made without looking


def rungs(game: Game) -> list[Rung]:
    """The levels of a game. Raises Usage where no engine that looks ahead can play it."""
    engine = thinker(game)
    gains: dict[int, Gain] = dict(enumerate(measured(game), 2))
    return [
        _rung(engine, game, number, gains.get(number)) for number in range(1, len(ladder(game, engine)) + 1)
    ]


def _rung(engine: Any, game: Game, level: int, gain: Gain | None = None) -> Rung:
    """A level as an engine plays it. Raises Usage where there is none of that number."""
    levels = ladder(game, engine)
    if not 1 <= level <= len(levels):
        raise Usage(f"a level is 1 to {len(levels)}, not {level}")
    depth, errs = levels[level - 1]
    if engine.samples:
        nodes = SIMULATED << (MOST_DOUBLINGS if depth is None else depth)
        return Rung(level, Limit(nodes=nodes, seconds=PATIENCE), gain, careless=errs)
    most = MOST if isinstance(game.new(), Kernel) else MOST_PYTHON
    return Rung(level, Limit(depth=depth, nodes=most, seconds=PATIENCE), gain, slip=errs)


def thinker(game: Game) -> Any:
    """The engine that plays the levels. Raises Usage where no engine that looks ahead can play the game."""
    position = game.new()
    if position.players < 2:
        raise Usage(f"{game.name} has no levels: it is for one player, who has no opponent to weaken")
    engine = registry.usual_engine(position)()
    if not engine.thinks:
        raise Usage(f"{game.name} has no levels: a level looks ahead, and no engine that does can play it")
    return engine


def measured(game: Game) -> tuple[Gain, ...]:
    """What was measured of each level from 2 up; () where nobody has."""
    ours = game.cls.__module__ == f"gameplay.games.{game.name}" and not game.parameters
    return MEASURED.get(game.name, ()) if ours else ()


def explained(game: Game, width: int = 80) -> str:
    """What each level of a game does, and how strong it was measured to be. Raises Usage as `rungs`."""
    found, gains = rungs(game), measured(game)
    engine = thinker(game)
    errs = "blind" if engine.samples else "slip"
    head = f"Levels of {game.name}, played by the engine {engine.name}"
    lines = [*wrap(head, width), "", f"level  looks ahead   {errs:<7}{'gain' if gains else ''}".rstrip()]
    for rung in found:
        share = f"{100 * rung.careless:g} %" if rung.careless else f"{rung.slip:g}" if rung.slip else "none"
        gain = f"{rung.gain.elo:+} ± {rung.gain.margin}" if rung.gain else ""
        lines.append(f"{rung.level:>5}  {_sight(rung.limit):<14}{share:<7}{gain}".rstrip())
    if engine.samples:
        notes = ["Blind: so many moves are random ones, but win at once where they can."]
    else:
        unit = "a stake" if game.new().chance else "a win in an even game"
        notes = [
            "Slip: a level errs as people do, by little often and by much seldom. A move that costs as much "
            f"as its slip, where 1 is {unit}, comes 0.37 times as often as the best one, and one that costs "
            "twice as much 0.14 times.",
            f"No level overlooks a win on the spot, and from level {ALERT} on none leaves the other side one "
            "where it need not.",
        ]
    if gains:
        games = sorted({gain.games for gain in gains})
        span = str(games[0]) if len(games) == 1 else f"{games[0]} to {games[-1]}"
        notes.append(
            f"Gain: Elo over the level below, as measured in {span} games, and half the 95 % interval; "
            "levels without one were not measured."
        )
    else:
        notes.append("How strong each level is was not measured in this game.")
    notes.append("An opening book and endgame tables, where given, are used at every level.")
    return "\n".join([*lines, "", *(line for note in notes for line in wrap(note, width))])


def _sight(limit: Limit) -> str:
    if limit.depth:
        return f"{limit.depth} {'ply' if limit.depth == 1 else 'plies'}"
    nodes = limit.nodes or 0
    return f"{nodes // 10**6} M nodes" if nodes >= 10**6 else f"{nodes:,} nodes"


class LevelPlayer(EnginePlayer):
    """An engine that plays at a level from 1 to 10. The same seed and moves give the same game.

    What it knows without a search it plays at every level.
    """

    def __init__(self, engine: Any, level: int, game: Game, seed: int = 0) -> None:
        rung = _rung(engine, game, level)
        super().__init__(engine, rung.limit, seed)
        self.spec = f"level:{level}"
        self.name = f"{engine.name}, level {level}"
        self.slip = rung.slip
        self.careless = rung.careless
        self.alert = level >= ALERT
        self.seed = seed

    def choose(self, match: MatchView) -> Choice | None:
        """The move that `find` draws, or where the engine simulates now and then one made without looking."""
        if not self.careless or self.advised(match) is not None or self._lot(match).random() >= self.careless:
            return super().choose(match)
        if match.position.advice() is not None:
            return super().choose(match)  # a call at random would be no auction
        position = match.replica()
        winning = [move for move in match.moves() if _wins(position, move)]
        return Choice(winning[0] if winning else self._lot(match, "move").choice(match.moves()))

    def find(self, match: MatchView, limit: Limit) -> Report:
        """Search the moves, and draw one of them: see the head of this file."""
        if not self.slip or limit.moves:
            return super().find(match, limit)
        position = match.replica()
        winning = tuple(move for move in position.moves() if _wins(position, move))
        report = self.session.search(
            match.replica(),
            limit.with_(moves=winning, multipv=ALL),
            lambda said: match.watch(replace(said, candidates=said.candidates[:1])),
        )
        return _told(report, self._drawn(position, report, self._lot(match)))

    def _lot(self, match: MatchView, what: str = "") -> Random:
        """What is drawn for a move: the same by the same seed."""
        return Random(f"{self.seed}/{what}{len(match.turns)}")

    def _drawn(self, position: Any, report: Report, lot: Random) -> Candidate:
        """One of the moves that were searched."""
        left = [one for one in report.candidates if one.bound != "unknown"] or list(report.candidates)
        noisy = set(position.noisy())
        while True:
            weights = [
                (EYE if one.move in noisy else 1) * exp(-lost(position, left[0], one) / self.slip)
                for one in left
            ]
            (drawn,) = lot.choices(left, weights)
            if len(left) == 1 or not self.alert or not _lets_win(position, drawn.move):
                return drawn
            left.remove(drawn)


def lost(position: Any, best: Candidate, mine: Candidate) -> float:
    """What a move costs: in games of chance in stakes, else in expected points as in an even game.

    Near an even game the curve of `value.expected` rises by a quarter of its logit: here it does everywhere,
    so that who is far ahead goes on to win, and who is far behind holds out. Beyond SURE all is won, or lost.
    """
    if position.chance:
        return cost(position, best, mine)
    stood, left = (
        min(SURE, max(1 - SURE, scale.expected(one.value, position, one.bound, one.proven)))
        for one in (best, mine)
    )
    return max(0.0, log(stood / (1 - stood)) - log(left / (1 - left))) / 4


def _wins(position: Any, move: int) -> bool:
    """True if the move ends the game, and its player wins."""
    mover = position.turn
    position.make(move)
    payoffs = position.outcome()
    position.unmake()
    return payoffs is not None and payoffs[mover] > 0


def _lets_win(position: Any, move: int) -> bool:
    """True if the next player can win at once after the move."""
    mover = position.turn
    position.make(move)
    theirs = position.outcome() is None and position.turn not in (mover, CHANCE)
    found = theirs and any(_wins(position, reply) for reply in position.moves())
    position.unmake()
    return found


def _told(report: Report, drawn: Candidate) -> Report:
    """The report of the search as that of the move that was drawn."""
    return replace(
        report,
        move=drawn.move,
        value=drawn.value,
        bound=drawn.bound,
        values=drawn.values or report.values,
        error=drawn.error,
        candidates=(drawn,),
        pv=drawn.pv or (drawn.move,),
        exact=report.exact and drawn.proven,
    )
