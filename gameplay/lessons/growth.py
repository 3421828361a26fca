"""Tree size: branching factor b and game length m give b^m positions; how deep a computer searches them.

The lecture's figures for chess are b = 35 and m = 100, at 10^8 positions a second. Here b and m are those of
games that the program plays. b^m of an average b and m is a poor estimate, since games differ and b^m grows
exponentially: instead the numbers of legal moves are multiplied along each game, and the exponents averaged,
with a confidence interval.

Alpha-beta with the best moves first visits b^(d/2) + b^(d/2) - 1 leaves of a tree of even depth d (Knuth and
Moore, "An analysis of alpha-beta pruning", 1975): about the square root, so twice as deep in the same time.
"""

import math
from collections.abc import Iterator

from gameplay.errors import Usage
from gameplay.registry import Game
from gameplay.suites import profiling

LECTURE = ("chess", 35, 100)  # the game, b, m
RATE = 10**8  # positions a second
ATOMS = 80  # log10 of the atoms of the observable universe
YEAR = 365.25 * 86_400
UNIVERSE = 13.8e9 * YEAR  # its age in seconds (Planck Collaboration 2020)
TIMES = (
    *(("a second", 1.0), ("a minute", 60.0), ("an hour", 3_600.0), ("a day", 86_400.0), ("a year", YEAR)),
    ("the age of the universe", UNIVERSE),
)


def measure(game: Game, pairs: int) -> profiling.Profile:
    """The profile of the game, from engine games only. Raises Usage if no engine can play it."""
    profile = profiling.empty_profile(game, 1)
    profiling.compete(profile, game, math.inf, pairs, 0, lambda words: None)
    if not profile.matches.games:
        reason = "; ".join(profile.notes) or "no game ended by its rules"
        raise Usage(f"{game.name} cannot be measured: {reason}")
    return profile


def reachable_depth(positions: float, width: float) -> float:
    """The depth d at which width^d equals `positions`; infinite if the width is 1."""
    return math.log(positions) / math.log(width) if width > 1 else math.inf


def lines(game: Game, pairs: int = 2) -> Iterator[str]:
    """The text: tree sizes, and the depth reached in a second, a minute, and so on."""
    profile = measure(game, pairs)
    played = profile.matches
    yield f"{'':28}{'b':>8}{'m':>8}   b^m"
    name, width, length = LECTURE
    yield _size(f"the lecture's {name}", width, length, f"{length * math.log10(width):.1f}")
    tree = played.tree
    exponent = tree.mean if tree else played.exponents[0]
    between = f"{exponent:.1f}" + (f", 95 % interval 10^{tree.low:.1f} to 10^{tree.high:.1f}" if tree else "")
    yield _size(f"{game.spec}, measured", played.width, played.length, between)
    yield ""
    yield (
        f"Measured in {played.games} games of {profile.engine}: the numbers of legal moves are multiplied "
        "along each game, and the exponents averaged."
    )
    if any(count < played.games for _, count in played.moves_by_ply[: min(played.lengths)]):
        yield "Rolls and deals are not counted."
    yield ""
    yield f"atoms in the universe: about 10^{ATOMS}"
    yield f"age of the universe in seconds: about {UNIVERSE:.1e}"
    yield ""
    yield f"{'at 10^8 positions a second':28}{'positions':>10}{'minimax':>14}{'alpha-beta at best':>22}"
    for words, seconds in TIMES:
        depth = reachable_depth(RATE * seconds, played.width)
        yield f"{words:28}{f'10^{_log_positions(seconds):.1f}':>10}{_plies(depth):>14}{_plies(2 * depth):>22}"
    position = game.new()
    if not (position.hidden or position.chance):  # minimax searches neither
        yield ""
        yield _verdict(played.length, reachable_depth(RATE * UNIVERSE, played.width), game.spec)


def _size(name: str, width: float, length: float, exponent: str) -> str:
    return f"{name:28}{width:>8.1f}{length:>8.1f}   10^{exponent}"


def _log_positions(seconds: float) -> float:
    """log10 of the number of positions visited in this time."""
    return math.log10(RATE * seconds)


def _plies(depth: float) -> str:
    return "every depth" if math.isinf(depth) else f"{depth:.1f} plies"


def _verdict(length: float, depth: float, name: str) -> str:
    """A sentence: whether games of this length could be searched to the end."""
    end = f"could search {name} to the end of its average game, {length:.0f} plies"
    if depth >= length:
        return f"In the age of the universe minimax {end}."
    if 2 * depth >= length:
        return f"In the age of the universe alpha-beta {end}; minimax could not."
    return (
        f"In the age of the universe neither {end}. A search therefore stops earlier and replaces the rest "
        "of the tree by a static evaluation."
    )
