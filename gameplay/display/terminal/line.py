"""Plain output: one fact per line, for pipes, files and screen readers."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from msgspec import structs

from gameplay.board import Board, Cell
from gameplay.capabilities import PublishesHidden
from gameplay.display.board import card_table
from gameplay.display.board import drawing as boards
from gameplay.display.terminal import panel, search_panel
from gameplay.display.terminal.canvas import CLEAR, CLEAR_SCROLLBACK
from gameplay.display.terminal.listener import MatchListener
from gameplay.matches.views import HIDDEN_MOVE
from gameplay.plural import plural
from gameplay.position import CHANCE
from gameplay.visible import one_line, terminal

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Event
    from gameplay.players.player import MatchControl, Turn


class PlainOutput(MatchListener):
    """Prints a match as lines. quiet: only replies to a human's input."""

    def __init__(self, theme: "Theme", out: TextIO, quiet: bool = False) -> None:
        super().__init__(theme)
        self.out = out
        self.quiet = quiet
        self.reset()

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        self.opening = ""  # the last opening name printed
        self.deals: list[str] = []  # visible chance moves since the last move of a player
        self.printed_moves: list[str] | None = None  # the moves before the last printed position

    def write(self, text: str) -> None:
        """Write lines, flushed, so that a program at the other end can answer."""
        if text:
            print(text, file=self.out, flush=True)

    def fact(self, text: str) -> None:
        """Write one line of the match; line breaks in external text are escaped."""
        self.write(one_line(text))

    def note(self, text: str) -> None:
        """Write a line unless quiet."""
        if not self.quiet:
            self.fact(text)

    def prompt(self, text: str) -> None:
        """Print a prompt, without a newline."""
        if text:
            print(text, end="", file=self.out, flush=True)

    def cover(self, text: str) -> None:
        """Clear the terminal with its scrollback, and write `text`.

        If the terminal cannot clear, empty lines scroll the earlier output out of sight.
        """
        if self.holder is None:  # nothing has been shown yet
            self.write(text)
        elif self.out.isatty() and os.environ.get("TERM", "") not in ("", "dumb"):
            terminal(self.out).write(CLEAR + CLEAR_SCROLLBACK)
            self.write(text)
        else:
            self.write("\n" * self.theme.console.size.height + text)

    def __call__(self, event: "Event") -> bool:
        """Print an event of the match."""
        if self.quiet:
            return False
        match = self.match
        if event.kind == "begin":
            self.fact(f"game: {match.game.spec}")
            if self.heading:
                self.fact(f"match: {self.heading}")
            for number, player in enumerate(match.players):
                piece, side = panel.piece_of(match, number), match.side(number)
                name = player.display_name or player.label or player.spec
                self.fact(f"{side}{f' ({piece})' if piece and piece.lower() != side else ''}: {name}")
            if match.clock is not None:
                controls = {control.description for control in match.clock.controls if control is not None}
                self.fact(f"clock: {', '.join(controls)}")
            for fact in (*panel.start_notices(match, clears=self.out.isatty()), *self.notices):
                self.fact(f"note: {fact}")
            if match.turns:
                words = [
                    HIDDEN_MOVE if panel.is_hidden_move(match, turn) else turn.word for turn in match.turns
                ]
                self.fact(f"moves so far: {' '.join(words)}")
        elif event.turn is not None and event.kind in ("move", "redo"):
            self.fact(
                self._deal_text(event.turn) if self._is_deal(event.turn) else self._move_text(event.turn)
            )
            name = panel.opening_name(match)
            if name != self.opening:
                self.fact(f"opening: {name}")
                self.opening = name
        elif event.turn is not None and event.kind == "undo":
            word = "a move" if panel.is_hidden_move(match, event.turn) else event.turn.word
            self.fact(f"{match.side(event.turn.player)} takes back {word}")
        elif event.kind == "restart":
            self.fact("a new game begins")
        elif event.kind == "end":
            viewers = panel.human_viewers(match)
            if len(viewers) < 2:
                self.position(match.view(*viewers))
            self.fact(f"result: {panel.describe_result(match)}")
            for fact in panel.match_summary(match):
                self.fact(f"summary: {fact}")
        return False

    def _is_deal(self, turn: "Turn") -> bool:
        """True for one of several chance moves in a row, in games of imperfect information."""
        more = self.match.position.turn == CHANCE and not self.match.over()
        return self.match.position.hidden and turn.player == CHANCE and (more or bool(self.deals))

    def _deal_text(self, turn: "Turn") -> str:
        """The text of consecutive chance moves, "" until the last."""
        self.deals.append(HIDDEN_MOVE if panel.is_hidden_move(self.match, turn) else turn.word)
        if self.match.position.turn == CHANCE and not self.match.over():
            return ""
        text, self.deals = f"{self.match.side(CHANCE)} deals {' '.join(self.deals)}", []
        return text

    def _play_text(self, turn: "Turn") -> str:
        """`white plays 8/5`, or for public dice `the dice show 5-3`."""
        if turn.player == CHANCE and turn.word.isdigit() and not self.match.position.hidden:
            return f"the {'dice show' if len(turn.word) > 1 else 'die shows'} {'-'.join(turn.word)}"
        return f"{self.match.side(turn.player)} plays {turn.word}"

    def _move_text(self, turn: "Turn") -> str:
        if panel.is_hidden_move(self.match, turn):
            position = self.match.position
            published = position.public_report() if isinstance(position, PublishesHidden) else ""
            return published or f"{self.match.side(turn.player)} makes a move that you do not see"
        facts = ["; ".join(turn.news) or self._play_text(turn)]
        report = turn.report if not panel.human_viewers(self.match) else None  # shows its player's view
        detail = search_panel.detail_level(self.match, self.theme.panel)
        report = report if detail != "off" else None
        if report is not None and report.source in ("system", "rules"):
            pass  # no value; the news explain the call
        elif report is not None and report.known and not report.depth:
            origin = f"by the {report.source}" + (f": {report.facts}" if report.facts else "")
            shown = detail == "quiet" or report.source == "book"
            facts.append(origin if shown else search_panel.describe_value(self.match, report, turn.player))
        elif report is not None and (
            report.depth or report.unfinished or report.bound != "unknown" or report.claimant is not None
        ):
            if report.bound != "unknown" and detail == "full":
                facts.append(f"value {search_panel.describe_value(self.match, report, turn.player)}")
            if report.unfinished:
                at = f"move {report.tried + 1} of {report.choices}"
                facts.append(f"depth {report.ahead} unfinished at {at}")
            elif report.thresholds and report.nodes:
                facts.append(f"thresholds {search_panel.format_thresholds(report, 60)}")
            elif report.depth and not report.thresholds:
                facts.append(f"depth {report.depth}")
            if report.claimant is not None:
                facts.append(f"proof {search_panel.format_proof(self.match, report)}")
            if report.nodes:  # 0 for a known path, or missing in files
                facts.append(plural(report.nodes, "node"))
            if report.expanded:
                facts.append(f"{report.expanded:,} expanded")
            if report.memory:
                facts.append(f"{report.memory / 1e6:,.1f} MB")
            if report.seconds:
                facts.append(f"{report.seconds:.2f} s")
            if report.stopped == "interrupted":
                facts.append("interrupted")
            line = self.match.spell(report.pv, len(self.match.turns) - 1)
            if line and detail == "full":
                facts.append(f"line {' '.join(line)}")
        return ", ".join(facts)

    def close(self) -> None:
        """Do nothing: no output is pending."""

    def position(self, match: "MatchControl") -> None:
        """Print the position, one row per line, and the winning line."""
        board = match.board()
        if board is None:
            self.write(match.show())
            return
        board = boards.orient_board(board, self.flip, self.viewer)
        self.write(board_text(board))
        # A card table shows the players at their seats.
        for number in range(len(match.players) if board.table is None else 0):
            taken, note = panel.captures_and_note(board, number)
            facts = [note] if note else []
            facts += [f"has captured {' '.join(taken)}"] if taken else []
            if facts:
                self.fact(f"{match.side(number)}: {', '.join(facts)}")
        for fact in (*board.facts, *board.middle) if board.table is None else ():
            self.fact(fact)
        if len(board.line) > 1:
            cells = " ".join(map(board.cell_name, board.line))
            self.fact(f"winning line: {cells}" if any(board.rows) else f"winning line in columns: {cells}")

    def show_territory(self, match: "MatchControl", owned: dict[Cell, int]) -> None:
        """Print the board with its estimated territory; lower-case letters are empty points."""
        board = match.board()
        assert board is not None
        board = structs.replace(board, owned=owned)
        self.write(board_text(boards.orient_board(board, self.flip, self.viewer)))

    def turn(self, match: "MatchControl") -> None:
        """Print the position before asking a human, unless it is unchanged or the game is over."""
        if match.over():
            return
        words = [str(match.seat) if match.secrets else "", *match.words()]
        if not self.quiet and words != self.printed_moves:
            self.position(match)
            times = [(match.side(n), panel.format_clock(match, n)) for n in range(len(match.players))]
            if match.clock is not None:
                self.fact(f"time left: {', '.join(f'{side} {time}' for side, time in times if time)}")
            turn = f"{match.side(match.turn)} to move{_dummy_text(match)}"
            # Without a board and a `__str__` of the game the position ends with this line.
            if times[0][1] or match.board() is not None or not match.show().endswith(f"\n{turn}"):
                self.fact(turn)
        self.printed_moves = words


