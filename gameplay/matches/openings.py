"""Where the games of a series begin: distinct positions, a few random plies from the start or from a list.

Deterministic engines play one game from one position; a series between them is worth as many games as it
has openings. So no two openings here are the same position (by key), none is over, and none gives the
mover a win at once unless the game offers too few others. The same seed draws the same openings.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Match, seed_of
from gameplay.players.nobody import Nobody
from gameplay.position import CHANCE
from gameplay.registry import Game

LONGEST = 8  # plies; beyond that, random play decides a small game rather than opens it


@dataclass(frozen=True)
class Opening:
    """A start in the game's own notation ("": the usual one) and the moves made from it."""

    start: str = ""
    moves: tuple[str, ...] = ()


def drawn(game: Game, count: int, seed: int, plies: int | None = None, fewer: bool = False) -> list[Opening]:
    """`count` distinct openings of `plies` random moves; None: the fewest plies, from 2, that give enough.

    0 plies begin every game at the start. Raises Usage if the game has too few openings, or with `fewer`
    only if it has none.
    """
    if plies == 0:
        return [Opening()] * count
    found: list[Opening] = []
    best = 0
    for length in [plies] if plies else [*range(2, LONGEST + 1), 1]:
        some = _draw(game, count, length, Random(seed_of(seed, "openings", length)))
        if len(some) == count:
            return some
        if len(some) > len(found):
            found, best = some, length
    if found and fewer:
        return found
    if not found:
        raise Usage(f"{game.name} is over by then: give fewer plies, or 0 to begin every game at the start")
    noun = "ply finds" if best == 1 else "plies find"
    raise Usage(
        f"{game.name}: {best} random {noun} only {len(found)} distinct openings, and {count} pairs of "
        f"games need {count}: ask for {2 * len(found)} games, or for 0 plies to begin all at the start"
    )


def _draw(game: Game, count: int, plies: int, rng: Random) -> list[Opening]:
    """Up to `count` openings; fewer when long drawing finds no more."""
    match = _empty(game)  # its referee watches over the game's code
    position = match.position
    quiet: list[Opening] = []
    sharp: list[Opening] = []  # the mover wins at once: only taken where there is nothing else
    seen: set[Hashable] = set()
    dry = 0  # draws since the last new position
    while len(quiet) < count and len(seen) < 20 * count and dry < 300 + 2 * len(seen):
        words, key, wins = match.ask("random play", _random_play, position, plies, rng, seen)
        dry += 1
        if words and key not in seen:
            seen.add(key)
            dry = 0
            (sharp if wins else quiet).append(Opening(moves=tuple(words)))
    return (quiet + sharp)[:count]


def _empty(game: Game, start: str = "") -> Match:
    return Match(game, [Nobody(), Nobody()], start)


def _random_play(
    position: Any, plies: int, rng: Random, seen: set[Hashable]
) -> tuple[list[str], Hashable, bool]:
    """Moves at random and back: their words (none if the game ended), the key, if the mover wins at once."""
    words: list[str] = []
    while len(words) < plies and position.outcome() is None:
        move = random_move(position, rng)
        words.append(position.format(move))
        position.make(move)
    over, key = position.outcome() is not None, position.key()
    wins = not over and key not in seen and wins_at_once(position)
    for _ in words:
        position.unmake()
    return ([] if over else words), key, wins


def random_move(position: Any, rng: Random) -> int:
    """A random legal move; at a chance position, by its odds."""
    moves = position.moves()
    if position.turn == CHANCE:
        return int(rng.choices(moves, position.chances())[0])
    return int(moves[rng.randrange(len(moves))])


def wins_at_once(position: Any) -> bool:
    """True if the player on turn has a move that ends the game with more for him than for anybody else."""
    mover = position.turn
    if mover == CHANCE:
        return False
    for move in position.moves():
        position.make(move)
        payoffs = position.outcome()
        position.unmake()
        if payoffs and all(payoffs[mover] > pay for player, pay in enumerate(payoffs) if player != mover):
            return True
    return False


def listed(
    game: Game, lines: Iterable[str], name: str, count: int, seed: int, fewer: bool = False
) -> list[Opening]:
    """`count` openings that the seed picks from `lines`, one position each in the game's own notation.

    Blank lines and `#` comments are passed over. Raises BadInput, naming `name` and the line, for one that
    is wrong, already over or given twice; Usage if there are too few, or with `fewer` if there are none.
    """
    found: list[Opening] = []
    seen: dict[Hashable, int] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        where = f"{name}, line {number}"
        try:
            match = _empty(game, text)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        if match.over():
            raise BadInput(f"{where}: the game is over in this position")
        key = match.ask("key()", match.position.key)
        if key in seen:
            raise BadInput(f"{where}: the same position as in line {seen[key]}")
        seen[key] = number
        found.append(Opening(text))
    if found and fewer:
        count = min(count, len(found))
    if len(found) < count:
        enough = 2 * len(found)
        raise Usage(f"{name} holds {len(found)} openings, too few for {count} pairs: ask for {enough} games")
    return Random(seed_of(seed, "openings")).sample(found, count)
