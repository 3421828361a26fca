"""Draws a board as large as fits, at one of ten scales.

    paved   games that name a ground, in colour: coloured squares without lines; a rack has walls (`rack`)
    net     games that name links: points with lines between them, closer together in a lattice; on a wooden
            background if the game names that ground
    points  games whose ground consists of points: stacks of checkers without lines, and walls
    star    boards whose rows are offset by half a cell: points
    ring    squares around an empty middle, each with its name
    grid    otherwise: a wide grid, a grid, or one line per row; the wide grid draws stacked pieces one above
            the other

From scale 3 on cells grow by a line and two characters; those scales are for boards whose pieces can be drawn
over several characters (`large`).

`trays` draws trays above and below the board, as many side by side as fit; without a board, each on its own
line. `card_table` draws those of a card table. `cell` describes the contents of a cell.
"""

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay.board import Board, Cell
from gameplay.display.board import card_table, points, rack, ring, star, trays
from gameplay.display.board.cell import ASCII, DASH, JOINTS, MAX_SCALE, MAX_SIGN_SCALE, WALL, Look

if TYPE_CHECKING:
    from gameplay.display.text import Text
    from gameplay.display.theme import Theme

# By scale: spaces on either side of a piece, and lines of a cell. Scale 0 has no grid.
SCALES = ((0, 1), (1, 1), *((tall, tall) for tall in range(3, MAX_SCALE + 2)))
# By scale: characters and lines of a paved cell. One of two lines has its piece in the middle: half a line of
# its colour above the piece, half a line below.
PAVED = ((3, 1), (5, 2), *((2 * tall + 1, tall) for tall in range(3, MAX_SCALE + 2)))
NARROW_CELL = (2, 1)  # characters and lines of a cell with a letter, without room for marks beside it
# By scale: characters and lines from a point to the next, besides the width of a sign.
NET = ((3, 2), (5, 2), (7, 3))
LATTICE = ((1, 1), (3, 2), (5, 3))
PILE_LINES = 5  # lines of a cell with stacked pieces
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
LARGE_PIECES_ROWS = 26  # window height from which pieces are drawn over several lines


def flip_board(board: Board) -> Board:
    """The board rotated by 180 degrees; mirrored if neither rows nor cells have names, where stones fall.

    A chequered board is always rotated.
    """
    upright = board.ground != "chequered" and not any(board.rows) and not board.names
    rows, columns = len(board.cells), len(board.columns)

    def turn(cell: Cell) -> Cell:
        if cell[0] >= rows:  # trays stay where they are
            return cell
        return (cell[0] if upright else rows - 1 - cell[0], columns - 1 - cell[1])

    cells = [tuple(reversed(row)) for row in board.cells]
    across = ("left", "right") if upright else tuple(OPPOSITE)
    left, right = board.tails or board.rows, board.rows if board.tails else ()
    if not upright:
        left, right = tuple(reversed(left)), tuple(reversed(right))
    return structs.replace(
        board,
        cells=tuple(cells if upright else reversed(cells)),
        columns=tuple(reversed(board.columns if upright or not board.feet else board.feet)),
        feet=tuple(reversed(board.feet if upright or not board.feet else board.columns)),
        captions=dict(zip(board.captions, reversed(board.captions.values()), strict=True)),
        rows=left,
        tails=right,
        last=tuple(map(turn, board.last)),
        line=tuple(map(turn, board.line)),
        moves={turn(cell): moves for cell, moves in board.moves.items()},
        paths={move: tuple(map(turn, path)) for move, path in board.paths.items()},
        squares={turn(cell): square for cell, square in board.squares.items()},
        names={turn(cell): name for cell, name in board.names.items()},
        counts={turn(cell): count for cell, count in board.counts.items()},
        links=tuple((turn(one), turn(other)) for one, other in board.links),
        stars=tuple(map(turn, board.stars)),
        walls=tuple(sorted(columns - x for x in board.walls)),
        steps={
            move: tuple(tuple((turn(one), turn(other)) for one, other in sequence) for sequence in sequences)
            for move, sequences in board.steps.items()
        },
        hit={player: turn(cell) for player, cell in board.hit.items()},
        owned={turn(cell): player for cell, player in board.owned.items()},
        ranks={turn(cell): rank for cell, rank in board.ranks.items()},
        inlays={turn(cell): sign for cell, sign in board.inlays.items()},
        arrows={OPPOSITE[key] if key in across else key: move for key, move in board.arrows.items()},
    )


