"""Solve every position of a game of nim, and compare with Bouton's theorem (1901)."""

from functools import reduce
from operator import xor

import gameplay


def main(heaps: str = "1+2+3") -> dict[str, int]:
    """Return the value of each reachable position, by its drawing; above 0: the mover wins."""
    values: dict[str, int] = {}
    position = gameplay.game(f"nim:heaps={heaps}").new()

    def visit() -> None:
        if position.outcome() is not None or str(position) in values:
            return
        solved = gameplay.solve(position, table="1MB")
        assert solved.value is not None
        values[str(position)] = solved.value
        for move in position.moves():
            position.make(move)
            visit()
            position.unmake()

    visit()
    lost = sum(value < 0 for value in values.values())
    print(f"{len(values)} positions, {lost} of them lost for the mover")
    return values


def nim_sum(heaps: list[int]) -> int:
    """Return the nim-sum: the mover loses under perfect play exactly if it is 0."""
    return reduce(xor, heaps, 0)


if __name__ == "__main__":
    main()
