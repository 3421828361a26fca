"""What books know a position by: 64 bits of a hash, the same in every version and on every machine.

BLAKE2b, cut to 8 bytes, of the position's `diagram()` in UTF-8: what lies where and who moves, without
counters and past, the same for positions that symmetry makes one. In games that hide something it is the hash
of what a player knows (`infoset`). A move is known by the fingerprint of the position it leads to, from its
mover's view; so moves that symmetry makes one are one, and files hold no numbers that games give to moves.

That two of a million positions have the same fingerprint has a probability of 1 in 37 million; what a book
then knows of the other one leads nowhere from this one, and is passed over.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any


def fingerprint(position: Any, player: int | None = None) -> int:
    """64 bits of a position, as `player` sees it; None: as who moves does."""
    if position.hidden:
        told = repr(position.infoset(max(0, position.turn if player is None else player)))
    else:
        told = position.diagram()
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "little")


def after(position: Any) -> dict[int, int]:
    """Each legal move of a position that is not over with the fingerprint of the position it leads to."""
    mover = position.turn
    found = {}
    for move in position.moves():
        position.make(move)
        found[move] = fingerprint(position, mover)
        position.unmake()
    return found


def steps(position: Any, words: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    """Play words on a position: fingerprints before and after each move, its mover (or CHANCE) and word.

    Raises IllegalMove; stops where the game is over.
    """
    for word in words:
        if position.outcome() is not None:
            return
        mover, before = position.turn, fingerprint(position)
        position.make(position.parse(word))
        yield before, fingerprint(position, mover), mover, word