def orient_board(board: Board, flip: bool, viewer: int | None) -> Board:
    """The board from the view of seat `viewer`; `flip` rotates it by 180 degrees.

    A chequered board is shown to the opponent of `white` from the other side. One without `white` is shown to
    both players as the game lists its rows. On a card table the human is at
    the bottom.
    """
    if board.table is not None:
        return structs.replace(board, table=card_table.rotate_seats(board.table, flip, viewer))
    faces_viewer = board.ground != "chequered" or viewer is None or board.white in (None, viewer)
    return board if faces_viewer != flip else flip_board(board)


def size(board: Board, scale: int, theme: "Theme") -> tuple[int, int]:
    """Width and height of the drawing in characters."""
    return _drawing_size(Look(board, theme, piled=_draws_piles(board, scale)), scale)


def _drawing_size(look: Look, scale: int) -> tuple[int, int]:
    """The size of a drawing, given its cells."""
    if look.board.table is not None:
        return card_table.size(look.board, scale, look.theme)
    wide, high = _cells_size(look, scale)
    rows = [row for above in (True, False) for row in trays.arrange(look, scale, above, wide)]
    return max([wide, *(row.width for row in rows)]), high + len(rows) * trays.line_count(look, scale)


def _cells_size(look: Look, scale: int) -> tuple[int, int]:
    """Width and height of the cells with labels, without trays."""
    board = look.board
    label = _label_width(look) + 1
    rows, columns = len(board.cells), len(board.columns)
    if not rows:
        return 0, 0
    if board.squares and scale:
        return ring.size(look, scale)
    heads = bool(any(look.columns)) + bool(any(look.feet)) + bool(board.captions)
    tail = 1 + max(map(len, look.tails)) if any(look.tails) else 0
    if look.lattice and scale > MAX_SIGN_SCALE:
        wide, tall = PAVED[scale]
        return label + wide * columns + tail, tall * rows + heads
    if board.links:
        right, down = _net_spacing(look, scale)
        return label + right * (columns - 1) + look.width + 2 + tail, down * (rows - 1) + 1 + heads
    if board.hexagonal:
        wide, high = star.size(look, scale)
        return label + wide + tail, high + heads
    if _draws_points(look, scale):
        wide, high = points.size(look, scale)
        return label + wide, high + heads
    if look.paved and board.ground == "rack":
        return rack.size(look, *_paved_cell(look, scale))
    if look.paved and board.ground != "points":
        wide, tall = _paved_cell(look, scale)
        return label + wide * columns + tail, tall * rows + heads + (1 if tall == 2 else 0)
    pad, tall = _grid_cell(look, scale)
    if not scale:
        return label + (look.width + 1) * columns + 1 + tail, rows + heads
    return label + (look.width + 2 * pad + 1) * columns + 1 + tail, (tall + 1) * rows + 1 + heads


def largest(board: Board, width: int, height: int, theme: "Theme") -> int:
    """The largest scale that fits into printed lines of this size, else 0.

    Pieces are drawn over several characters only from LARGE_PIECES_ROWS lines on.
    """
    return _largest_scale(
        board, width, height, theme, MAX_SCALE if height >= LARGE_PIECES_ROWS else MAX_SIGN_SCALE
    )


def largest_for_window(board: Board, width: int, height: int, theme: "Theme") -> int:
    """The largest scale that fits if the board has the window to itself, else 0."""
    return _largest_scale(board, width, height, theme, MAX_SCALE)


def _largest_scale(board: Board, width: int, height: int, theme: "Theme", most: int) -> int:
    looks = {False: Look(board, theme)}
    for scale in range(min(most, looks[False].max_scale()), 0, -1):
        piled = _draws_piles(board, scale)
        if piled not in looks:
            looks[piled] = Look(board, theme, piled=True)
        wide, high = _drawing_size(looks[piled], scale)
        if wide <= width and high <= height:
            return scale
    return 0


