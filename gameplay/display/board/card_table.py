"""Draws a card table: the seats around the trick, the viewer's at the bottom, or the auction above a hand.

    scale 0   one line per player, for small windows
    scale 1   seats around the trick
    scale 2   the same with framed cards and more room

Marks: `>X<` the cursor, `*X*` the card that took the trick, `> ` the player to move.
"""

import re
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay.board import AuctionTable, Board, CardTable, Cell, TableSeat
from gameplay.display.board.cell import JOINTS, MARKS, RED, Look, letter
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.display.text import Text
    from gameplay.display.theme import Theme

SUITS = ("♠", "♥", "♦", "♣")  # in the order of a hand's trays
SUIT_LETTERS = "shdc"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
TABLE_WIDTH = (40, 47, 60)  # minimum characters of a table, by scale
CARD_WIDTH = 4  # characters of a card in the trick with marks
GAP = 2  # characters between the parts of a table
COLUMN_WIDTH = 8  # characters of a player's column in the auction
NARROW_COLUMN_WIDTH = 5  # ... with open hands around it
MAX_INNER_ROUNDS = 4  # rows of the auction with open hands
CALL_WIDTH = 5  # characters of a call in the bidding box
MAX_AUCTION_LINES = (4, 13, 18)  # lines of auction and bidding box, by scale; earlier rounds are omitted
FRAME_SCALE = 2  # cards have frames from this scale
_WORD = re.compile(r"\w+")

Span = tuple[str, str]  # text and its style
Line = list[Span]
Block = list[Line]


def size(board: Board, scale: int, theme: "Theme") -> tuple[int, int]:
    """Width and height of the drawing in characters."""
    lines = _TableDrawing(Look(board, theme), scale).lines()
    return max([TABLE_WIDTH[min(scale, 2)], *map(_width, lines)]), len(lines)


def draw(text: "Text", look: Look, scale: int) -> None:
    """Append the drawing to `text`, each line with its newline."""
    for line in _TableDrawing(look, scale).lines():
        for words, style in line:
            text.append(words, style=style)
        text.append("\n")


