"""Makes the opening names of a game, `gameplay/knowledge/GAME_names.tsv`, from lists of lines.

python -m gameplay.learning.names chess FOLDER/*.tsv
python -m gameplay.learning.names othello tests/answers/othello_openings.tsv

A list has the columns of https://github.com/lichess-org/chess-openings, the source of the chess names: eco
(empty for games without codes), name, pgn (the moves). Comments (#) name the source and are copied.
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
    """The rows of the file; a position with several names gets that of the shortest line.

    Raises IllegalMove or BadInput for illegal moves.
    """
    head = [HEAD.format(game)]
    rows: dict[str, tuple[int, str]] = {}
    for file in sorted(files):
        lines = file.read_text(encoding="utf-8").splitlines()
        head += [line for line in lines if line.startswith("#")]
        for row in csv.DictReader([line for line in lines if not line.startswith("#")], delimiter="\t"):
            position = registry.game(game).new()
            words = re.sub(r"\d+\.+", " ", row["pgn"]).split()
            for word in words:
                position.make(position.parse(word))
            position_key = key(position)
            if position_key not in rows or len(words) < rows[position_key][0]:
                text = f"{position_key}\t{row['eco']}\t{row['name']}\t{' '.join(words)}"
                rows[position_key] = len(words), text
    return [*head, *sorted(text for _, text in rows.values())]


if __name__ == "__main__":
    print(*table(sys.argv[1], map(Path, sys.argv[2:])), sep="\n")