def draw(
    board: Board, theme: "Theme", scale: int = 1, cursor: Cell | None = None, selected: Cell | None = None
) -> "Text":
    """Draw the board with labels, last move, winning line, cursor and target cells."""
    from gameplay.display.text import Text

    text = Text(no_wrap=True, overflow="crop")
    look = Look(board, theme, cursor, selected, piled=_draws_piles(board, scale))
    if board.table is not None:
        card_table.draw(text, look, scale)
        text.right_crop(1)
        return text
    width = _cells_size(look, scale)[0]
    trays.draw(text, look, scale, True, width)
    if not board.cells:
        pass
    elif board.squares and scale:
        ring.draw(text, look, scale)
    elif look.lattice and scale > MAX_SIGN_SCALE:
        _draw_lattice(text, look, scale)
    elif board.links:
        _draw_net(text, look, scale)
    elif board.hexagonal:
        _draw_star(text, look, scale)
    elif _draws_points(look, scale):
        points.draw(text, look, scale, " " * (_label_width(look) + 1))
    elif look.paved and board.ground == "rack":
        rack.draw(text, look, *_paved_cell(look, scale))
    elif look.paved and board.ground != "points":
        _draw_paved(text, look, scale)
    elif scale:
        _append_captions(text, look, _grid_cell(look, scale)[0])
        _draw_grid(text, look, scale)
    else:
        _append_captions(text, look, 0)
        _draw_rows(text, look)
    trays.draw(text, look, scale, False, width)
    text.right_crop(1)
    return text


def _draws_piles(board: Board, scale: int) -> bool:
    """True if stacked pieces are drawn one above the other."""
    return scale >= (1 if board.ground == "points" else 2)


def _draws_points(look: Look, scale: int) -> bool:
    return look.board.ground == "points" and scale >= 1


def _label_width(look: Look) -> int:
    return max(map(len, _row_names(look)), default=0)


def _row_names(look: Look) -> tuple[str, ...]:
    """The names of the rows, empty if hidden."""
    return look.board.rows if look.theme.coordinates else ("",) * len(look.board.rows)


def _append_labels(text: "Text", names: tuple[str, ...], margin: str, width: int, sign: str = "^") -> None:
    if any(names):
        heads = "".join(f"{name:{sign}{width}}" for name in names)
        text.append(f"{margin}{heads}".rstrip() + "\n", style="bold")


def _append_captions(text: "Text", look: Look, pad: int) -> None:
    """Append the captions above the labels, each cut at the next one."""
    line, captions = "", look.board.captions
    across = look.width + 2 * pad + 1
    for column in sorted(captions):
        line = f"{line:<{_label_width(look) + 1 + column * across + 1}}"[
            : _label_width(look) + 2 + column * across
        ]
        line += captions[column] + " "
    if line:
        text.append(
            line[: _label_width(look) + 1 + len(look.board.columns) * across].rstrip() + "\n", style="bold"
        )


def _append_row_label(text: "Text", look: Look, row: int | None) -> None:
    """Append the label on the right of a row; None: a line between rows."""
    if row is not None and any(look.tails):
        text.append(f" {look.tails[row]}", style="bold")


def _append_spans(text: "Text", spans: list[tuple[str, str]]) -> None:
    for style, run in groupby(spans, itemgetter(1)):
        text.append("".join(words for words, _ in run), style=style)


def _grid_cell(look: Look, scale: int) -> tuple[int, int]:
    """Spaces on either side of a sign in a cell of the grid, and the cell's lines."""
    return (1, PILE_LINES) if look.piled else SCALES[scale]


def _paved_cell(look: Look, scale: int) -> tuple[int, int]:
    """Characters and lines of a paved cell."""
    if look.board.ground == "tiles":
        if not scale:
            return NARROW_CELL
        scale -= 1
    wide, tall = PAVED[scale]
    if tall == 2 and not look.theme.unicode:
        tall = 1  # ASCII has no half lines
    return max(wide, look.width + (2 if scale else 1)), tall  # room for one mark beside a number


