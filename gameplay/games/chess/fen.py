"""Parses Forsyth-Edwards notation; errors name the field and character.

    rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2

Fields: the board by ranks from the eighth, the side to move, castling rights, the en passant square, the
halfmove clock, the move number. Castling rights are KQkq, for the outermost rooks (X-FEN), or the files of
the rooks, as in HAha (Shredder-FEN). The two counts may be missing, as in EPD. Also has the numbered start
positions of Chess960.
"""

from typing import NamedTuple

from gameplay.errors import BadInput
from gameplay.games.chess.attacks import attacks
from gameplay.games.chess.layout import FILE_NAMES, KING, LETTERS, PAWN, ROOK, SQUARES
from gameplay.plural import plural

Piece = tuple[int, int]  # colour (0 White, 1 Black), kind by LETTERS
SIDES = ("White", "Black")
STANDARD = 518  # the number of the standard start position in Chess960


class Setup(NamedTuple):
    """The contents of a FEN."""

    pieces: dict[int, Piece]  # by square, a1 is 0, h8 is 63
    turn: int
    castling_rooks: list[int]  # the squares of the rooks that may castle
    en_passant: int  # the en passant square; -1: none
    clock: int
    number: int


def read(text: str) -> Setup:
    """Parse a FEN. Raises BadInput, naming the field or character that is wrong."""
    try:
        return _read(text.split())
    except BadInput as error:
        raise BadInput(f"FEN '{text}': {error}") from None


def _read(fields: list[str]) -> Setup:
    if not 4 <= len(fields) <= 6:
        what = "board, side, castling, en passant and two counts"
        raise BadInput(f"it has {plural(len(fields), 'field')}, expected six: {what}")
    pieces = _board(fields[0])
    if fields[1] not in ("w", "b"):
        raise BadInput(f"field 2, '{fields[1]}', is the side to move: w or b")
    turn = "wb".index(fields[1])
    castling_rooks = _castling(fields[2], pieces)
    en_passant = _en_passant(fields[3], pieces, turn)
    counts = [0, 1]
    names = ("plies since a capture or a pawn's move", "the number of the move")
    for i, word in enumerate(fields[4:]):
        if not (word.isascii() and word.isdecimal() and len(word) <= 5):
            raise BadInput(f"field {5 + i}, '{word}', is {names[i]}: a whole number")
        counts[i] = int(word)
    if _is_attacked(_king(pieces, 1 - turn), turn, pieces):
        raise BadInput(f"field 2: {SIDES[1 - turn]} is in check, but {SIDES[turn]} is to move")
    return Setup(pieces, turn, castling_rooks, en_passant, counts[0], max(1, counts[1]))


def _board(field: str) -> dict[int, Piece]:
    rows = field.split("/")
    if len(rows) != 8:
        raise BadInput(f"field 1, the board, has {plural(len(rows), 'rank')}, not 8")
    pieces: dict[int, Piece] = {}
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for place, letter in enumerate(row, 1):
            where = f"rank {rank + 1}, character {place}"
            if letter in "12345678":
                file += int(letter)
                continue
            if letter not in "PNBRQKpnbrqk":
                raise BadInput(
                    f"{where}: '{letter}' is neither a piece (KQRBNP, kqrbnp) nor a number from 1 to 8"
                )
            kind = LETTERS.index(letter.upper())
            if kind == PAWN and rank in (0, 7):
                raise BadInput(f"{where}: no pawn can stand on rank {rank + 1}")
            pieces[8 * rank + file] = (0 if letter.isupper() else 1, kind)
            file += 1
            if file > 8:
                break
        if file != 8:
            raise BadInput(f"rank {rank + 1}, '{row}', has {'more' if file > 8 else 'fewer'} than 8 squares")
    for colour, side in enumerate(SIDES):
        kinds = [kind for owner, kind in pieces.values() if owner == colour]
        if kinds.count(KING) != 1:
            many = f"{kinds.count(KING)} kings" if kinds.count(KING) else "no king"
            raise BadInput(f"field 1: {side} has {many}, expected one")
        if kinds.count(PAWN) > 8 or len(kinds) > 16:
            many = f"{kinds.count(PAWN)} pawns" if kinds.count(PAWN) > 8 else f"{len(kinds)} pieces"
            raise BadInput(f"field 1: {side} has {many}, more than in any game")
    return pieces


