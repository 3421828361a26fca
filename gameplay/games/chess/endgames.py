"""Chess endgames to train: three and four pieces, by the names of their tables."""

import re
from functools import partial
from random import Random

from gameplay.capabilities import Endgames, Ending


def random_position(material: str, rng: Random) -> str:
    """A FEN with these pieces (KRvK: White's first) on random squares, and either side to move."""
    strong, _, weak = material.partition("v")
    pieces = strong + weak.lower()
    board = ["1"] * 64
    for piece, square in zip(pieces, rng.sample(range(64), len(pieces)), strict=True):
        board[square] = piece
    rows = "/".join("".join(board[at : at + 8]) for at in range(0, 64, 8))
    rows = re.sub("1+", lambda empty: str(len(empty[0])), rows)
    return f"{rows} {rng.choice('wb')} - - 0 1"


def _ending(name: str, words: str, holds: bool = False, offered: bool = False) -> Ending:
    return Ending(name, words, partial(random_position, name), holds, offered)


ENDGAMES = Endgames(
    oracle="tables",
    win="mate",
    endings=(
        _ending("KQvK", "king and queen against king", offered=True),
        _ending("KRvK", "king and rook against king", offered=True),
        _ending("KPvK", "king and pawn against king", holds=True, offered=True),
        _ending("KBBvK", "king and two bishops against king"),
        _ending("KBNvK", "king, bishop and knight against king"),
        _ending("KQvKR", "king and queen against king and rook"),
        _ending("KQvKP", "king and queen against king and pawn", holds=True),
        _ending("KRvKP", "king and rook against king and pawn", holds=True),
        _ending("KRvKB", "king and rook against king and bishop", holds=True),
        _ending("KRvKN", "king and rook against king and knight", holds=True),
        _ending("KPvKP", "king and pawn against king and pawn", holds=True),
    ),
)
