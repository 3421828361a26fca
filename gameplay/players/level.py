"""Playing strength for people: levels from beginner to an engine without deliberate errors.

A level searches some plies, and makes errors as people do: small ones often, large ones rarely. It draws a
move in proportion to

    prior * exp(-loss / slip)    loss: what the move costs beside the best one, see `lost`
                                 slip: the level's; a move that costs as much comes 0.37 times as often
                                 prior: EYE for a conspicuous move (`noisy`: a capture), else 1

It overlooks no immediate win, and from level ALERT on it allows the opponent none if it can. What
limits it is plies and nodes, so that it is equally strong on every machine.

A simulating engine knows too little of rarely tried moves to weigh them so. Its levels look
away instead: with a given probability they play a random move, but take an immediate win, and from level
ALERT on allow no immediate win where nothing is hidden.

The built-in games have their own ladders, see `ladders`. Any game may: an attribute `levels`, pairs as in
LEVELS or LOOKING_AWAY. A player's own scale of errors (there called sensitivity): K. W. Regan and G. McC.
Haworth, Intrinsic Chess Ratings, AAAI 2011.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from random import Random
from textwrap import wrap
from typing import TYPE_CHECKING

from gameplay import catalogue, registry
from gameplay import value as scale
from gameplay.capabilities import HasLevels, PlacesPieces
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.players.engine import EnginePlayer
from gameplay.players.ladders import ENGINES, EVALUATED, LADDERS, Gain, Level, Winnings
from gameplay.players.player import Choice, MatchView
from gameplay.players.verdict import cost
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

# Depth in plies (None: as deep as MOST positions go), and the slip (0: no errors) as `lost` counts.
LEVELS: tuple[tuple[int | None, float], ...] = (
    *((1, 2.0), (2, 0.55), (2, 0.42), (3, 0.25), (4, 0.2)),
    *((6, 0.1), (7, 0.065), (8, 0.042), (10, 0.02), (None, 0.0)),
)
# Where the engine simulates: doublings of SIMULATED (below 0 halvings), and the share of moves made blindly.
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
DEALT = 4  # levels sample a quarter of the deals that a search without a limit samples


def ladder(game: Game, engine: "Engine") -> Sequence[tuple[int | None, float]]:
    """The levels of a game, its own if it has any; the usual ones also where its `levels` are None."""
    start = game.new()
    own = start.levels if isinstance(start, HasLevels) else ()
    if own is not None and (steps := _steps(game)):
        return [(level.ahead, level.errs) for level in steps]
    return own or (LOOKING_AWAY if engine.samples else LEVELS)


@dataclass(frozen=True)
class Rung:
    """A level of a game: the engine's limits and its error model."""

    level: int
    limit: Limit
    gain: Gain | Winnings | None  # over the level below; None: there is none, or it was not measured
    slip: float = 0.0  # as in LEVELS
    careless: float = 0.0  # of an engine of simulations: the share of moves made without looking
    evaluation: str = ""  # with which it was measured, for engines that name none; "": the default


def rungs(game: Game) -> list[Rung]:
    """The levels of a game. Raises Usage where no engine that looks ahead can play it."""
    engine = thinker(game)
    levels = ladder(game, engine)
    gains = measured(game) or [None] * len(levels)
    return [
        made(engine, game, number, *errs, gain)
        for number, (errs, gain) in enumerate(zip(levels, gains, strict=True), 1)
    ]


def rung(engine: "Engine", game: Game, level: int) -> Rung:
    """The level `number` of a game for an engine. Raises Usage if there is none."""
    levels = ladder(game, engine)
    if not 1 <= level <= len(levels):
        raise Usage(f"a level of {game.name} is 1 to {len(levels)}, not {level}")
    return made(engine, game, level, *levels[level - 1])


def made(
    engine: "Engine",
    game: Game,
    level: int,
    depth: int | None,
    errs: float,
    gain: Gain | Winnings | None = None,
) -> Rung:
    """A level with this depth and error, see LEVELS and LOOKING_AWAY."""
    if engine.samples:
        nodes = int(SIMULATED * 2.0 ** (MOST_DOUBLINGS if depth is None else depth))
        deals = game.new().sampled_deals // DEALT if engine.name == "pimc" else None
        return Rung(level, Limit(nodes=nodes, seconds=PATIENCE, simulations=deals), gain, careless=errs)
    most = MOST if isinstance(game.new(), Kernel) else MOST_PYTHON
    evaluation = EVALUATED.get(game.name, "") if _ours(game) else ""
    limit = Limit(depth=depth, nodes=most, seconds=PATIENCE)
    return Rung(level, limit, gain, slip=errs, evaluation=evaluation)


