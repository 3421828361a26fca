"""The key of a position in books: a 64-bit hash, the same in every version and on every machine.

BLAKE2b, cut to 8 bytes, of the position's `diagram()` in UTF-8: the board and the side to move, without
counters and history, the same for symmetric positions. In games of imperfect information it is the hash of
the player's information set (`infoset`). A move is identified by the fingerprint of its successor, from its
mover's view; so symmetric moves are merged, and files contain no move encodings of a game.

The probability that two of a million positions have the same fingerprint is 1 in 37 million; the entries of
the other position then lead to no successor of this one, and are ignored.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition


def fingerprint(position: "AbstractPosition", player: int | None = None) -> int:
    """The 64-bit key of a position, as seen by `player`; None: by the side to move."""
    if position.hidden:
        text = repr(position.infoset(max(0, position.turn if player is None else player)))
    else:
        text = position.diagram()
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def successor_fingerprints(position: "AbstractPosition") -> dict[int, int]:
    """The fingerprint of the successor for each legal move of an unfinished position."""
    mover = position.turn
    keys = {}
    for move in position.moves():
        position.make(move)
        keys[move] = fingerprint(position, mover)
        position.unmake()
    return keys


def make_moves(position: "AbstractPosition", moves: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    """Make moves on a position: yields fingerprints before and after, the mover (or CHANCE) and the notation.
    Raises IllegalMove; stops at the end of the game.
    """
    for move in moves:
        if position.outcome() is not None:
            return
        mover, key = position.turn, fingerprint(position)
        position.make(position.parse(move))
        yield key, fingerprint(position, mover), mover, move