def rotate_seats(table: CardTable, flip: bool, viewer: int | None) -> CardTable:
    """The table with seat `viewer` at the bottom; flip: the opposite seat."""
    seats, count = table.seats, len(table.seats)
    by = next((place for place, seat in enumerate(seats) if seat.player == viewer), 0) + flip * (count // 2)
    winner = None if table.winner is None else (table.winner - by) % count
    seats = tuple(seats[(place + by) % count] for place in range(count))
    return structs.replace(table, seats=seats, leader=(table.leader - by) % count, winner=winner)


def plain_lines(board: Board) -> list[str]:
    """The table as plain text, one fact per line."""
    table = board.table
    assert table is not None
    lines = list(table.facts)
    for seat in reversed(table.seats):
        lines.append(f"{_seat_title(seat)}: {_hand_text(board, seat)}")
    if table.auction is not None:
        rows = (table.auction.players, *table.auction.rows)
        lines.append("auction:")
        lines += ["  " + "".join(f"{word or '-':<{COLUMN_WIDTH}}" for word in row).rstrip() for row in rows]
    elif table.middle is not None:
        title, cards = table.middle
        lines.append(f"{title}: {' '.join(filter(None, cards)) or 'no cards yet'}" if cards else title)
    else:
        order = (*table.seats[table.leader :], *table.seats[: table.leader])
        played = [f"{seat.name.removesuffix(' (you)')} {seat.card}" for seat in order if seat.card]
        lines.append(f"trick: {', '.join(played) or 'no card yet'}")
    lines += [table.choices] if table.choices else []
    return [*lines, *table.foot]


def _seat_title(seat: TableSeat) -> str:
    """A player with status: `west (dummy)`, `south (you, 3 points)`."""
    if not seat.note:
        return seat.name
    return f"{seat.name[:-1]}, {seat.note})" if seat.name.endswith(")") else f"{seat.name} ({seat.note})"


def _hand_text(board: Board, seat: TableSeat) -> str:
    if not seat.hand:
        return plural(seat.hidden, "card")
    if len(seat.hand) == 1:
        return " ".join(board.trays[seat.hand[0] - len(board.cells)].things) or "no cards"
    suits = [
        f"{name} {' '.join(things)}"
        for name, row in zip(SUIT_NAMES, seat.hand, strict=True)
        if (things := board.trays[row - len(board.cells)].things)
    ]
    return ", ".join(suits) or "no cards"


class _TableDrawing:
    """A table at a scale, as lines of spans."""

    def __init__(self, look: Look, scale: int) -> None:
        table = look.board.table
        assert table is not None
        self.table: CardTable = table
        self.look = look
        self.scale = min(scale, 2)

    def lines(self) -> Block:
        """All lines from top to bottom."""
        table = self.table
        if table.auction is not None and not any(seat.hand for seat in table.seats[1:]):
            body = self._bidding(table.auction)
        else:
            body = self._seats_around_trick() if self.scale else self._line_per_player()
        return [*self._texts(table.facts), *body, *self._texts(table.foot)]

    def _texts(self, texts: Sequence[str]) -> Block:
        wide = TABLE_WIDTH[self.scale]
        return [self._replace_signs(line) for text in texts for line in textwrap.wrap(text, wide)]

    def _replace_signs(self, text: str) -> Line:
        """Replace cards and bids in a text by their signs."""
        line, at = Line(), 0
        for match in _WORD.finditer(text):
            if match[0] in self.look.board.glyphs:
                line += [(text[at : match.start()], ""), self._card(match[0], "")]
                at = match.end()
        return [*line, (text[at:], "")]

    def _card(self, word: str, style: str = "bold") -> Span:
        """A card or a bid, red in the red suits."""
        sign = letter(self.look.board, self.look.theme, word)
        return sign, self._suit_style(sign[-1:], style)

    def _suit_style(self, suit: str, style: str) -> str:
        return self.look.theme.red() if suit in RED and self.look.theme.colour else style

    # -- hands -----------------------------------------------------------------------------------

    def _suit(self, number: int) -> Span:
        """The sign of a suit, from spades down."""
        unicode = self.look.theme.unicode and self.look.theme.pieces != "letters"
        sign = SUITS[number] if unicode else SUIT_LETTERS[number]
        return sign, self._suit_style(SUITS[number], "")

    def _suit_cards(self, seat: TableSeat, number: int, spaced: bool) -> Line:
        """The cards of a suit in a hand, with the marks of the cursor."""
        look, row = self.look, seat.hand[number]
        count = len(look.board.trays[row - look.rows].things)
        gaps = [" "] * (count + 1)
        cells = [(row, column) for column in range(count)]
        for column, cell in enumerate(cells):
            left, right = look.marks(cell)
            if left + right != MARKS[""]:
                gaps[column : column + 2] = left, right
        line = [self._suit(number)]
        for column, cell in enumerate(cells):
            line += [(gaps[column], "")] if spaced or not column or gaps[column] != " " else []
            line.append((look.sign(cell), self._card_style(cell, SUITS[number])))
        return [*line, (gaps[-1], "")] if gaps[-1] != " " else line

    def _cards(self, row: int) -> Line:
        """A hand in one row."""
        things = self.look.board.trays[row - self.look.rows].things
        return [span for thing in things for span in (self._card(thing), (" ", ""))]

    def _card_style(self, cell: Cell, suit: str) -> str:
        """The style of a card: bold if playable, or if no card is to be chosen."""
        if cell == self.look.cursor:
            return "bold reverse"
        has_choice = bool(self.look.board.moves)
        weight = "bold" if not has_choice or cell in self.look.board.moves else "not bold"
        coloured = self._suit_style(suit, "")
        return coloured.replace("bold", weight) if coloured else weight

    def _name(self, seat: TableSeat) -> Line:
        return [(f"{'> ' if seat.turn else ''}{seat.name}", "bold")]

    def _seat(self, seat: TableSeat, spaced: bool, stacked: bool) -> Block:
        """A player with their cards; `stacked`: cards on separate lines."""
        notes = [seat.note] if seat.note else []
        if not seat.hand and seat.hidden:
            notes.insert(0, plural(seat.hidden, "card"))
        name = self._name(seat)
        suits = [self._suit_cards(seat, number, spaced) for number in range(len(seat.hand))]
        if len(seat.hand) == 1:
            suits = [self._cards(seat.hand[0])]
        if stacked:
            return [name, *([(part, "")] for note in notes for part in note.split(", ")), *suits]
        return [[*name, ("".join(f"  {note}" for note in notes), "")], *suits]

    # -- the trick -------------------------------------------------------------------------------

    def _trick_card(self, place: int) -> Line:
        """The card in the trick, between its marks."""
        seat = self.table.seats[place]
        if not seat.card:
            return [(" " * CARD_WIDTH, "")]
        marks = MARKS["line" if place == self.table.winner else ""]
        return [(marks[0], ""), self._card(seat.card), (marks[1], "")]

    def _framed_card(self, inner: Line) -> Block:
        """A card in a frame."""
        top, bottom, wall = self._frame(CARD_WIDTH)
        return [[(top, "")], [(wall, ""), *inner, (wall, "")], [(bottom, "")]]

    def _frame(self, width: int) -> tuple[str, str, str]:
        joints, dash, wall = (JOINTS, "─", "│") if self.look.theme.unicode else (" |||-+++-+++-+++", "-", "|")
        return joints[10] + dash * width + joints[6], joints[9] + dash * width + joints[5], wall

    def _trick(self, places: dict[str, list[int]]) -> Block:
        """The trick: each card on the side of the player who played it; or the cards set aside."""
        if self.table.middle is not None:
            title, cards = self.table.middle
            card_spans: Line = [
                span for card in cards for span in ((" ", ""), self._card(card) if card else ("__", ""))
            ]
            return self._frame_lines([[(title, "bold")], [], card_spans[1:]], 16)
        if self.table.auction is not None:
            return self._frame_lines(
                self._calls(self.table.auction, NARROW_COLUMN_WIDTH, MAX_INNER_ROUNDS),
                4 * NARROW_COLUMN_WIDTH,
            )
        framed = self.scale >= FRAME_SCALE

        def card(place: int) -> Block:
            inner = self._trick_card(place)
            if not framed:
                return [inner]
            return (
                self._framed_card(inner)
                if self.table.seats[place].card
                else [[(" " * (CARD_WIDTH + 2), "")]] * 3
            )

        wide = 3 * (CARD_WIDTH + 2 * framed) + GAP
        top = _side_by_side([card(place) for place in places["top"]], GAP) if places["top"] else [[]]
        sides = [card(place) for side in ("left", "right") for place in places[side]]
        between = wide - 2 * (CARD_WIDTH + 2 * framed)
        middle = _side_by_side(sides, between)
        bottom = card(places["bottom"][0])
        blocks = [_centre(top, wide), middle, _centre(bottom, wide)]
        lines = [line for block in blocks for line in block]
        return lines if framed else self._frame_lines(lines, wide)

    def _frame_lines(self, lines: Block, width: int) -> Block:
        """Lines centred in a frame."""
        top, bottom, wall = self._frame(width + 2)
        inner = [[(f"{wall} ", ""), *_pad(line, width), (f" {wall}", "")] for line in _centre(lines, width)]
        return [[(top, "")], *inner, [(bottom, "")]]

    def _seats_around_trick(self) -> Block:
        """The seats around the trick."""
        seats, places = self.table.seats, _places(len(self.table.seats))
        spaced = self.scale >= FRAME_SCALE
        left, right = (
            [line for place in places[side] for line in self._seat(seats[place], spaced, True)]
            for side in ("left", "right")
        )
        middle = self._trick(places)
        wide = max([len("13 cards"), *map(_width, left)])
        margin: Span = (" " * (wide + GAP), "")
        crowded = len(places["top"]) > 1
        top = _side_by_side([self._seat(seats[place], True, crowded) for place in places["top"]], 2 * GAP)
        high = max(map(len, (left, middle, right)))
        body = _side_by_side(
            [
                _centre_vertically(left, high, wide),
                _centre_vertically(middle, high),
                _centre_vertically(right, high),
            ],
            GAP,
        )
        bottom = self._seat(seats[0], True, False)
        if self.table.auction is not None:
            bottom = _side_by_side([bottom, self._box()], GAP)
        fits = max(map(_width, top), default=0) + wide + GAP <= TABLE_WIDTH[self.scale]
        start = [margin] if fits or not crowded else Line()
        around = [*([*start, *line] for line in top), *body, *([margin, *line] for line in bottom)]
        if self.table.auction is not None:
            return around
        words = self._call_lines()
        if max(map(_width, words), default=0) + wide + GAP <= TABLE_WIDTH[self.scale]:
            words = [[margin, *line] for line in words]
        return [*around, *words]

    def _line_per_player(self) -> Block:
        """One line per player: the card in the trick, then the hand."""
        seats = self.table.seats
        wide = max(len(seat.name) + 2 * seat.turn for seat in seats)
        lines = Block()
        for place in (*range(1, len(seats)), 0):
            seat = seats[place]
            line = [*_pad(self._name(seat), wide + 1), *self._trick_card(place), (" ", "")]
            line += self._cards(seat.hand[0]) if len(seat.hand) == 1 else []
            for number in range(len(seat.hand)) if len(seat.hand) > 1 else ():
                if self.look.board.trays[seat.hand[number] - self.look.rows].things:
                    line += [*self._suit_cards(seat, number, False), (" ", "")]
            hidden = f"{seat.hidden} cards  " if seat.hidden and not seat.hand else ""
            lines.append([*line, (f"{hidden}{seat.note}", "")])
        if self.table.middle is not None:
            title, cards = self.table.middle
            lines.append(
                self._replace_signs(f"{title}: {' '.join(filter(None, cards)) or '-'}" if cards else title)
            )
        if self.table.auction is not None:
            lines += self._calls(self.table.auction, COLUMN_WIDTH, MAX_AUCTION_LINES[0])
            return [*lines, *self._box()]
        return [*lines, *self._call_lines()]

    # -- the auction -----------------------------------------------------------------------------

    def _bidding(self, auction: AuctionTable) -> Block:
        """The auction, below it the hand with the bidding box beside it."""
        box = self._box()
        hand = self._seat(self.table.seats[0], True, False)
        calls = self._calls(auction, COLUMN_WIDTH, max(1, MAX_AUCTION_LINES[self.scale] - len(box)))
        if not self.scale:
            suits = [span for line in hand[1:] for span in (*line, (" ", ""))]
            return [*calls, hand[0], suits, *box]
        return [[], *calls, [], *_side_by_side([_centre_vertically(hand, len(hand), 20), box], GAP)]

    def _calls(self, auction: AuctionTable, width: int, rounds: int) -> Block:
        """The last rounds of the auction in columns."""
        long = max(map(len, auction.players)) >= width
        names = [name[0].upper() if long else name for name in auction.players]
        lines: Block = [[(f"{name:<{width}}", "bold") for name in names]]
        for row in auction.rows[-rounds:]:
            lines.append([span for word in row for span in self._call(word, width)])
        return lines

    def _call(self, word: str, width: int) -> Line:
        sign, style = self._card(word) if word in self.look.board.glyphs else (word, "")
        return [(sign, style), (" " * (width - len(sign)), "")]

    def _call_lines(self) -> Block:
        """The calls of the player to move, in lines."""
        look, lines = self.look, Block([[]])
        for row in self.table.box if look.board.moves else ():
            for column in range(len(look.board.trays[row - look.rows].things)):
                cell = (row, column)
                left, right = look.marks(cell)
                spans = [(left, ""), (look.sign(cell), look.style(cell)), (right, ""), (" ", "")]
                if _width(lines[-1]) + _width(spans) > TABLE_WIDTH[self.scale]:
                    lines.append(Line())
                lines[-1] += spans
        return lines if lines[0] else []

    def _box(self) -> Block:
        """The bidding box: legal calls, one level per line, if a call is to be chosen."""
        look, lines = self.look, Block()
        if not look.board.moves:
            return lines
        for row in self.table.box:
            line = Line()
            for column in range(len(look.board.trays[row - look.rows].things)):
                cell = (row, column)
                left, right = look.marks(cell)
                sign = look.sign(cell)
                style = look.style(cell) if sign else ""
                line += [(left, ""), (sign, style), (right, ""), (" " * (CALL_WIDTH - 2 - len(sign)), "")]
            lines.append(line)
        return lines


def _places(count: int) -> dict[str, list[int]]:
    """The places of the seats, clockwise from the bottom."""
    side = 0 if count == 2 else 1 if count < 7 else 2 if count < 9 else 3
    others = list(range(1, count))
    top = others[side : len(others) - side]
    return {"bottom": [0], "left": others[:side][::-1], "top": top, "right": others[len(others) - side :]}


def _width(line: Line) -> int:
    return sum(len(words) for words, _ in line)


def _pad(line: Line, width: int) -> Line:
    return [*line, (" " * max(0, width - _width(line)), "")]


def _centre(lines: Block, width: int) -> Block:
    return [_pad([(" " * max(0, (width - _width(line)) // 2), ""), *line], width) for line in lines]


def _centre_vertically(lines: Block, high: int, wide: int = 0) -> Block:
    """Lines centred vertically, padded to equal width."""
    width = max([wide, *map(_width, lines)])
    above = (high - len(lines)) // 2
    padded: Block = [[]] * above + lines + [[]] * (high - len(lines) - above)
    return [_pad(line, width) for line in padded]


def _side_by_side(blocks: Sequence[Block], gap: int) -> Block:
    """Blocks side by side."""
    widths = [max(map(_width, block), default=0) for block in blocks]
    rows = []
    for lines in zip_longest(*blocks, fillvalue=Line()):
        row = Line()
        for number, (line, width) in enumerate(zip(lines, widths, strict=True)):
            row += [(" " * gap, "")] if number else []
            row += _pad(line, width)
        rows.append(row)
    return rows