def thinker(game: Game) -> "Engine":
    """The engine that plays the levels. Raises Usage where no engine that looks ahead can play the game."""
    position = game.new()
    if position.players < 2:
        raise Usage(f"{game.name} has no levels: it is for one player, who has no opponent to weaken")
    pinned = ENGINES.get(game.name) if _ours(game) else None
    engine = (registry.engine_class(pinned) if pinned else registry.usual_engine(position))()
    if not engine.thinks:
        raise Usage(f"{game.name} has no levels: a level looks ahead, and no engine that does can play it")
    return engine


def _ours(game: Game) -> bool:
    """True for a built-in game, with any parameters."""
    return catalogue.game_of(game.cls) == game.name


def _steps(game: Game) -> Sequence[Level]:
    """The ladder of a built-in game: for its parameters, else for the game; () if it has none."""
    return LADDERS.get(game.spec, LADDERS.get(game.name, ())) if _ours(game) else ()


def measured(game: Game) -> list[Gain | Winnings | None]:
    """The measured gain of each level over the one below; [] if none was measured."""
    if game.parameters and game.spec not in LADDERS:
        return []
    gains = [level.gain for level in _steps(game)]
    return gains if any(gains) else []


def explained(game: Game, width: int = 80) -> str:
    """What each level of a game does, and its measured strength. Raises Usage as `rungs`."""
    all_rungs, gains = rungs(game), [gain for gain in measured(game) if gain]
    engine = thinker(game)
    errs = "blind" if engine.samples else "slip"
    head = f"Levels of {game.name}, played by the engine {engine.name}"
    head += f" with the evaluation {all_rungs[0].evaluation}" if all_rungs[0].evaluation else ""
    lines = [*wrap(head, width), "", f"level  looks ahead   {errs:<7}{'gain' if gains else ''}".rstrip()]
    for rung in all_rungs:
        share = f"{100 * rung.careless:g} %" if rung.careless else f"{rung.slip:g}" if rung.slip else "none"
        lines.append(f"{rung.level:>5}  {_sight(rung.limit):<14}{share:<7}{_gain_text(rung.gain)}".rstrip())
    if engine.samples:
        notes = [
            "Blind: the share of moves made at random, without a search. An immediate win is always taken."
        ]
        if not game.new().hidden:
            notes.append(f"From level {ALERT} on, random moves leave the opponent no immediate win.")
        if all_rungs[0].limit.simulations:
            notes.append(f"At most {all_rungs[0].limit.simulations} deals are searched for a move.")
    else:
        unit = "a stake" if game.new().chance else "a win in an even game"
        notes = [
            "Slip: the size of the errors. Small errors are common and large ones rare, as with people: a "
            f"move that costs one slip, where 1 is {unit}, is played 0.37 times as often as the best move, "
            "one that costs two slips 0.14 times.",
            f"Every level takes an immediate win; from level {ALERT} on it also prevents one of the "
            "opponent if it can.",
        ]
    if gains:
        games = sorted({gain.games for gain in gains})
        span = str(games[0]) if len(games) == 1 else f"{games[0]} to {games[-1]}"
        paid = isinstance(gains[0], Winnings)
        what = f"{game.new().unit_names[1]} won a game from" if paid else "Elo over"
        notes.append(
            f"Gain: {what} the level below, measured in {span} games, ± half the 95 % interval "
            "(Student's t, over pairs of games with exchanged seats)."
        )
        if len(gains) < len(all_rungs) - 1:
            notes.append("Levels without a gain were not measured.")
    else:
        notes.append("The levels were not measured in this game.")
    notes.append("Opening books and endgame tables are used at every level.")
    return "\n".join([*lines, "", *(line for note in notes for line in wrap(note, width))])


def _gain_text(gain: Gain | Winnings | None) -> str:
    if isinstance(gain, Winnings):
        return f"{gain.points:+.2f} ± {gain.margin:.2f}"
    return f"{gain.elo:+} ± {gain.margin}" if gain else ""


def _sight(limit: Limit) -> str:
    if limit.depth:
        return plural(limit.depth, "ply", "plies")
    nodes = limit.nodes or 0
    return f"{nodes // 10**6} M nodes" if nodes >= 10**6 else f"{nodes:,} nodes"