def _castling(field: str, pieces: dict[int, Piece]) -> list[int]:
    castling_rooks: list[int] = []
    if field == "-":
        return castling_rooks
    for place, letter in enumerate(field, 1):
        where = f"field 3, castling, character {place}: '{letter}'"
        if letter.upper() not in "KQABCDEFGH" or not letter.isascii():
            raise BadInput(f"{where} is not one of KQkq, the file of a rook, or - for none")
        colour = 0 if letter.isupper() else 1
        king_square = _king(pieces, colour)
        row = range(56 * colour, 56 * colour + 8)
        if king_square not in row[1:7]:
            raise BadInput(f"{where}, but the king on {SQUARES[king_square]} cannot castle")
        rooks = [square for square in row if pieces.get(square) == (colour, ROOK)]
        if letter in "Kk":
            rooks = [square for square in rooks if square > king_square][-1:]
        elif letter in "Qq":
            rooks = [square for square in rooks if square < king_square][:1]
        else:
            rooks = [square for square in rooks if FILE_NAMES[square % 8] == letter.lower()]
        if not rooks:
            raise BadInput(f"{where}, but there is no rook to castle with")
        if any(rook in row and (rook > king_square) == (rooks[0] > king_square) for rook in castling_rooks):
            raise BadInput(f"{where} is the second right to castle on that side")
        castling_rooks += rooks
    return castling_rooks


def _en_passant(field: str, pieces: dict[int, Piece], turn: int) -> int:
    if field == "-":
        return -1
    if field not in SQUARES:
        raise BadInput(f"field 4, '{field}', is the square behind a pawn's double step, or -")
    square = SQUARES.index(field)
    up = 8 if turn == 0 else -8
    passed = square // 8 == (5 if turn == 0 else 2) and pieces.get(square - up) == (1 - turn, PAWN)
    if not passed or square in pieces or square + up in pieces:
        raise BadInput(f"field 4: no pawn of {SIDES[1 - turn]} can just have moved past {field}")
    return square


def _king(pieces: dict[int, Piece], colour: int) -> int:
    return next(square for square, piece in pieces.items() if piece == (colour, KING))


def _is_attacked(square: int, by: int, pieces: dict[int, Piece]) -> bool:
    occupied = sum(1 << at for at in pieces)
    return any(
        attacks(LETTERS[kind], at, occupied, colour) >> square & 1
        for at, (colour, kind) in pieces.items()
        if colour == by
    )


def start(number: int) -> Setup:
    """The Chess960 start position with this number, 0 to 959."""
    row = [LETTERS.index(letter) for letter in _first_rank(number)]
    pieces: dict[int, Piece] = {}
    for file, kind in enumerate(row):
        pieces |= {file: (0, kind), 8 + file: (0, PAWN), 48 + file: (1, PAWN), 56 + file: (1, kind)}
    castling_rooks = [
        file + 56 * colour for colour in (0, 1) for file, kind in enumerate(row) if kind == ROOK
    ]
    return Setup(pieces, turn=0, castling_rooks=castling_rooks, en_passant=-1, clock=0, number=1)


def _first_rank(number: int) -> str:
    """The pieces of the first rank in a start position (Reinhard Scharnagl's numbers)."""
    row = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    row[2 * light + 1] = row[2 * dark] = "B"
    number, queen = divmod(number, 6)
    row[[i for i in range(8) if not row[i]][queen]] = "Q"
    free = [i for i in range(8) if not row[i]]
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for i in pairs[number]:
        row[free[i]] = "N"
    for i, piece in zip([i for i in range(8) if not row[i]], "RKR", strict=True):
        row[i] = piece
    return "".join(row)
