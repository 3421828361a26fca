"""An engine of your own: play connect4 --engine ./mine.py"""

from dataclasses import replace

from gameplay import Report
from gameplay.value import WIN, later


class Mine:
    """Looks at every move and every answer (negamax), one ply deeper each time until told to stop."""

    players, chance, hidden, general_sum = 2, False, False, False  # what it can play; without this, all games

    def __init__(self, plies=50):  # its options: --engine ./mine.py:plies=3
        self.plies = plies

    def search(self, position, limit, watch):
        self.watch, self.nodes, self.best = watch, 0, Report(move=position.moves()[0], bound="unknown")
        for depth in range(1, min(self.plies, limit.depth or self.plies) + 1):
            value, line = self.negamax(position, depth)
            if value is None:
                break
            self.best = Report(move=line[0], value=value, pv=line, depth=depth, nodes=self.nodes)
        return self.best

    def negamax(self, position, depth):
        """The value for whoever is on turn and the line that leads to it; None once it must stop."""
        self.nodes += 1
        if self.nodes % 100 == 0:
            self.best = replace(self.best, nodes=self.nodes)  # so that it is seen at work
        if payoffs := position.outcome():
            return int(payoffs[position.turn] * WIN), ()
        if depth == 0:
            return position.evaluate(), ()
        found = []
        for move in position.moves():
            position.make(move)
            value, line = (None, ()) if self.watch(self.best) else self.negamax(position, depth - 1)
            position.unmake()
            if value is None:
                return None, ()
            found.append((later(-value), (move, *line)))
        return max(found)
