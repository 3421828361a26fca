"""Makes `gameplay/knowledge/chess_eco.tsv` of a checkout of lichess-org/chess-openings (CC0).

python -m gameplay.learning.eco FOLDER > gameplay/knowledge/chess_eco.tsv
"""

import csv
import re
import sys
from pathlib import Path

from gameplay import registry
from gameplay.knowledge.eco import key

HEAD = """\
# Names of chess openings by position: key (see eco.py), ECO code, name.
# From https://github.com/lichess-org/chess-openings, in the public domain (CC0 1.0)."""


def table(folder: Path) -> list[str]:
    """The lines of the file. Of several names for a position the one with the shortest line counts."""
    found: dict[str, tuple[int, str]] = {}
    for file in sorted(folder.glob("[a-e].tsv")):
        with file.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                position = registry.game("chess").new()
                words = re.sub(r"\d+\.+", " ", row["pgn"]).split()
                for word in words:
                    position.make(position.parse(word))
                where = key(position)
                if where not in found or len(words) < found[where][0]:
                    found[where] = len(words), f"{where}\t{row['eco']}\t{row['name']}"
    return sorted(line for _, line in found.values())


if __name__ == "__main__":
    print(HEAD, *table(Path(sys.argv[1])), sep="\n")
