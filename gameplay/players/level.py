"""Playing strength for people: levels from beginner to an engine without deliberate errors.

A level searches some plies and samples a move with probability proportional to

    prior * exp(-loss / slip)    loss: of the move against the best one, see `loss`
                                 slip: the level's scale of errors
                                 prior: NOISY_PRIOR for a noisy move such as a capture, else 1

which makes small errors frequent and large ones rare. It takes an immediate win, and from DEFENDING_LEVEL on
prevents one of the opponent if possible. Limits are plies and nodes: strength is the same on every machine.

Simulations visit weak moves too rarely to estimate their loss. The levels of a simulating engine play a
random move with a given probability instead, but take an immediate win, and from DEFENDING_LEVEL on prevent
one of the opponent in games of perfect information.

The built-in games have measured ladders, see `ladders`. A user-defined game can have an attribute `levels`:
pairs as in LEVELS or RANDOM_MOVE_LEVELS. The slip is the "sensitivity" of K. W. Regan and G. McC. Haworth,
Intrinsic Chess Ratings, AAAI 2011.
"""

from collections.abc import Sequence
from math import exp, log
from random import Random
from textwrap import wrap
from typing import TYPE_CHECKING

import msgspec

from gameplay import catalogue, registry
from gameplay import value as scale
from gameplay.capabilities import HasLevels, PlacesPieces
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.players.engine import EnginePlayer
from gameplay.players.ladders import ENGINES, EVALUATIONS, LADDERS, Gain, Level, Winnings
from gameplay.players.player import Choice, MatchView
from gameplay.players.verdict import cost
from gameplay.plural import plural
from gameplay.position import CHANCE, AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

# Depth in plies (None: limited by MAX_NODES), and the slip in the unit of `loss` (0: no errors).
LEVELS: tuple[tuple[int | None, float], ...] = (
    *((1, 2.0), (2, 0.55), (2, 0.42), (3, 0.25), (4, 0.2)),
    *((6, 0.1), (7, 0.065), (8, 0.042), (10, 0.02), (None, 0.0)),
)
# Of simulating engines: doublings of BASE_SIMULATIONS (negative: halvings), and the share of random moves.
RANDOM_MOVE_LEVELS: tuple[tuple[int | None, float], ...] = (
    *((1, 0.80), (1, 0.45), (2, 0.36), (3, 0.26), (4, 0.18)),
    *((5, 0.12), (6, 0.07), (8, 0.03), (10, 0.0), (None, 0.0)),
)
DEFENDING_LEVEL = 3  # the lowest level that prevents an immediate win of the opponent
NOISY_PRIOR = 2.0
CLAMP = 0.99  # expected points
MAX_LINES = 10_000  # more than the legal moves of any game
MAX_NODES = 2_000_000  # per move
MAX_NODES_PYTHON = 100_000  # ... in a game written in Python
MAX_SECONDS = 10.0  # per move; not reached in a compiled build
BASE_SIMULATIONS = 500  # nodes of a simulating engine at 0 doublings
MAX_DOUBLINGS = 12
DEAL_DIVISOR = 4  # levels sample a quarter of the deals of an unlimited search


def ladder(game: Game, engine: "Engine") -> Sequence[tuple[int | None, float]]:
    """The levels of a game: its own, else the default ones (also if its `levels` is None)."""
    start = game.new()
    own_levels = start.levels if isinstance(start, HasLevels) else ()
    if own_levels is not None and (steps := _builtin_ladder(game)):
        return [(level.depth, level.error) for level in steps]
    return own_levels or (RANDOM_MOVE_LEVELS if engine.samples else LEVELS)


class LevelSettings(msgspec.Struct, frozen=True):
    """A level of a game: the engine's limits and its error model."""

    level: int
    limit: Limit
    gain: Gain | Winnings | None  # over the level below; None: not measured
    slip: float = 0.0  # as in LEVELS
    random_share: float = 0.0  # the share of random moves, for simulating engines
    evaluation: str = ""  # the evaluation that it was measured with; "": the default


def all_settings(game: Game) -> list[LevelSettings]:
    """All levels of a game. Raises Usage if no searching engine supports it."""
    engine = level_engine(game)
    levels = ladder(game, engine)
    gains = measured_gains(game) or [None] * len(levels)
    return [
        make_settings(engine, game, number, *parameters, gain)
        for number, (parameters, gain) in enumerate(zip(levels, gains, strict=True), 1)
    ]


def level_settings(engine: "Engine", game: Game, level: int) -> LevelSettings:
    """A level of a game for an engine. Raises Usage if there is no such level."""
    levels = ladder(game, engine)
    if not 1 <= level <= len(levels):
        raise Usage(f"a level of {game.name} must be from 1 to {len(levels)}, not {level}")
    return make_settings(engine, game, level, *levels[level - 1])


