"""Chess move notation: standard algebraic (SAN) and UCI.

The parser is lenient: it accepts long notation, missing signs, capitals and figurines. For an illegal move it
raises IllegalMove with the reason and alternatives.
"""

import re
from collections.abc import Callable, Sequence

from gameplay.errors import IllegalMove
from gameplay.games.chess.layout import CASTLE, FILE_NAMES, LETTERS, PAWN, SQUARES, decode
from gameplay.position import AbstractPosition

NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # by kind
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight")
_CASTLING = re.compile("([O0o])-?[O0o](-?[O0o])?")
_MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h])([1-8]):?(?:[=/]?\(?([QRBNqrbn])\)?)?")
# A pawn capture without the rank.
_PAWN_CAPTURE = re.compile(r"([a-h])[x:]?([a-h])(?:[=/]?\(?([QRBNqrbn])\)?)?")
# Annotations after a move.
_SUFFIX = re.compile(r"(?:[+#!?=\s]|(?<=[1-8QRBNqrbn)\s])(?:e\.?p\.?|mate|ch\.?))+$")
_SIGNS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟‐‑‒–—−×†‡", "KQRBNPKQRBNP------x++")
_SQUARES = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")  # UCI


def is_move(word: str) -> bool:
    """True for a word in move notation, legal or not."""
    return _CASTLING.fullmatch(word) is not None or _parts(word) is not None


class ChessNotation(AbstractPosition):
    """Formats and parses the moves of a position."""

    __slots__ = ()

    chess960: bool
    letter: Callable[[int], str]
    make_all: Callable[[Sequence[int]], None]
    pieces_reaching: Callable[[int], list[int]]
    why_not_castle: Callable[[bool], str]

    def format(self, move: int) -> str:
        """A legal move in standard algebraic notation: `e4`, `Nbd2`, `exd6`, `O-O`, `e8=Q#`."""
        words = _san(move, self.moves())
        self.make_all((move,))
        if self.forced():
            words += "+" if self.moves() else "#"
        self.unmake()
        return words

    def uci(self, move: int) -> str:
        """A move in UCI notation: `e2e4`, `e7e8q`; castling `e1g1`, or king takes rook in Chess960."""
        parts = decode(move)
        to = parts.to if self.chess960 else parts.end
        return SQUARES[parts.start] + SQUARES[to] + _promotion_letter(move).lower()

    def from_uci(self, text: str) -> int:
        """Parse a legal move in UCI notation, with castling either way. Raises IllegalMove."""
        word = text.strip().lower()
        legal = self._legal()
        for move in legal:
            if self.uci(move) == word:
                return move
        for move in legal:
            parts = decode(move)
            ends = [SQUARES[parts.start] + SQUARES[square] for square in (parts.to, parts.end)]
            if parts.how == CASTLE and word in ends:
                return move
        if not _SQUARES.fullmatch(word):
            raise IllegalMove(f"'{text}' is not a move like e2e4 or e7e8q")
        raise IllegalMove(f"'{text}' is not legal here{self._explain(word[:2], word[2:4])}")

    def parse(self, text: str) -> int:
        """Parse a legal move in SAN, long algebraic or UCI notation.

        Raises IllegalMove with the reason and alternatives.
        """
        word = text.strip()
        plain = _SUFFIX.sub("", word if word.isascii() else word.translate(_SIGNS))
        if plain[:1] == "P":
            plain = plain[1:]
        legal = self._legal()
        castling = _CASTLING.fullmatch(plain)
        if castling:
            word = "O-O-O" if castling.group(2) else "O-O"
            for move in legal:
                if _san(move, ()) == word:
                    return move
            raise IllegalMove(f"'{word}' is not legal here: {self.why_not_castle(word == 'O-O')}")
        matches: list[int] = []
        for spelling in _spellings(plain):
            match = _MOVE.fullmatch(spelling)
            if match:
                matches = _matching_moves(match, legal)
                if len(matches) == 1:
                    return matches[0]
                if matches:
                    break
        if _SQUARES.fullmatch(plain.lower()):
            return self.from_uci(plain)
        if not matches:
            matches = _castling_moves(plain, legal) or _pawn_captures(plain, legal)
            if len(matches) == 1:
                return matches[0]
        if not matches:
            raise IllegalMove(self._refusal(word, plain, legal))
        names = ", ".join([self.format(move) for move in matches])
        if len({decode(move).start for move in matches}) == 1:
            raise IllegalMove(f"'{word}' lacks the promotion piece: {names}")
        count = _COUNTS[min(len(matches), 8) - 2]
        raise IllegalMove(f"'{word}': {count} {NAMES[decode(matches[0]).kind]}s can go there: {names}")

    def _legal(self) -> Sequence[int]:
        return self.moves() if self.outcome() is None else []

    def _refusal(self, word: str, plain: str, legal: Sequence[int]) -> str:
        """The error for text that matches no legal move, with alternatives."""
        if self.outcome() is not None:
            return f"'{word}': the game is over"
        match = _parts(plain)
        if not match:
            some = ", ".join(sorted([self.format(move) for move in legal])[:6])
            return f"'{word}' is not a move such as e4, Nf3, exd5, O-O, e8=Q or e2e4 (legal: {some}, ...)"
        piece, file, rank, to_file, to_rank, _ = match.groups()
        target = to_file + to_rank
        if file and rank:
            return f"'{word}' is not legal here{self._explain(file + rank, target)}"
        kind, to = LETTERS.index(piece or "P"), SQUARES.index(target)
        if any(self.letter(square).upper() == LETTERS[kind] for square in self.pieces_reaching(to)):
            return f"'{word}' is not legal here: it would leave the king in check"
        if self._is_own_piece(to):
            return f"'{word}' is not legal here: a piece of yours stands on {target}"
        to_square = [move for move in legal if move & 63 == to]
        same_kind = [move for move in legal if decode(move).kind == kind and decode(move).how != CASTLE]
        tail = ""
        if to_square:
            tail = f" (to {target}: {', '.join([self.format(move) for move in to_square])})"
        elif same_kind:
            known = sorted([self.format(move) for move in same_kind])
            tail = f" ({NAMES[kind]}: {', '.join(known[:8])}{', ...' if len(known) > 8 else ''})"
        check = ", the king is in check" if self.forced() else ""
        return f"'{word}' is not legal here{check}: no {NAMES[kind]} can go to {target}{tail}"

    def _is_own_piece(self, square: int) -> bool:
        """True if a piece of the side to move stands on a square."""
        letter = self.letter(square)
        return bool(letter) and letter.isupper() == (self.turn == 0)

    def _explain(self, start: str, to: str) -> str:
        """The reason why the piece on one square cannot move to another: the end of an error message."""
        if self.outcome() is not None:
            return ": the game is over"
        square = SQUARES.index(start)
        if not self.letter(square):
            return f": there is no piece on {start}"
        if not self._is_own_piece(square):
            return f": the piece on {start} is not {'White' if self.turn == 0 else 'Black'}'s, who is to move"
        if square in self.pieces_reaching(SQUARES.index(to)):
            return ": it would leave the king in check"
        if self._is_own_piece(SQUARES.index(to)):
            return f": a piece of yours stands on {to}"
        moves = [move for move in self.moves() if decode(move).start == square]
        promotions = [move for move in moves if SQUARES[decode(move).to] == to and _promotion_letter(move)]
        if promotions:
            return f": write what the pawn becomes ({', '.join([_san(move, ()) for move in promotions])})"
        targets = ", ".join(dict.fromkeys([SQUARES[decode(move).end] for move in moves]))
        return f": the piece on {start} " + (f"can go to {targets}" if targets else "cannot move")