def _draw_paved(text: "Text", look: Look, scale: int) -> None:
    board = look.board
    wide, tall = _paved_cell(look, scale)
    label, names = _label_width(look), _row_names(look)
    rows, columns = len(board.cells), range(len(board.columns))
    margin = " " * (label + 1)
    _append_labels(text, look.columns, margin, wide)

    def between(y: int) -> None:
        """Draw half a line of the row above and half a line of row `y`."""
        text.append(margin)
        for x in columns:
            above = look.ground((y - 1, x)) if y else "default"
            below = look.ground((y, x)) if y < rows else "default"
            if below == "default":
                text.append("▀" * wide, style=above)
            else:
                text.append("▄" * wide, style=f"{below} on {above}")
        text.append("\n")

    for y in range(rows):
        if tall == 2:
            between(y)
        for line in range(1 if tall == 2 else tall):
            middle = tall == 2 or line == tall // 2
            text.append(f"{names[y] if middle else '':>{label}} ", style="bold")
            for x in columns:
                large = look.large((y, x), wide, tall) if scale >= 2 else []
                if large:
                    _append_spans(text, look.large_piece_line((y, x), large, line))
                elif middle:
                    _append_spans(text, look.spans((y, x), wide))
                elif line == tall - 1 and look.value((y, x)):
                    text.append(f"{look.value((y, x)):>{wide - 1}} ", style=look.mark_style((y, x)))
                else:
                    text.append(" " * wide, style=look.mark_style((y, x)))
            _append_row_label(text, look, y if middle else None)
            text.append("\n")
    if tall == 2:
        between(rows)
    _append_labels(text, look.feet, margin, wide)


def _draw_rows(text: "Text", look: Look) -> None:
    board, wide = look.board, look.width
    label, names = _label_width(look), _row_names(look)
    _append_labels(text, look.columns, " " * (label + 1), wide + 1, ">")
    for y, row in enumerate(board.cells):
        text.append(f"{names[y]:>{label}} " if label else " ", style="bold")
        marks = [look.marks((y, x)) for x in range(len(row))]
        for x in range(len(row)):
            bare = board.ground == "chequered" or row[x] is None
            sign = look.sign((y, x)) or (" " if bare else ".")
            gap = [" "] * (wide + 1 - len(sign))  # holds the marks of both neighbours
            gap[0] = marks[x - 1][1] if x else " "
            if marks[x][0] != " ":
                gap[-1] = marks[x][0]
            text.append("".join(gap))
            text.append(sign, style=look.style((y, x)))
        text.append(marks[-1][1])
        _append_row_label(text, look, y)
        text.append("\n")
    _append_labels(text, look.feet, " " * (label + 1), wide + 1, ">")


