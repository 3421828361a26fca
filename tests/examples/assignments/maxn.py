"""A correct solution of the assignment maxn."""

from gameplay import Report


class Mine:
    """Each player for themselves."""

    players, general_sum = range(2, 7), True

    def search(self, position, limit, watch):
        values, move = self.best(position)
        return Report(move=move, value=values[position.turn], values=values)

    def best(self, position):
        outcome = position.outcome()
        if outcome is not None:
            return outcome, None
        best, choice, mover = None, None, position.turn
        for move in position.moves():
            position.make(move)
            values, _ = self.best(position)
            position.unmake()
            if best is None or values[mover] > best[mover]:
                best, choice = values, move
        return best, choice
