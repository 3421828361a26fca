"""Chess move notation: standard algebraic (SAN) and UCI.

Moves are read leniently: long notation, signs that are left out, capitals and the figurines of books. What is
no legal move is refused with the reason and with alternatives.
"""

import re
from collections.abc import Callable, Sequence

from gameplay.errors import IllegalMove
from gameplay.games.chess.layout import CASTLE, FILE_NAMES, LETTERS, PAWN, SQUARES, decoded
from gameplay.position import AbstractPosition

NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # by kind
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight")
_CASTLING = re.compile("([O0o])-?[O0o](-?[O0o])?")
_MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h])([1-8]):?(?:[=/]?\(?([QRBNqrbn])\)?)?")
_TAKES = re.compile(r"([a-h])[x:]?([a-h])(?:[=/]?\(?([QRBNqrbn])\)?)?")  # a pawn that takes, without the row
_TAIL = re.compile(r"(?:[+#!?=\s]|(?<=[1-8QRBNqrbn)\s])(?:e\.?p\.?|mate|ch\.?))+$")  # signs behind a move
_SIGNS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟‐‑‒–—−×†‡", "KQRBNPKQRBNP------x++")
_SQUARES = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")  # as engines write a move


def is_move(word: str) -> bool:
    """True for a word that is spelt like a move, be it legal or not."""
    return _CASTLING.fullmatch(word) is not None or _parts(word) is not None


class ChessNotation(AbstractPosition):
    """The notation of chess, for a position that knows its moves."""

    __slots__ = ()

    chess960: bool
    letter: Callable[[int], str]
    make_all: Callable[[Sequence[int]], None]
    reaching: Callable[[int], list[int]]
    why_not_castle: Callable[[bool], str]

    def format(self, move: int) -> str:
        """A legal move in standard algebraic notation: `e4`, `Nbd2`, `exd6`, `O-O`, `e8=Q#`."""
        words = _short(move, self.moves())
        self.make_all((move,))
        if self.forced():
            words += "+" if self.moves() else "#"
        self.unmake()
        return words

    def uci(self, move: int) -> str:
        """A move as engines write it: `e2e4`, `e7e8q`; castling `e1g1`, or king takes rook in Chess960."""
        parts = decoded(move)
        to = parts.to if self.chess960 else parts.end
        return SQUARES[parts.start] + SQUARES[to] + _promotion(move).lower()

    def from_uci(self, text: str) -> int:
        """The legal move in the notation of engines; castling either way. Raises IllegalMove."""
        word = text.strip().lower()
        legal = self._legal()
        for move in legal:
            if self.uci(move) == word:
                return move
        for move in legal:
            parts = decoded(move)
            ends = [SQUARES[parts.start] + SQUARES[square] for square in (parts.to, parts.end)]
            if parts.how == CASTLE and word in ends:
                return move
        if not _SQUARES.fullmatch(word):
            raise IllegalMove(f"'{text}' is not a move like e2e4 or e7e8q")
        raise IllegalMove(f"'{text}' is not legal here{self._why(word[:2], word[2:4])}")

    def parse(self, text: str) -> int:
        """The legal move that `text` names, in short, long or engines' notation, with or without its signs.

        Raises IllegalMove, saying what would be right.
        """
        word = text.strip()
        plain = _TAIL.sub("", word if word.isascii() else word.translate(_SIGNS))
        if plain[:1] == "P":
            plain = plain[1:]
        legal = self._legal()
        castling = _CASTLING.fullmatch(plain)
        if castling:
            word = "O-O-O" if castling.group(2) else "O-O"
            for move in legal:
                if _short(move, ()) == word:
                    return move
            raise IllegalMove(f"'{word}' is not legal here: {self.why_not_castle(word == 'O-O')}")
        found: list[int] = []
        for spelt in _spellings(plain):
            match = _MOVE.fullmatch(spelt)
            if match:
                found = _meant(match, legal)
                if len(found) == 1:
                    return found[0]
                if found:
                    break
        if _SQUARES.fullmatch(plain.lower()):
            return self.from_uci(plain)
        if not found:
            found = _castled(plain, legal) or _taking(plain, legal)
            if len(found) == 1:
                return found[0]
        if not found:
            raise IllegalMove(self._refusal(word, plain, legal))
        names = ", ".join([self.format(move) for move in found])
        if len({decoded(move).start for move in found}) == 1:
            raise IllegalMove(f"'{word}' does not say what the pawn becomes: {names}")
        count = _COUNTS[min(len(found), 8) - 2]
        raise IllegalMove(f"'{word}': {count} {NAMES[decoded(found[0]).kind]}s can go there: {names}")

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
            return f"'{word}' is not legal here{self._why(file + rank, target)}"
        kind, to = LETTERS.index(piece or "P"), SQUARES.index(target)
        if any(self.letter(square).upper() == LETTERS[kind] for square in self.reaching(to)):
            return f"'{word}' is not legal here: it would leave the king in check"
        if self._own(to):
            return f"'{word}' is not legal here: a piece of yours stands on {target}"
        there = [move for move in legal if move & 63 == to]
        same = [move for move in legal if decoded(move).kind == kind and decoded(move).how != CASTLE]
        tail = ""
        if there:
            tail = f" (to {target}: {', '.join([self.format(move) for move in there])})"
        elif same:
            known = sorted([self.format(move) for move in same])
            tail = f" ({NAMES[kind]}: {', '.join(known[:8])}{', ...' if len(known) > 8 else ''})"
        check = ", the king is in check" if self.forced() else ""
        return f"'{word}' is not legal here{check}: no {NAMES[kind]} can go to {target}{tail}"

    def _own(self, square: int) -> bool:
        """True if a piece of the side to move stands on a square."""
        letter = self.letter(square)
        return bool(letter) and letter.isupper() == (self.turn == 0)

    def _why(self, start: str, to: str) -> str:
        """Why the piece on one square, by name, cannot go to another: the end of a sentence."""
        if self.outcome() is not None:
            return ": the game is over"
        square = SQUARES.index(start)
        if not self.letter(square):
            return f": there is no piece on {start}"
        if not self._own(square):
            return f": the piece on {start} is not {'White' if self.turn == 0 else 'Black'}'s, who is to move"
        if square in self.reaching(SQUARES.index(to)):
            return ": it would leave the king in check"
        if self._own(SQUARES.index(to)):
            return f": a piece of yours stands on {to}"
        own = [move for move in self.moves() if decoded(move).start == square]
        becoming = [move for move in own if SQUARES[decoded(move).to] == to and _promotion(move)]
        if becoming:
            return f": write what the pawn becomes ({', '.join([_short(move, ()) for move in becoming])})"
        there = ", ".join(dict.fromkeys([SQUARES[decoded(move).end] for move in own]))
        return f": the piece on {start} " + (f"can go to {there}" if there else "cannot move")