def _draw_grid(text: "Text", look: Look, scale: int) -> None:
    board = look.board
    joints, dash, wall = (JOINTS, DASH, WALL) if look.theme.unicode else ASCII
    pad, tall = _grid_cell(look, scale)
    inner = look.width + 2 * pad
    label, names = _label_width(look), _row_names(look)
    margin = " " * (label + 1)

    def exists(y: int, x: int) -> bool:
        within = 0 <= y < len(board.cells) and 0 <= x < len(board.columns)
        return within and board.cells[y][x] is not None

    def rule(y: int) -> None:
        """The lines above row `y`: around existing cells."""
        text.append(margin)
        for x in range(len(board.columns) + 1):
            nw, ne, sw, se = exists(y - 1, x - 1), exists(y - 1, x), exists(y, x - 1), exists(y, x)
            text.append(joints[(nw or ne) + 2 * (sw or se) + 4 * (nw or sw) + 8 * (ne or se)])
            if x < len(board.columns):
                text.append((dash if ne or se else " ") * inner)
        text.append("\n")

    _append_labels(text, look.columns, f"{margin} ", inner + 1)
    for y, row in enumerate(board.cells):
        rule(y)
        cells = [_cell_lines(look, (y, x), inner, tall) for x in range(len(row))]
        for line in range(tall):
            text.append(f"{names[y] if line == tall // 2 else '':>{label}} ", style="bold")
            for x, lines in enumerate(cells):
                text.append(wall if exists(y, x) or exists(y, x - 1) else " ")
                blank = look.piled and not lines[line].strip()
                text.append(lines[line], style="" if blank else look.style((y, x)))
            text.append(wall if exists(y, len(row) - 1) else " ")
            _append_row_label(text, look, y if line == tall // 2 else None)
            text.append("\n")
    rule(len(board.cells))
    _append_labels(text, look.feet, f"{margin} ", inner + 1)


def _cell_lines(look: Look, cell: Cell, width: int, tall: int) -> list[str]:
    """The lines of a cell of the grid."""
    if look.piled:
        return look.pile(cell, width, tall)
    if tall > 3 and look.large(cell, width, tall):
        return [
            "".join(words for words, _ in look.large_piece_line(cell, look.large(cell, width, tall), line))
            for line in range(tall)
        ]
    lines = [" " * width] * tall
    lines[tall // 2] = look.text(cell, width)
    if tall >= 3 and look.value(cell):
        lines[-1] = f"{look.value(cell):>{width - 1}} "
    return lines


# -- points and lines ---------------------------------------------------------------------------------


def _net_spacing(look: Look, scale: int) -> tuple[int, int]:
    """Characters and lines between adjacent points."""
    across, down = (LATTICE if look.lattice else NET)[min(scale, 2)]
    return look.width + across, down


def _draw_net(text: "Text", look: Look, scale: int) -> None:
    board = look.board
    right, down = _net_spacing(look, scale)
    label, inner, names = _label_width(look), look.width + 2, _row_names(look)
    rows, columns = len(board.cells), len(board.columns)
    drawn: dict[tuple[int, int], str] = {}  # by line and column: the character
    for (y, x), (v, u) in board.links:
        _draw_stroke(drawn, (y * down, x * right), (v * down, u * right), look.theme.unicode)
    _append_labels(text, look.columns, " " * (label + 1 + (inner - look.width) // 2), right, "<")
    margin = inner // 2  # characters before the first point, as strokes count
    wide = (columns - 1) * right + look.width + 2
    for line in range((rows - 1) * down + 1):
        y, between = divmod(line, down)
        text.append(f"{'' if between else names[y]:>{label}} ", style="bold")
        places = [(drawn.get((line, place - margin), " "), look.wood) for place in range(wide)]
        for x in range(0 if between else columns):
            if board.cells[y][x] is None:
                continue
            at, style = x * right, look.style((y, x))
            for place, sign in enumerate(f"{look.sign((y, x)):^{look.width}}", at + 1):
                places[place] = (sign, style)
            for place, mark in zip((at, at + inner - 1), look.marks((y, x)), strict=True):
                if mark != " ":
                    places[place] = (mark, style)
        _append_spans(text, places)
        _append_row_label(text, look, None if between else y)
        text.append("\n")
    _append_labels(text, look.feet, " " * (label + 1 + (inner - look.width) // 2), right, "<")


def _draw_stroke(drawn: dict[tuple[int, int], str], one: Cell, other: Cell, unicode: bool) -> None:
    """Draw a line between two places, without its ends."""
    (y, x), (v, u) = sorted((one, other))
    dash, wall = (DASH, WALL) if unicode else (ASCII[1], ASCII[2])
    if y == v:
        drawn.update({(y, place): dash for place in range(x + 1, u)})
        return
    sign = wall if x == u else "\\" if u > x else "/"
    for line in range(y + 1, v):
        drawn[line, x + round((u - x) * (line - y) / (v - y))] = sign


def _draw_lattice(text: "Text", look: Look, scale: int) -> None:
    """Draw a lattice whose stones cover several characters."""
    wide, tall = PAVED[scale]
    label, names = _label_width(look), _row_names(look)
    margin = " " * (label + 1)
    _append_labels(text, look.columns, margin, wide)
    for y, row in enumerate(look.board.cells):
        for line in range(tall):
            middle = line == tall // 2
            text.append(f"{names[y] if middle else '':>{label}} ", style="bold")
            for x in range(len(row)):
                large = look.large((y, x), wide, tall)
                if large:
                    _append_spans(text, look.large_piece_line((y, x), large, line))
                else:
                    _append_spans(text, look.crossing((y, x), wide, line - tall // 2))
            _append_row_label(text, look, y if middle else None)
            text.append("\n")
    _append_labels(text, look.feet, margin, wide)


# -- rows offset by half a cell -----------------------------------------------------------------------


def _draw_star(text: "Text", look: Look, scale: int) -> None:
    right, down = star.SCALES[scale]
    label, names = _label_width(look), _row_names(look)
    large = scale >= star.LARGE
    margin = " " * (label + 1 + (down if large else 1))
    _append_labels(text, look.columns, margin, right, "<")
    for y in range(len(look.board.cells)):
        for number in range(down if large else 1):
            middle = number == (down // 2 if large else 0)
            text.append(f"{names[y] if middle else '':>{label}} ", style="bold")
            _append_spans(text, star.line(look, scale, y, number))
            _append_row_label(text, look, y if middle else None)
            text.append("\n" if large or y == len(look.board.cells) - 1 else "\n" * down)
    _append_labels(text, look.feet, margin, right, "<")
