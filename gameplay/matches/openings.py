"""Where the games of a match begin: distinct positions, a few random plies from the start or from a list.

Deterministic engines play one game from one position; a match between them is worth as many games as it
has openings. So no two openings here are the same position (by key), none is over, and none gives the
mover a win at once unless the game offers too few others. The same seed draws the same openings.
"""

import random
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from gameplay.errors import BadInput, GameplayError, Usage
from gameplay.position import CHANCE
from gameplay.registry import Game

LONGEST = 8  # plies; beyond that random play rather decides a small game than opens it


@dataclass(frozen=True)
class Opening:
    """A start in the game's own notation (None: the usual start) and the moves made from it."""

    start: str | None = None
    moves: tuple[str, ...] = ()


def derive(*parts: object) -> int:
    """A 64-bit seed that only `parts` decide: the same everywhere, and unrelated for neighbouring parts."""
    digest = blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def drawn(game: Game, count: int, seed: int, plies: int | None = None) -> list[Opening]:
    """`count` distinct openings of `plies` random moves; None takes the fewest plies, from 2, that give enough.

    0 plies begin every game at the start. Raises Usage if the game has too few openings.
    """
    if plies == 0:
        return [Opening()] * count
    found: list[Opening] = []
    best = 0
    for length in [plies] if plies else [*range(2, LONGEST + 1), 1]:
        some = _draw(game, count, length, derive(seed, "openings", length))
        if len(some) == count:
            return some
        if len(some) > len(found):
            found, best = some, length
    if not found:
        raise Usage(f"{game.name} is over by then: give fewer plies, or 0 to begin every game at the start")
    raise Usage(
        f"{game.name} has only {len(found)} distinct openings of {best} random plies, and {count} pairs of games "
        f"need {count}: ask for {2 * len(found)} games, or for 0 plies to begin every game at the start"
    )


def _draw(game: Game, count: int, plies: int, seed: int) -> list[Opening]:
    """Up to `count` openings; fewer when long drawing finds no more."""
    rng = random.Random(seed)
    position = game.new()
    quiet: list[Opening] = []
    sharp: list[Opening] = []  # the mover wins at once: only taken where there is nothing else
    seen: set[Hashable] = set()
    for _ in range(200 + 40 * count):
        if len(quiet) == count:
            break
        moves: list[str] = []
        for _ in range(plies):
            if position.outcome() is not None:
                break
            move = random_move(position, rng)
            moves.append(position.format(move))
            position.make(move)
        key = position.key()
        if position.outcome() is None and key not in seen:
            seen.add(key)
            (sharp if wins_at_once(position) else quiet).append(Opening(moves=tuple(moves)))
        for _ in moves:
            position.unmake()
    return (quiet + sharp)[:count]


def random_move(position: Any, rng: random.Random) -> int:
    """A random legal move; at a chance position, by its odds."""
    moves = position.moves()
    if position.turn == CHANCE:
        return int(rng.choices(moves, position.chances())[0])
    return int(moves[rng.randrange(len(moves))])


def wins_at_once(position: Any) -> bool:
    """True if the mover has a move that ends the game with more for him than for anybody else."""
    mover = position.turn
    if mover == CHANCE:
        return False
    for move in position.moves():
        position.make(move)
        payoffs = position.outcome()
        position.unmake()
        if payoffs is not None and all(payoffs[mover] > pay for i, pay in enumerate(payoffs) if i != mover):
            return True
    return False


def listed(game: Game, lines: Iterable[str], name: str, count: int, seed: int) -> list[Opening]:
    """`count` openings that the seed picks from `lines`, one position each in the game's own notation.

    Blank lines and `#` comments are passed over. Raises BadInput, naming `name` and the line, for one that
    is wrong, already over or given twice; Usage if there are too few.
    """
    found: list[Opening] = []
    seen: dict[Hashable, int] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        where = f"{name}, line {number}"
        try:
            position = game.new(text)
        except GameplayError as error:
            raise BadInput(f"{where}: {error}") from None
        if position.outcome() is not None:
            raise BadInput(f"{where}: the game is over in this position")
        key = position.key()
        if key in seen:
            raise BadInput(f"{where}: the same position as in line {seen[key]}")
        seen[key] = number
        found.append(Opening(start=text))
    if len(found) < count:
        raise Usage(
            f"{name} holds {len(found)} openings, too few for {count} pairs: ask for {2 * len(found)} games"
        )
    return random.Random(derive(seed, "openings")).sample(found, count)