def _spellings(word: str) -> dict[str, None]:
    """How a word may be meant: a bishop may be small, `bc4`, and all of it in capitals: `C4`, `B2B4`."""
    small = word.lower()
    capital = small if _SQUARES.fullmatch(small) else small[:1].upper() + small[1:]
    return dict.fromkeys([word, word[:1].upper() + word[1:], capital, small])


def _parts(word: str) -> re.Match[str] | None:
    """The parts of a word that is spelt like a move, be it legal or not; None for any other."""
    return next(filter(None, map(_MOVE.fullmatch, _spellings(word))), None)


def _promotion(move: int) -> str:
    """The letter of the piece that a pawn becomes; nothing for other moves."""
    kind = decoded(move).promotion
    return LETTERS[kind] if kind else ""


def _short(move: int, legal: Sequence[int]) -> str:
    """A move in standard algebraic notation, without the sign of check."""
    start, to, kind, taken, how = decoded(move)
    if how == CASTLE:
        return "O-O" if to > start else "O-O-O"
    if kind == PAWN:
        words = FILE_NAMES[start & 7] + "x" if taken else ""
        promotion = _promotion(move)
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


def _meant(match: re.Match[str], legal: Sequence[int]) -> list[int]:
    """The legal moves that the parts of a word fit."""
    piece, file, rank, to_file, to_rank, becomes = match.groups()
    to = SQUARES.index(to_file + to_rank)
    found = []
    for move in legal:
        parts = decoded(move)
        if parts.to != to or parts.how == CASTLE:
            continue
        name = SQUARES[parts.start]
        if (file and file != name[0]) or (rank and rank != name[1]):
            continue
        if LETTERS[parts.kind] != piece if piece else not (file and rank) and parts.kind != PAWN:
            continue
        if parts.kind == PAWN and parts.taken and not file:
            continue
        if becomes and _promotion(move) != becomes.upper():
            continue
        found.append(move)
    return found


def _castled(plain: str, legal: Sequence[int]) -> list[int]:
    """The castling that `plain` names by the squares of the king, or of king and rook: `Ke1-g1`."""
    match = _MOVE.fullmatch(plain)
    if not match or match.group(1) not in ("", "K") or not match.group(2) or not match.group(3):
        return []
    start, to = (SQUARES.index(match.group(i) + match.group(i + 1)) for i in (2, 4))
    found = []
    for move in legal:
        parts = decoded(move)
        if parts.how == CASTLE and parts.start == start and to in (parts.to, parts.end):
            found.append(move)
    return found


def _taking(plain: str, legal: Sequence[int]) -> list[int]:
    """The captures by pawns that `plain` names by files alone: `ed`, `exd`."""
    match = _TAKES.fullmatch(plain)
    if not match:
        return []
    start, to = (FILE_NAMES.index(match.group(i)) for i in (1, 2))
    becomes = (match.group(3) or "").upper()
    return [
        move
        for move in legal
        if decoded(move).kind == PAWN
        and decoded(move).taken
        and (move >> 6 & 7, move & 7) == (start, to)
        and _promotion(move) == becomes
    ]