class LevelPlayer(EnginePlayer):
    """An engine that plays at a level. The same seed and moves give the same game.

    Knowledge sources are used at every level.
    """

    def __init__(self, engine: "Engine", rung: Rung, seed: int = 0) -> None:
        super().__init__(engine, rung.limit, seed)
        self.spec = f"level:{rung.level}"
        self.name = f"{engine.name}, level {rung.level}"
        self.slip = rung.slip
        self.careless = rung.careless
        self.evaluation = rung.evaluation
        self.alert = rung.level >= ALERT
        self.seed = seed

    def choose(self, match: MatchView) -> Choice | None:
        """The move that `find` draws; for simulating engines sometimes a random one.

        Pieces are placed at random: searches cannot value a set-up.
        """
        position = match.position
        if isinstance(position, PlacesPieces) and (moves := position.random_placements(self._lot(match))):
            return Choice(moves[0])
        if not self.careless or self.advised(match) is not None or self._lot(match).random() >= self.careless:
            return super().choose(match)
        if match.position.advice() is not None:
            return super().choose(match)  # a call at random would be no auction
        position, moves = match.replica(), match.moves()
        winning = [move for move in moves if _wins(position, move)]
        alert = self.alert and not position.hidden  # what others hold there is a guess
        shuffled = self._lot(match, "move").sample(moves, len(moves))
        seen = (move for move in shuffled if not (alert and _lets_win(position, move)))
        return Choice(winning[0] if winning else next(seen, shuffled[0]))

    def find(self, match: MatchView, limit: Limit) -> Report:
        """Search the moves, and draw one of them: see the head of this file."""
        if not self.slip or limit.moves:
            return super().find(match, limit)
        position = self.searched(match)
        winning = tuple(move for move in position.moves() if _wins(position, move))
        report = self.session.search(
            self.searched(match),
            limit.with_(moves=winning, multipv=ALL),
            lambda said: match.watch(replace(said, candidates=said.candidates[:1])),
            copy=False,
        )
        return _report_drawn(report, self._drawn(position, report, self._lot(match)))

    def searched(self, match: MatchView) -> AbstractPosition:
        """The position, with the evaluation of the level."""
        position = super().searched(match)
        if self.evaluation:
            position.evaluation = position.evaluations[self.evaluation]
        return position

    def _lot(self, match: MatchView, what: str = "") -> Random:
        """The random generator of a move: the same for the same seed."""
        return Random(f"{self.seed}/{what}{len(match.turns)}")

    def _drawn(self, position: AbstractPosition, report: Report, rng: Random) -> Candidate:
        """Draw one of the searched moves."""
        candidates = [one for one in report.candidates if one.bound != "unknown"] or list(report.candidates)
        noisy = set(position.noisy())
        while True:
            weights = [
                (EYE if one.move in noisy else 1) * exp(-lost(position, candidates[0], one) / self.slip)
                for one in candidates
            ]
            (drawn,) = rng.choices(candidates, weights)
            if len(candidates) == 1 or not self.alert or not _lets_win(position, drawn.move):
                return drawn
            candidates.remove(drawn)


def lost(position: AbstractPosition, best: Candidate, chosen: Candidate) -> float:
    """The cost of a move: in stakes in games of chance, else in expected points as in an even game.

    Near an even game the curve of `value.expected` rises by a quarter of its logit: here it does everywhere,
    so that a side far ahead plays to win and a side far behind resists. Beyond SURE the game is won or lost.
    """
    if position.chance:
        return cost(position, best, chosen)
    before, after = (
        min(SURE, max(1 - SURE, scale.expected_score(one.value, position, one.bound, one.proven)))
        for one in (best, chosen)
    )
    return max(0.0, log(before / (1 - before)) - log(after / (1 - after))) / 4


def _wins(position: AbstractPosition, move: int) -> bool:
    """True if the move ends the game, and its player wins."""
    mover = position.turn
    position.make(move)
    payoffs = position.outcome()
    position.unmake()
    return payoffs is not None and payoffs[mover] > 0


def _lets_win(position: AbstractPosition, move: int) -> bool:
    """True if the next player can win at once after the move."""
    mover = position.turn
    position.make(move)
    theirs = position.outcome() is None and position.turn not in (mover, CHANCE)
    wins = theirs and any(_wins(position, reply) for reply in position.moves())
    position.unmake()
    return wins


def _report_drawn(report: Report, drawn: Candidate) -> Report:
    """The search report with the drawn move in place of the best."""
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
