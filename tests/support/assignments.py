"""Assignments that tests share."""

from pathlib import Path

from gameplay.cli import router, run

EXAMPLE = Path("configs/assignments/tictactoe")
SHEET = """
title = "One test"
game = "tictactoe"
depth = 2
forbidden = ["gameplay.engines", "socket"]
patience = {patience}
memory = 256

[[position]]
name = "it wins on the spot"
moves = ["a1", "a2", "b1", "b2"]
expect = {{ move = "c1", nodes_at_most = 100 }}
marks = 3

[[position]]
name = "any move"
expect = {{ moves = ["a1", "b2"] }}
"""


def write_submission(folder: Path, text: str) -> Path:
    """Write the file of a student."""
    file = folder / "mine.py"
    file.write_text(text)
    return file


def run_assignment(*words: object) -> int:
    return run(router, "gameplay", ["assignment", *map(str, words)])


GOOD = '''
def choose(position):
    """A win on the spot, else the first move."""
    for move in position.moves():
        position.make(move)
        won = position.outcome() is not None
        position.unmake()
        if won:
            return move
    return position.moves()[0]
'''
