"""Connect Four positions solved by bitbully with an empty table each, run by the Python of the peers.

`peer_connect4.py COUNT < SETS` solves the first COUNT positions of each set, and prints a line of JSON a set:
its name, the mean CPU seconds of a position and the number of wrong scores.
"""

import json
import sys
import time

from bitbully import BitBully, Board


def solve(lines: list[str], count: int) -> tuple[float, int]:
    """Mean CPU seconds and number of wrong scores of the first `count` positions of a set."""
    agent = BitBully(opening_book=None)
    total, wrong = 0.0, 0
    for line in lines[:count]:
        moves, expected = line.split()
        board = Board([int(column) - 1 for column in moves])
        agent.reset_transposition_table()
        start = time.process_time()
        score = agent.mtdf(board)
        total += time.process_time() - start
        wrong += score != int(expected)
    return total / len(lines[:count]), wrong


def main() -> None:
    """Solve the sets of standard input in their order."""
    for part in sys.stdin.read().split("[")[1:]:
        name, _, rows = part.partition("]")
        seconds, wrong = solve(rows.split("\n")[1:-1], int(sys.argv[1]))
        print(json.dumps({"set": name, "seconds": seconds, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main()
