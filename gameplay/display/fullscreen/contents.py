"""The contents of the panes of the full screen."""

import textwrap
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gameplay.board import Board, Cell
from gameplay.display.board import drawing as boards
from gameplay.display.board.pointing import CellPositions, cell_positions, nearest_cell
from gameplay.display.fullscreen.areas import rows_around_body
from gameplay.display.fullscreen.keys import Keys
from gameplay.display.fullscreen.panes import Button, Line, button_row, render_lines
from gameplay.display.fullscreen.state import FullScreenState
from gameplay.display.reports import curve
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.screen import too_small_message
from gameplay.plural import plural
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl, Turn

MIN_TEXT_WIDTH = 10  # characters of the text of an event
MIN_MOVES = 3  # lines of moves that stay visible
MOVES_BEFORE_GRAPH = 12  # ... and that come before the graph
GRAPH_HEIGHTS = (14, 10, 6)  # lines of the graph: the largest that fits


class Contents:
    """Draws each pane for a width and a height, and stores what can be clicked."""

    def __init__(self, full: FullScreenState, keys: Keys) -> None:
        self.full = full
        self.keys = keys
        self.drawn: tuple[Board, int] | None = None  # the last drawn board and its scale
        self.cache: tuple[Any, list[Line]] | None = None  # cache: arguments of the drawing, and its lines
        self.cell_positions: CellPositions | None = (
            None  # positions of its cells, computed at the first click
        )
        self.move_spans: dict[int, list[tuple[int, int, int]]] = {}  # line of the panel: from, to, moves made
        self.button_spans: list[tuple[int, int, Button]] = []  # of the buttons: from, to
        self.hidden: list[str] = []  # parts hidden for lack of room
        self.has_moves_area = False  # the moves have an area of their own

    def cell(self, line: int, character: int) -> Cell | None:
        """The cell at a location in the board's pane."""
        if self.drawn is None:
            return None
        board, scale = self.drawn
        if self.cell_positions is None:
            self.cell_positions = cell_positions(board, self.full.theme, scale)
        return nearest_cell(self.cell_positions, line, character, board)

    def title(self, width: int, height: int) -> list[Line]:
        """The title: game, player on turn or result, and hidden parts."""
        full, match = self.full, self.full.view()
        if match is None:
            return []
        name, state = panel.title(match, full.heading), "paused" if full.watch.paused else ""
        if full.browsing.viewed_ply is not None:
            state = f"after {full.browsing.viewed_ply} of {len(match.turns)} moves; Esc: now"
        elif match.over():
            state = panel.describe_result(full.match, full.viewer)
        elif match.turn != CHANCE and not full.watch.paused:
            thinks = match.players[match.turn].spec != "human"
            name = f"analysis of {name}" if full.analysis is not None else name
            state = f"{match.side(match.turn)} {'is thinking' if thinks else 'to move'}"
        shown = self.hidden and full.browsing.first is None
        hidden = f"no room for {', '.join(self.hidden)}" if shown else ""
        if len(name) + 2 + len(state) > width:  # the state takes precedence
            return [[("", state[: width - 4] + " ..." if len(state) > width else state or name[:width])]]
        room = width - len(name) - len(state) - 4
        return [[("bold", name), ("", f"  {state}  {hidden[:room]:>{room}}" if room > 0 else f"  {state}")]]

    def board(self, width: int, height: int) -> list[Line]:
        """The board as large as fits, or the reason why none is shown."""
        from gameplay.display.text import Text

        full, theme = self.full, self.full.theme
        self.drawn = self.cell_positions = None
        match = full.view()
        if match is None:
            return [[("", line)] for line in textwrap.wrap(full.handover, max(20, width))]
        board = self._visible_board()
        if board is None:
            return render_lines(theme, Text(match.show(), no_wrap=True, overflow="crop"), width)
        scale = boards.largest_for_window(board, width, height, theme)
        wide, high = boards.size(board, scale, theme)
        if wide > width or high > height:
            size = full.app.output.get_size()
            needed = high + rows_around_body(size.rows)
            missing = too_small_message(wide, needed, size.columns, size.rows, "show, moves or line")
            return [[("", line)] for line in textwrap.wrap(missing, max(8, width))]
        self.drawn = board, scale
        entry = full.entry if full.browsing.viewed_ply is None else None
        square = (
            entry.selection.square(full.buffer.text)
            if entry is not None and entry.selection is not None
            else ""
        )
        selected = board.find(square) if square else None
        cursor = entry.cursor if entry is not None else None
        key = (board, scale, theme, cursor, selected, width)
        if self.cache is None or self.cache[0] != key:  # drawn many times a second during a search
            self.cache = key, render_lines(theme, boards.draw(board, theme, scale, cursor, selected), width)
        return self.cache[1]

    def _visible_board(self) -> Board | None:
        """The board now, or at the earlier position being viewed; None if the game has no drawing model."""
        full, viewed_ply = self.full, self.full.browsing.viewed_ply
        if viewed_ply is None:
            return full.board()
        position = full.match.replica(viewed_ply)
        last = full.match.turns[viewed_ply - 1].move if viewed_ply else None
        board: Board | None = full.match.call_game("board()", partial(position.board, last=last))
        if board is None:
            return None
        return boards.orient_board(structs.replace(board, moves={}, paths={}), full.flip, full.viewer)

    def panel(self, width: int, height: int) -> list[Line]:
        """The panel: players, search, evaluation curve, moves and messages."""
        full = self.full
        full.update_analysis()
        self.move_spans = {}
        match = full.view()
        if match is None:
            return []
        hidden: list[str] = []
        talk: list[Line] = [[("", line)] for line in self.message_lines(width)]
        talk = [[], *talk] if talk and len(talk) < height - 4 else talk
        drawn = render_lines(full.theme, full.heading_text(match, width), width)
        listed = 0 if self.has_moves_area else min(MIN_MOVES, len(match.turns)) + 1
        scale = self.drawn[1] if self.drawn is not None else 0
        more = panel.board_facts(match, width - 1, height - len(drawn) - len(talk) - listed - 1, scale)
        drawn += [[], *([("", line)] for line in more)] if more else []
        drawn += self._search(match, width, height - len(drawn) - len(talk) - listed, hidden)
        room = (
            height
            - len(drawn)
            - len(talk)
            - (0 if self.has_moves_area else min(MOVES_BEFORE_GRAPH, self._rows(match, width)))
        )
        drawn += self._graph(match, width - 1, room)
        if self.has_moves_area:
            pass
        elif height - len(drawn) - len(talk) >= 2 and match.turns:
            drawn.append([])
            self._named_list(drawn, match, width, height - len(drawn) - len(talk))
        elif match.turns:
            hidden.append("the moves")
        drawn = [*drawn[: max(0, height - len(talk))], *talk]  # an answer is shown in any case
        if hidden != self.hidden:
            self.hidden = hidden
            full.app.invalidate()
        return drawn[:height]

    def _search(self, match: "MatchControl", width: int, room: int, hidden: list[str]) -> list[Line]:
        """The search of the position in view, in `room` lines; if it does not fit, `hidden` names it."""
        full, theme, viewed_ply = self.full, self.full.theme, self.full.browsing.viewed_ply
        if (progress := full.progress_line(match, width - 1)) and viewed_ply is None and room >= 2:
            return [[], [("", progress)]]
        report, mover, at = full.report, full.mover, full.at
        if viewed_ply is not None:
            turn = match.turns[viewed_ply - 1] if viewed_ply else None
            report = turn.report if turn is not None else None
            mover, at = (turn.player if turn is not None else 0), viewed_ply - 1
        if report is None or full.detail() != "full":
            return []
        if room < 1 or not (report.depth or report.known or report.nodes):
            hidden.append("the search")
            return []
        drawn: list[Line] = []
        trying = full.analysis is not None
        least = 2 + (len(report.candidates) + 1 if trying else 0)
        if theme.show_bar and match.position.players == 2 and room >= least and report.bound != "unknown":
            bar = panel.evaluation_bar(match, theme, report, mover, min(width - 1, 44))
            drawn += [[], *render_lines(theme, bar, width)]
            room -= 2
        elif not theme.show_bar and room > 1:
            drawn.append([])
            room -= 1
        facts = render_lines(theme, full.facts(match, report, at, width - 1, room), width)
        if viewed_ply is None:
            facts += [[("", line)] for line in full.other_searches(match, width - 1)]
        if len(facts) <= room:
            return [*drawn, *facts]
        hidden.append("the search")
        verdict: list[Line] = [[("", search_panel.describe_value(match, report, mover))]]
        return [*drawn, *(facts[:room] if trying else verdict)]

    def moves(self, width: int, height: int) -> list[Line]:
        """The moves made, if they have their own area."""
        drawn: list[Line] = []
        self.move_spans = {}
        match = self.full.view()
        if match is not None and match.turns:
            self._named_list(drawn, match, width, height)
        return drawn

    def _graph(self, match: "MatchControl", width: int, height: int) -> list[Line]:
        """The value after each move as a curve, if values are shown and it fits."""
        high = next((high for high in GRAPH_HEIGHTS if high + 2 <= height), 0)
        if not high or self.full.detail() != "full" or panel.human_viewers(match):
            return []
        points = [panel.turn_share(match, turn) for turn in match.turns]
        if sum(value is not None for value in points) < MIN_MOVES:
            return []
        sides = [match.side(0), match.side(1)]
        room = width - curve.MAX_NAME - 2
        points = [value for value in points for _ in range(max(1, min(4, room // len(points))))]
        drawn = curve.draw_curve(points, sides, width, high, self.full.theme.unicode)
        return [[], *([("", row)] for row in drawn)]

    def _rows(self, match: "MatchControl", width: int) -> int:
        """The number of lines of the list of moves, including the empty line above it."""
        return len(move_rows(match, width - 1)) + 1 if match.turns else 0

    def message_lines(self, width: int) -> list[str]:
        """The last message, wrapped."""
        if self.full.browsing.first is not None:
            return []
        paragraphs = self.full.notice.splitlines()
        return [
            part for paragraph in paragraphs for part in textwrap.wrap(paragraph, max(8, width - 1)) or [""]
        ]

    def _named_list(self, drawn: list[Line], match: "MatchControl", width: int, height: int) -> None:
        """Append the opening, if it fits, and the moves."""
        name = panel.opening_name(match)
        if name and height > MIN_MOVES:
            drawn.append([("", name if len(name) < width else name[: width - 4] + "...")])
            height -= 1
        self._list(drawn, match, width, height)

    def _list(self, drawn: list[Line], match: "MatchControl", width: int, height: int) -> None:
        """Append the moves made, a round a line; the viewed position's move is highlighted."""
        browsing, rows = self.full.browsing, move_rows(match, width - 1)
        viewed_ply, browsing.list_length = browsing.viewed_ply, len(rows)
        seen = len(rows) - 1
        if viewed_ply:
            seen = next(n for n, row in enumerate(rows) if any(ply >= viewed_ply for _, ply in row))
        browsing.scrolled = max(0, min(browsing.scrolled, len(rows) - height))
        end = len(rows) - browsing.scrolled
        if viewed_ply and not end - height <= seen < end:
            end = min(len(rows), max(height, seen + 1))
        here = len(match.turns) if viewed_ply is None else viewed_ply
        for row in rows[max(0, end - height) : end]:
            line: Line = []
            at = 0
            for text, ply in row:
                line.append(("bold reverse" if ply == here > 0 else "", text))
                if ply:
                    self.move_spans.setdefault(len(drawn), []).append((at, at + len(text), ply))
                at += len(text)
            drawn.append(line)

    def page(self, width: int, height: int) -> list[Line]:
        """A page of text in place of the game."""
        browsing, indent = self.full.browsing, " " * 12
        shown = [
            part
            for line in browsing.page
            for part in textwrap.wrap(
                line, max(20, width - 1), subsequent_indent=indent, drop_whitespace=False
            )
            or [""]
        ]
        first = min(browsing.first or 0, max(0, len(shown) - (height - 1)))
        browsing.first = first if browsing.first is not None else None
        rest = len(shown) - first - (height - 1)
        more = f"; PgDn: {plural(rest, 'more line')}" if rest > 0 else ""
        foot = "Esc: back to the game" + more
        return [*([("", line)] for line in shown[first : first + height - 1]), [("bold", foot)]]

    def meaning(self, width: int, height: int) -> list[Line]:
        """The effect of the line being typed, or its error."""
        full = self.full
        if full.handover:
            return []
        if full.entry is None:
            waiting = full.lines[0] if full.lines else full.buffer.text
            idle = full.watching or full.match.over() or not waiting
            what = f"{waiting} is queued" if full.lines else "what you type waits in the line"
            return [] if idle else [[("", f"it is not your turn: {what}")]]
        text = full.entry.prompt_text() + (" (Enter, or press it again)" if full.armed else "")
        fitting = textwrap.wrap(text, max(20, width - 1), max_lines=height, placeholder=" ...")
        return [[("", line)] for line in fitting]

    def buttons(self, width: int, height: int) -> list[Line]:
        """The line of buttons."""
        line, self.button_spans = button_row(self.keys.buttons(), width)
        return [line]


def move_rows(match: "MatchControl", width: int) -> list[list[tuple[str, int]]]:
    """The moves made, as rows of parts: a text, and the number of moves made after it (0: not a move)."""
    seats = len(match.players)
    rows: list[list[tuple[str, int]]] = []
    if match.position.chance or match.position.hidden or seats != 2:
        for number, turn, deals in _group_deals(match):
            if deals > 1:
                rows.append([(f"{number}. ", 0), (f"({deals} deals)", number)])
                continue
            head = f"{number}. "
            who = "" if turn.player == CHANCE or turn.news else f"{match.side(turn.player)} "
            for text in turn.news or (turn.word,):
                for part in textwrap.wrap(text, max(MIN_TEXT_WIDTH, width - len(head + who))):
                    rows.append([(head + who, 0), (part, number)])
                    head, who = " " * len(head), " " * len(who)
        return rows
    late = match.turns[0].player if match.turns else 0
    wide = max((len(turn.word) for turn in match.turns), default=1) + 1
    for number, turn in enumerate(match.turns, 1):
        place = number - 1 + late
        if place % 2 == 0 or not rows:
            rows.append([(f"{place // 2 + 1:>3}. ", 0)])
            if place % 2:
                rows[-1] += [("..." + " " * (wide - 2), 0)]
        rows[-1] += [(turn.word, number), (" " * (wide + 1 - len(turn.word)), 0)]
    return rows


def _group_deals(match: "MatchControl") -> Iterator[tuple[int, "Turn", int]]:
    """Yield each move's number, the turn and 1; of many consecutive deals only the last, and their count."""
    number = 0
    for chance, group in groupby(match.turns, lambda turn: turn.player == CHANCE):
        made = list(group)
        whole = chance and match.position.hidden and len(made) > panel.MAX_DEALS
        for turn in made[-1:] if whole else made:
            number += len(made) if whole else 1
            yield number, turn, len(made) if whole else 1