def make_settings(
    engine: "Engine",
    game: Game,
    level: int,
    depth: int | None,
    error: float,
    gain: Gain | Winnings | None = None,
) -> LevelSettings:
    """A level with this depth and error, see LEVELS and RANDOM_MOVE_LEVELS."""
    if engine.samples:
        nodes = int(BASE_SIMULATIONS * 2.0 ** (MAX_DOUBLINGS if depth is None else depth))
        deals = game.new().sampled_deals // DEAL_DIVISOR if engine.name == "pimc" else None
        return LevelSettings(
            level, Limit(nodes=nodes, seconds=MAX_SECONDS, simulations=deals), gain, random_share=error
        )
    max_nodes = MAX_NODES if isinstance(game.new(), Kernel) else MAX_NODES_PYTHON
    evaluation = EVALUATIONS.get(game.name, "") if _is_builtin(game) else ""
    limit = Limit(depth=depth, nodes=max_nodes, seconds=MAX_SECONDS)
    return LevelSettings(level, limit, gain, slip=error, evaluation=evaluation)


def level_engine(game: Game) -> "Engine":
    """The engine that plays the levels. Raises Usage if no searching engine supports the game."""
    position = game.new()
    if position.players < 2:
        raise Usage(f"{game.name} has no levels: it is for one player")
    pinned = ENGINES.get(game.name) if _is_builtin(game) else None
    engine = (registry.engine_class(pinned) if pinned else registry.default_engine(position))()
    if not engine.thinks:
        raise Usage(f"{game.name} has no levels: no searching engine supports it")
    return engine


def _is_builtin(game: Game) -> bool:
    """True for a built-in game, with any parameters."""
    return catalogue.game_of(game.cls) == game.name


def _builtin_ladder(game: Game) -> Sequence[Level]:
    """The ladder of a built-in game: for its parameters, else for the game; () if it has none."""
    return LADDERS.get(game.spec, LADDERS.get(game.name, ())) if _is_builtin(game) else ()


def measured_gains(game: Game) -> list[Gain | Winnings | None]:
    """The measured gain of each level over the one below; [] if none was measured."""
    if game.parameters and game.spec not in LADDERS:
        return []
    gains = [level.gain for level in _builtin_ladder(game)]
    return gains if any(gains) else []


def describe_levels(game: Game, width: int = 80) -> str:
    """Describe each level of a game and its measured strength. Raises Usage as `all_settings`."""
    settings, gains = all_settings(game), [gain for gain in measured_gains(game) if gain]
    engine = level_engine(game)
    heading = "blind" if engine.samples else "slip"
    title = f"Levels of {game.name}, played by the engine {engine.name}"
    title += f" with the evaluation {settings[0].evaluation}" if settings[0].evaluation else ""
    lines = [*wrap(title, width), "", f"level  looks ahead   {heading:<7}{'gain' if gains else ''}".rstrip()]
    for setting in settings:
        errors = f"{100 * setting.random_share:g} %" if setting.random_share else f"{setting.slip:g}"
        errors = errors if setting.random_share or setting.slip else "none"
        row = f"{setting.level:>5}  {_format_limit(setting.limit):<14}{errors:<7}{_format_gain(setting.gain)}"
        lines.append(row.rstrip())
    if engine.samples:
        notes = [
            "Blind: the share of moves made at random, without a search. An immediate win is always taken."
        ]
        if not game.new().hidden:
            notes.append(
                f"From level {DEFENDING_LEVEL} on, random moves leave the opponent no immediate win."
            )
        if settings[0].limit.simulations:
            notes.append(f"At most {settings[0].limit.simulations} deals are searched for a move.")
    else:
        unit = "a stake" if game.new().chance else "a win in an even game"
        notes = [
            "Slip: the size of the errors. Small errors are common and large ones rare, as with people: a "
            f"move that costs one slip, where 1 is {unit}, is played 0.37 times as often as the best move, "
            "one that costs two slips 0.14 times.",
            f"Every level takes an immediate win; from level {DEFENDING_LEVEL} on it also prevents one of "
            "the opponent if it can.",
        ]
    if gains:
        games = sorted({gain.games for gain in gains})
        span = str(games[0]) if len(games) == 1 else f"{games[0]} to {games[-1]}"
        has_winnings = isinstance(gains[0], Winnings)
        what = f"{game.new().unit_names[1]} won a game from" if has_winnings else "Elo over"
        notes.append(
            f"Gain: {what} the level below, measured in {span} games, ± half the 95 % interval "
            "(Student's t, over pairs of games with exchanged seats)."
        )
        if len(gains) < len(settings) - 1:
            notes.append("Levels without a gain were not measured.")
    else:
        notes.append("The levels were not measured in this game.")
    notes.append("Opening books and endgame tables are used at every level.")
    return "\n".join([*lines, "", *(line for note in notes for line in wrap(note, width))])


def _format_gain(gain: Gain | Winnings | None) -> str:
    if isinstance(gain, Winnings):
        return f"{gain.points:+.2f} ± {gain.margin:.2f}"
    return f"{gain.elo:+} ± {gain.margin}" if gain else ""


def _format_limit(limit: Limit) -> str:
    if limit.depth:
        return plural(limit.depth, "ply", "plies")
    nodes = limit.nodes or 0
    return f"{nodes // 10**6} M nodes" if nodes >= 10**6 else f"{nodes:,} nodes"


