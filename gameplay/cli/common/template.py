"""An engine of your own: play connect4 --engine ./mine.py"""

from gameplay import Report
from gameplay.value import delay, terminal_value


class Mine:
    """Searches every move and every reply (minimax), one ply deeper each time until it must stop."""

    players, chance, hidden, general_sum = 2, False, False, False  # what it can play; without this, all games

    def __init__(self, plies=50):  # its options: --engine ./mine.py:plies=3
        self.plies = plies

    def search(self, position, limit, watch):
        self.watch, self.nodes, self.best = watch, 0, Report(move=position.moves()[0], bound="unknown")
        for depth in range(1, min(self.plies, limit.depth or self.plies) + 1):
            value, line = self.minimax(position, depth)
            if value is None:
                break
            self.best = Report(move=line[0], value=value, pv=line, depth=depth, nodes=self.nodes)
        return self.best

    def minimax(self, position, depth):
        """The value for the player to move, and the line that leads to it; None once it must stop."""
        self.nodes += 1
        if self.nodes % 100 == 0:
            self.best = self.best.with_(nodes=self.nodes)  # shows progress
        if position.outcome() is not None:
            return terminal_value(position), ()
        if depth == 0:
            return position.evaluate(), ()
        mover, results = position.turn, []
        for move in position.moves():
            position.make(move)
            value, line = (None, ()) if self.watch(self.best) else self.minimax(position, depth - 1)
            same = position.turn == mover  # the player may move again
            position.unmake()
            if value is None:
                return None, ()
            results.append((delay(value if same else -value), (move, *line)))
        return max(results)
