"""Runs in the peers' environment: bitbully on sets of positions, cold table for each.

peer_connect4.py COUNT < SETS      a line of JSON a set: its name, the mean of CPU seconds, wrong answers
"""

import json
import sys
import time

from bitbully import BitBully, Board


def solve(lines: list[str], count: int) -> tuple[float, int]:
    """The mean of CPU seconds and how many scores differ, of the first `count` positions of a set."""
    agent = BitBully(opening_book=None)
    total, wrong = 0.0, 0
    for line in lines[:count]:
        moves, score = line.split()
        board = Board([int(column) - 1 for column in moves])
        agent.reset_transposition_table()
        began = time.process_time()
        found = agent.mtdf(board)
        total += time.process_time() - began
        wrong += found != int(score)
    return total / len(lines[:count]), wrong


def main() -> None:
    """Every set of the text on standard input, in its order."""
    for part in sys.stdin.read().split("[")[1:]:
        name, _, rows = part.partition("]")
        seconds, wrong = solve(rows.split("\n")[1:-1], int(sys.argv[1]))
        print(json.dumps({"set": name, "seconds": seconds, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main()
