"""Mouse handling on the full screen: play moves, look at listed moves, press buttons."""

from gameplay.board import Cell
from gameplay.display.board.pointing import intended_cell
from gameplay.display.fullscreen.contents import Contents
from gameplay.display.fullscreen.state import FullScreenState


class Mouse:
    """Receives the line and character of each press and release from the panes of the full screen."""

    def __init__(self, full: FullScreenState, contents: Contents) -> None:
        self.full = full
        self.contents = contents
        self.pressed_cell: Cell | None = None  # where the button went down

    def press(self, line: int, character: int) -> None:
        """Press on the board: click a cell; on an earlier position return to the current one."""
        browsing, cell = self.full.browsing, self.contents.cell(line, character)
        self.pressed_cell = None
        if browsing.viewed_ply is not None:
            browsing.viewed_ply = None
        elif browsing.first is None and cell is not None and self.full.entry is not None:
            self.pressed_cell = cell
            self.click(cell)

    def release(self, line: int, character: int) -> None:
        """Release on the board: drop a dragged piece."""
        cell, start, self.pressed_cell = self.contents.cell(line, character), self.pressed_cell, None
        entry = self.full.entry
        if entry is None or entry.selection is None or cell is None or start is None or cell == start:
            return
        board = self.full.board()
        if board is not None and cell in board.targets(board.find(entry.selection.square()) or start):
            self.click(cell)

    def click(self, cell: Cell) -> None:
        """Click a cell: make its move, select its piece, or move the selected piece there."""
        full = self.full
        entry, board = full.entry, full.board()
        if entry is None or entry.match is None or entry.selection is None or board is None:
            return
        full.buffer.reset()
        full.armed = ""
        held = board.find(entry.selection.square())
        pointed = dict(board.moves) if held is None else {held: (), **board.targets(held)}
        cell = intended_cell(board, cell, pointed)
        if cell not in pointed and held is not None:
            entry.selection.select("")  # another piece, perhaps
            pointed = dict(board.moves)
        if cell not in pointed:
            entry.error = f"{board.cell_name(cell)}: nothing can be played there now"
            return
        entry.cursor = cell
        answer = entry.enter()
        entry.cursor = None
        if answer is not None:
            full.answer(answer)
        elif board.steps and held is not None:
            pass  # a step of a move was entered
        elif held is not None or entry.selection.square() != board.cell_name(cell):
            # No piece was picked up from this cell.
            full.choices = [entry.match.position.format(move) for move in pointed[cell]]

    def press_panel(self, line: int, character: int) -> None:
        """Press on the list of moves: view the position after that move."""
        for start, end, plies in self.contents.move_spans.get(line, ()):
            if start <= character < end:
                self.full.look_at(plies)

    def press_button(self, line: int, character: int) -> None:
        """Press on the last line: a button."""
        for start, end, button in self.contents.button_spans:
            if start <= character < end:
                button.act()
