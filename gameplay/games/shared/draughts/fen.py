"""Draughts positions as PDN FEN: the side to move, then the pieces: `B:W18,24,K10:B12,K22`."""

import re

from gameplay.errors import BadInput
from gameplay.games.shared.draughts.variant import Variant

Pieces = tuple[int, int, int]  # black, white and kings, as bits


def format_fen(rules: Variant, pieces: Pieces, turn: int, clock: int = 0) -> str:
    """A PDN FEN; `clock`, the plies that count toward a draw, only if there are any."""
    black, white, kings = pieces

    def format_side(side: int) -> str:
        words = []
        for square in range(1, rules.squares + 1):
            bit = rules.bit(square)
            if side >> bit & 1:
                words.append(f"{'K' if kings >> bit & 1 else ''}{rules.square_name(square)}")
        return ",".join(words)

    mover = rules.sides[turn][0].upper()
    return f"{mover}:W{format_side(white)}:B{format_side(black)}" + (f":H{clock}" if clock else "")


def parse_fen(rules: Variant, text: str) -> tuple[int, int, int, int, int]:
    """Black, white, kings, turn and clock of a PDN FEN. Raises BadInput."""
    first, second = [side[0].upper() for side in rules.sides]
    example = rules.example
    turn, *fields = text.strip("\"'").rstrip(".").split(":")
    if turn.upper() not in (first, second):
        raise BadInput(
            f"'{text}': a FEN must begin with the side to move, {first} or {second}, not '{turn}' ({example})"
        )
    pieces: dict[str, int] = {}
    kings = clock = 0
    for field in fields:
        colour, squares = field[:1].upper(), field[1:]
        if re.fullmatch("[HF][0-9]{1,4}", field.upper()):  # F: the number of the move, which is ignored
            clock = int(squares) if colour == "H" else clock
            continue
        if colour not in (first, second):
            raise BadInput(
                f"'{text}': a list of pieces must begin with {first} or {second}, not '{field}' ({example})"
            )
        if colour in pieces:
            raise BadInput(f"'{text}': {field[0]} has two lists of pieces; expected one ({example})")
        pieces[colour], crowned = _parse_side(rules, text, colour, squares)
        count = pieces[colour].bit_count()
        if count > rules.men:
            raise BadInput(f"'{text}': {field[0]} has {count} pieces; the maximum is {rules.men}")
        kings |= crowned
    if len(pieces) < 2:
        missing = "W" if "B" in pieces else "B"
        raise BadInput(f"'{text}': the list of {missing}'s pieces is missing ({example})")
    both = pieces["W"] & pieces["B"]
    if both:
        name = rules.square_name(rules.square((both & -both).bit_length() - 1))
        raise BadInput(f"'{text}': square {name} is given twice")
    if not any(pieces.values()):
        raise BadInput(f"'{text}': there is no piece on the board")
    if clock >= rules.draw_plies:
        raise BadInput(
            f"'{text}': after {clock} plies {rules.idle} the game is over; H must be less than "
            f"{rules.draw_plies}"
        )
    return pieces["B"], pieces["W"], kings, int(turn.upper() == second), clock


def _parse_side(rules: Variant, text: str, colour: str, squares: str) -> tuple[int, int]:
    """The pieces of one side in a FEN, and its kings."""
    row = rules.size // 2
    last = range(1, row + 1) if colour == "W" else range(rules.squares - row + 1, rules.squares + 1)
    pieces = kings = 0
    for word in filter(None, squares.split(",")):
        crowned, first, end = _parse_range(rules, text, word)
        for square in range(first, end + 1):
            bit = 1 << rules.bit(square)
            if pieces & bit:
                raise BadInput(f"'{text}': square {rules.square_name(square)} is given twice")
            if not crowned and square in last:
                name = rules.square_name(square)
                raise BadInput(f"'{text}': a man on square {name} would be a king: write K{name}")
            pieces |= bit
            kings |= bit if crowned else 0
    return pieces, kings


def _parse_range(rules: Variant, text: str, word: str) -> tuple[bool, int, int]:
    """Parse a word of a list of pieces, as `K1-4`: whether they are kings, the first and the last square."""
    match = re.fullmatch(r"(K?)(.*?)(?:-(.*))?", word, re.IGNORECASE)
    assert match is not None
    crowned, first, last = match.groups()
    names = [first.lower(), (first if last is None else last).lower()]
    squares = [rules.square_number(name) for name in names]
    if not all(squares):
        extent = "a dark square from a1 to h8" if rules.letters else f"a square from 1 to {rules.squares}"
        raise BadInput(f"'{text}': '{word}' is not {extent}, K before it for a king")
    if squares[1] < squares[0]:
        raise BadInput(f"'{text}': the range '{word}' must be ascending")
    return bool(crowned), squares[0], squares[1]