class LevelPlayer(EnginePlayer):
    """An engine that plays at a level. The same seed and moves give the same game.

    Knowledge sources are used at every level.
    """

    def __init__(self, engine: "Engine", settings: LevelSettings, seed: int = 0) -> None:
        super().__init__(engine, settings.limit, seed)
        self.spec = f"level:{settings.level}"
        self.name = f"{engine.name}, level {settings.level}"
        self.slip = settings.slip
        self.random_share = settings.random_share
        self.evaluation = settings.evaluation
        self.defends = settings.level >= DEFENDING_LEVEL
        self.seed = seed

    def choose(self, match: MatchView) -> Choice | None:
        """The move sampled by `find`; for simulating engines sometimes a random one.

        Pieces are placed at random: searches cannot value a set-up.
        """
        position = match.position
        if isinstance(position, PlacesPieces) and (moves := position.random_placements(self._rng(match))):
            return Choice(moves[0])
        if (
            not self.random_share
            or self.advise(match) is not None
            or self._rng(match).random() >= self.random_share
        ):
            return super().choose(match)
        if match.position.advice() is not None:
            return super().choose(match)  # no random calls in an auction
        position, moves = match.replica(), match.moves()
        winning = [move for move in moves if _is_win(position, move)]
        defends = self.defends and not position.hidden
        shuffled = self._rng(match, "move").sample(moves, len(moves))
        safe = (move for move in shuffled if not (defends and _lets_win(position, move)))
        return Choice(winning[0] if winning else next(safe, shuffled[0]))

    def find(self, match: MatchView, limit: Limit) -> Report:
        """Search all moves and sample one of them: see the module's docstring."""
        if not self.slip or limit.moves:
            return super().find(match, limit)
        position = self.search_position(match)
        winning = tuple(move for move in position.moves() if _is_win(position, move))
        report = self.session.search(
            self.search_position(match),
            limit.with_(moves=winning, multipv=MAX_LINES),
            lambda report: match.watch(report.with_(candidates=report.candidates[:1])),
            copy=False,
        )
        return _with_sampled_move(report, self._sample(position, report, self._rng(match)))

    def search_position(self, match: MatchView) -> AbstractPosition:
        """The position, with the evaluation of the level."""
        position = super().search_position(match)
        if self.evaluation:
            position.evaluation = position.evaluations[self.evaluation]
        return position

    def _rng(self, match: MatchView, purpose: str = "") -> Random:
        """The random generator of a move, determined by the seed and the ply."""
        return Random(f"{self.seed}/{purpose}{len(match.turns)}")

    def _sample(self, position: AbstractPosition, report: Report, rng: Random) -> Candidate:
        """Sample one of the searched moves."""
        candidates = [candidate for candidate in report.candidates if candidate.bound != "unknown"] or list(
            report.candidates
        )
        noisy = set(position.noisy())
        while True:
            weights = [
                (NOISY_PRIOR if candidate.move in noisy else 1)
                * exp(-loss(position, candidates[0], candidate) / self.slip)
                for candidate in candidates
            ]
            (chosen,) = rng.choices(candidates, weights)
            if len(candidates) == 1 or not self.defends or not _lets_win(position, chosen.move):
                return chosen
            candidates.remove(chosen)


def loss(position: AbstractPosition, best: Candidate, chosen: Candidate) -> float:
    """The cost of a move: in stakes in games of chance, else in expected points as in an even game.

    It is a quarter of the difference in logits of `value.expected_score`, which equals the difference in
    expected points near an even game and stays sensitive far from it: a side far ahead still plays to win, a
    side far behind still resists. Scores are clamped to CLAMP.
    """
    if position.chance:
        return cost(position, best, chosen)
    before, after = (
        min(
            CLAMP,
            max(
                1 - CLAMP, scale.expected_score(candidate.value, position, candidate.bound, candidate.proven)
            ),
        )
        for candidate in (best, chosen)
    )
    return max(0.0, log(before / (1 - before)) - log(after / (1 - after))) / 4


def _is_win(position: AbstractPosition, move: int) -> bool:
    """True if the move ends the game, and its player wins."""
    mover = position.turn
    position.make(move)
    payoffs = position.outcome()
    position.unmake()
    return payoffs is not None and payoffs[mover] > 0


def _lets_win(position: AbstractPosition, move: int) -> bool:
    """True if the opponent can win immediately after the move."""
    mover = position.turn
    position.make(move)
    opponent_to_move = position.outcome() is None and position.turn not in (mover, CHANCE)
    wins = opponent_to_move and any(_is_win(position, reply) for reply in position.moves())
    position.unmake()
    return wins


def _with_sampled_move(report: Report, sampled: Candidate) -> Report:
    """The search report with the sampled move in place of the best."""
    return report.with_(
        move=sampled.move,
        value=sampled.value,
        bound=sampled.bound,
        values=sampled.values or report.values,
        error=sampled.error,
        candidates=(sampled,),
        pv=sampled.pv or (sampled.move,),
        exact=report.exact and sampled.proven,
    )