def _dummy_text(match: "MatchControl") -> str:
    """`, a card of the dummy (south)` if the player to move plays from another hand."""
    board = match.board()
    seats = board.table.seats if board is not None and board.table is not None else ()
    dummies = [seat.player for seat in seats if seat.turn and seat.player != match.turn]
    return f", a card of the dummy ({match.side(dummies[0])})" if dummies else ""


def board_text(board: Board) -> str:
    """A board as plain text with its labels; empty cells are dots, or their numbers."""
    if board.table is not None:
        return "\n".join(card_table.plain_lines(board))
    label = max((len(row) for row in board.rows), default=0)
    names = {} if any(board.columns) else board.names

    def sign(cell: Cell, empty: str) -> str:
        piece, count = board.piece(cell), board.counts.get(cell, 1)
        if piece is None:
            return " "
        if not piece and cell in board.owned:
            territory_owner = board.owned[cell]
            return str(
                next(letter.lower() for letter, owner in board.owners.items() if owner == territory_owner)
            )
        return (
            piece + (str(count) if count > 1 else "")
            if piece
            else str(names.get(cell, board.inlays.get(cell, empty)))
        )

    signs = [
        [sign((y, x), " " if names else ".") for x in range(len(row))] for y, row in enumerate(board.cells)
    ]
    columns = (*board.columns, *board.feet, *names.values(), *(cell for row in signs for cell in row))
    width = max([1, *map(len, columns)])
    margin = " " * label + " " if label else ""

    def tray_lines(above: bool) -> list[str]:
        rows = enumerate(board.trays, len(board.cells))
        lying = [
            (tray.name, [sign((y, x), ".") for x in range(len(tray.things))])
            for y, tray in rows
            if tray.above == above
        ]
        return [f"{name}: {' '.join(things) or 'nothing'}" for name, things in lying]

    def caption_lines() -> list[str]:
        text = ""
        for column, caption in sorted(board.captions.items()):
            text = f"{text:<{len(margin) + column * (width + 1)}}{caption} "
        return [text.rstrip()] if text else []

    def label_lines(names: Sequence[str]) -> list[str]:
        return [(margin + " ".join(f"{name:>{width}}" for name in names)).rstrip()] if any(names) else []

    rows = [*tray_lines(True), *caption_lines(), *label_lines(board.columns)]
    for y, row in enumerate(signs):
        head = f"{board.rows[y]:>{label}} " if label else ""
        tail = f" {board.tails[y]}" if any(board.tails) else ""
        rows.append((head + " ".join(f"{cell:>{width}}" for cell in row) + tail).rstrip())
    return "\n".join([*rows, *label_lines(board.feet), *tray_lines(False)])
