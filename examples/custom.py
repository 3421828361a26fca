"""A custom game and a custom engine, passed as classes: nothing is installed or registered."""

from collections.abc import Callable

import gameplay
from gameplay import Limit, Position, Report, undoable


class Sticks(Position):
    """Take one, two or three sticks; the player who takes the last stick loses."""

    def __init__(self, sticks: int = 21) -> None:
        super().__init__()
        self.sticks = sticks

    def moves(self) -> list[int]:
        """The legal numbers of sticks."""
        return [take for take in (1, 2, 3) if take <= self.sticks]

    @undoable
    def make(self, move: int) -> None:
        """Take `move` sticks."""
        self.sticks -= move
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[float, ...] | None:
        """The payoffs: the player who took the last stick loses."""
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)


class Fours:
    """Plays the winning strategy: leave one stick more than a multiple of four, if possible."""

    def search(self, position: Sticks, limit: Limit, watch: Callable[[Report], bool]) -> Report:
        """Return the move that leaves 1, 5, 9, ... sticks; if there is none, take one."""
        best = (position.sticks - 1) % 4
        return Report(move=best if best in position.moves() else 1)


def main(games: int = 20) -> gameplay.RunResult:
    """Play the strategy against random moves."""
    result = gameplay.play_match(Fours, "random", game=Sticks, games=games)
    print(result)
    return result


if __name__ == "__main__":
    main()