def _spellings(word: str) -> dict[str, None]:
    """The accepted spellings of a word: a lower-case bishop, `bc4`; all in capitals, `C4`, `B2B4`."""
    small = word.lower()
    capital = small if _SQUARES.fullmatch(small) else small[:1].upper() + small[1:]
    return dict.fromkeys([word, word[:1].upper() + word[1:], capital, small])


def _parts(word: str) -> re.Match[str] | None:
    """Match a word in move notation, legal or not; None for any other."""
    return next(filter(None, map(_MOVE.fullmatch, _spellings(word))), None)


def _promotion_letter(move: int) -> str:
    """The letter of the promotion piece; "" for other moves."""
    kind = decode(move).promotion
    return LETTERS[kind] if kind else ""


def _san(move: int, legal: Sequence[int]) -> str:
    """A move in standard algebraic notation, without a check sign."""
    start, to, kind, taken, how = decode(move)
    if how == CASTLE:
        return "O-O" if to > start else "O-O-O"
    if kind == PAWN:
        words = FILE_NAMES[start & 7] + "x" if taken else ""
        promotion = _promotion_letter(move)
        return words + SQUARES[to] + (f"={promotion}" if promotion else "")
    rivals = [
        other >> 6 & 63
        for other in legal
        if other != move and other & 63 == to and other >> 12 & 7 == kind and other >> 18 & 7 != CASTLE
    ]
    name = SQUARES[start]
    if not rivals:
        name = ""
    elif not [square for square in rivals if square & 7 == start & 7]:
        name = name[0]
    elif not [square for square in rivals if square >> 3 == start >> 3]:
        name = name[1]
    return LETTERS[kind] + name + ("x" if taken else "") + SQUARES[to]


def _matching_moves(match: re.Match[str], legal: Sequence[int]) -> list[int]:
    """The legal moves that match the parts of a word."""
    piece, file, rank, to_file, to_rank, promotion = match.groups()
    to = SQUARES.index(to_file + to_rank)
    matches = []
    for move in legal:
        parts = decode(move)
        if parts.to != to or parts.how == CASTLE:
            continue
        name = SQUARES[parts.start]
        if (file and file != name[0]) or (rank and rank != name[1]):
            continue
        if LETTERS[parts.kind] != piece if piece else not (file and rank) and parts.kind != PAWN:
            continue
        if parts.kind == PAWN and parts.taken and not file:
            continue
        if promotion and _promotion_letter(move) != promotion.upper():
            continue
        matches.append(move)
    return matches


def _castling_moves(plain: str, legal: Sequence[int]) -> list[int]:
    """The castling moves written with the squares of the king, or of king and rook: `Ke1-g1`."""
    match = _MOVE.fullmatch(plain)
    if not match or match.group(1) not in ("", "K") or not match.group(2) or not match.group(3):
        return []
    start, to = (SQUARES.index(match.group(i) + match.group(i + 1)) for i in (2, 4))
    matches = []
    for move in legal:
        parts = decode(move)
        if parts.how == CASTLE and parts.start == start and to in (parts.to, parts.end):
            matches.append(move)
    return matches


def _pawn_captures(plain: str, legal: Sequence[int]) -> list[int]:
    """The pawn captures written with files alone: `ed`, `exd`."""
    match = _PAWN_CAPTURE.fullmatch(plain)
    if not match:
        return []
    start, to = (FILE_NAMES.index(match.group(i)) for i in (1, 2))
    promotion = (match.group(3) or "").upper()
    return [
        move
        for move in legal
        if decode(move).kind == PAWN
        and decode(move).taken
        and (move >> 6 & 7, move & 7) == (start, to)
        and _promotion_letter(move) == promotion
    ]
