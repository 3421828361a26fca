"""`python -m benchmarks [SECTION[:OPTION=VALUE,...] ...]`: our work, beside peers where there are any.

All but `tactics`, `strength`, `levels`, `ffo`, `backgammon`, `star`, `manyplayers`, `mcts`, `monopoly`, `go`,
`tables`, `solver`, `proof`, `cfr`, `bridge` and `scrabble`, which take longer, when none is named.
"""

import importlib
import os
import platform
import sys

from rich.console import Console

from gameplay.errors import Usage
from gameplay.kernel import compiled

SECTIONS = ("yardstick", "plain", "reports", "peers", "matches", "startup", "perft", "korf")
LONG = (
    "tactics",
    "strength",
    "levels",
    "ffo",
    "backgammon",
    "star",
    "manyplayers",
    "mcts",
    "monopoly",
    "go",
    "tables",
    "solver",
    "proof",
    "cfr",
    "bridge",
    "scrabble",
)


def main() -> int:
    """Print the tables of the sections asked for; 2 for a section or an option that there is not."""
    wanted = sys.argv[1:] or list(SECTIONS)
    known = (*SECTIONS, *LONG)
    wrong = [word for word in wanted if word.partition(":")[0] not in known]
    if wrong:
        print(f"there is no section {wrong[0]} (there are: {', '.join(known)})", file=sys.stderr)
        return 2
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    build = "compiled" if compiled() else "pure Python"
    console.print(
        f"Python {platform.python_version()}, {build}, {os.cpu_count()} cores, {platform.machine()}\n"
    )
    for word in wanted:
        name, _, tail = word.partition(":")
        options = dict(part.partition("=")[::2] for part in tail.split(",") if part)
        try:
            found = importlib.import_module(f"benchmarks.{name}").tables(**options)
        except TypeError as error:
            print(f"{word}: {error}", file=sys.stderr)
            return 2
        try:
            for table in found:
                console.print(table)
                console.print()
        except (Usage, ValueError) as error:  # ValueError: a word where a number is wanted
            print(f"{word}: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
