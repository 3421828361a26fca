"""Makes a file of names of openings, `gameplay/knowledge/GAME_names.tsv`, from lists of moves.

python -m gameplay.learning.names chess FOLDER/*.tsv
python -m gameplay.learning.names othello tests/answers/othello_openings.tsv

A list has the columns of https://github.com/lichess-org/chess-openings, the source of the names of chess: eco
(empty where a game has no codes), name, pgn (the moves). Lines that begin with # name a list's source and
are copied to the head of the file.
"""

import csv
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from gameplay import registry
from gameplay.knowledge.books.names import key

HEAD = "# Names of the openings of {} by position: key (see names.py), code, name, moves."


def table(game: str, files: Iterable[Path]) -> list[str]:
    """The lines of the file. Of several names for a position the one with the shortest line counts.

    Raises IllegalMove or BadInput for moves that cannot be made.
    """
    head = [HEAD.format(game)]
    found: dict[str, tuple[int, str]] = {}
    for file in sorted(files):
        lines = file.read_text(encoding="utf-8").splitlines()
        head += [line for line in lines if line.startswith("#")]
        for row in csv.DictReader([line for line in lines if not line.startswith("#")], delimiter="\t"):
            position = registry.game(game).new()
            words = re.sub(r"\d+\.+", " ", row["pgn"]).split()
            for word in words:
                position.make(position.parse(word))
            where = key(position)
            if where not in found or len(words) < found[where][0]:
                found[where] = len(words), f"{where}\t{row['eco']}\t{row['name']}\t{' '.join(words)}"
    return [*head, *sorted(line for _, line in found.values())]


if __name__ == "__main__":
    print(*table(sys.argv[1], map(Path, sys.argv[2:])), sep="\n")
