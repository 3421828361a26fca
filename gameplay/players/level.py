"""Strength for people: ten levels, from a child's play to all the engine can do.

A level looks some plies ahead and now and then looks away, as people do: with the chance given it plays
the first move that comes to mind. It never overlooks a win on the spot. A game may have a ladder of its
own: a class attribute `levels`, ten pairs of the same kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from textwrap import wrap
from typing import Any

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, MatchView
from gameplay.registry import Game
from gameplay.search.limit import Limit

# Depth in plies (None: whatever the engine takes by itself), and the share of moves made without looking.
# Chess, checkers, Othello and Go have ladders of their own in their classes.
LEVELS: tuple[tuple[int | None, float], ...] = (
    (1, 0.80),
    (1, 0.45),
    (2, 0.36),
    (3, 0.26),
    (4, 0.18),
    (5, 0.12),
    (6, 0.07),
    (9, 0.03),
    (12, 0.0),
    (None, 0.0),
)
# What each level was measured to score against the one below it.
MEASURED = {
    "connect4": "each level scores 60 to 80 % against the one below it (160 games a pair)",
    "chess": "each level scores 65 to 85 % against the one below it (40 games a pair, 24 for levels 7 to 9);"
    " level 10 was not measured",
    "checkers": "each level scores 65 to 85 % against the one below it (40 games a pair); level 10 was not"
    " measured",
    "backgammon": "each level scores 60 to 75 % against the one below it (240 games a pair); level 10 was not"
    " measured",
    "go": "levels 2 to 8 score 63 to 83 % against the one below them (60 games a pair, 30 for level 8);"
    " levels 9 and 10 were not measured",
    "othello": "each level scores 65 to 85 % against the one below it (40 games a pair); level 10 was not"
    " measured",
}
SIMULATED = 500  # positions that an engine of simulations visits instead of looking 0 plies ahead


def ladder(game: Game) -> Sequence[tuple[int | None, float]]:
    """The levels of a game, its own if it has any."""
    levels: Sequence[tuple[int | None, float]] = getattr(game.cls, "levels", LEVELS)
    return levels


@dataclass(frozen=True)
class Rung:
    """A level of a game: what the engine may do, and how often it moves without looking (a share, 0 to 1)."""

    level: int
    limit: Limit
    careless: float


def rungs(game: Game) -> list[Rung]:
    """The levels of a game. Raises Usage where no engine that looks ahead can play it."""
    engine = thinker(game)
    return [
        Rung(level, _limit(engine, depth, game) or engine.default_limit(game.new(), Limit()), careless)
        for level, (depth, careless) in enumerate(ladder(game), 1)
    ]


def thinker(game: Game) -> Any:
    """The engine that plays the levels. Raises Usage where no engine that looks ahead can play the game."""
    position = game.new()
    if position.players < 2:
        raise Usage(f"{game.name} has no levels: it is for one player, who has no opponent to weaken")
    engine = registry.usual_engine(position)()
    if not engine.thinks:
        raise Usage(f"{game.name} has no levels: a level looks ahead, and no engine that does can play it")
    return engine


def measured(game: Game) -> str:
    """What each level was measured to score against the one below it; "" where nobody has measured."""
    ours = game.cls.__module__ == f"gameplay.games.{game.name}" and not game.parameters
    return MEASURED.get(game.name, "") if ours else ""


def explained(game: Game) -> str:
    """What each level of a game does, and how strong it was measured to be. Raises Usage as `rungs`."""
    lines = [f"Levels of {game.name}, played by the engine {thinker(game).name}", ""]
    lines.append(f"{'level':<8}{'search limit':<18}moves made without looking")
    for rung in rungs(game):
        depth = rung.limit.depth
        sight = f"{depth} {'ply' if depth == 1 else 'plies'}" if depth else str(rung.limit)
        lines.append(f"{rung.level:<8}{sight:<18}{_percent(rung.careless)}")
    found = measured(game) or "how strong each level is was not measured in this game"
    return "\n".join(
        [
            *lines,
            "",
            "A move made without looking is a random one, but it wins at once where it can.",
            "An opening book and endgame tables, where given, are used at every level.",
            *wrap(f"Measured: {found}.", 80),
        ]
    )


def _percent(share: float) -> str:
    return f"{100 * share:g} %" if share else "none"


class LevelPlayer(EnginePlayer):
    """An engine that plays at a level from 1 to 10. The same seed and moves give the same game.

    What it knows without a search it plays at every level.
    """

    def __init__(self, engine: Any, level: int, game: Game, seed: int = 0) -> None:
        levels = ladder(game)
        if not 1 <= level <= len(levels):
            raise Usage(f"a level is 1 to {len(levels)}, not {level}")
        depth, careless = levels[level - 1]
        super().__init__(engine, _limit(engine, depth, game), seed)
        self.spec = f"level:{level}"
        self.name = f"{engine.name}, level {level}"
        self.careless = careless
        self.seed = seed

    def choose(self, match: MatchView) -> Choice | None:
        """The engine's move, or one made without looking."""
        rng = Random(f"{self.seed}/{len(match.turns)}")
        if rng.random() >= self.careless or self.advised(match) is not None:
            return super().choose(match)
        moves = match.moves()
        position = match.replica()
        mover = position.turn
        for move in moves:
            position.make(move)
            payoffs = position.outcome()
            position.unmake()
            if payoffs is not None and payoffs[mover] > 0:
                return Choice(move)
        return Choice(rng.choice(moves))


def _limit(engine: Any, depth: int | None, game: Any) -> Limit:
    """What an engine may do at a level that looks `depth` plies ahead; None: all that it does by itself.

    One that visits everything looks no deeper than it can afford; one that plays simulations has no depth,
    and is given positions, twice as many for each ply.
    """
    if depth is None:
        return Limit()
    if engine.samples:
        return Limit(nodes=SIMULATED << depth)
    if engine.endless:
        return Limit(depth=depth)
    return Limit(depth=min(depth, engine.default_limit(game.new(), Limit()).depth))
