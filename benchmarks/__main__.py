"""`python -m benchmarks [SECTION[:OPTION=VALUE,...] ...]`: compares gameplay with other projects.

    size=smallest     the smallest sizes of every table of the section, in seconds
    peers=off         install, build and run no program of another project

are options of every section; an unknown option lists the others. By default the sections that take minutes
run; tactics, strength, levels, ffo, backgammon, star, manyplayers, mcts, monopoly, go, tables, solver,
proof, cfr, bridge, scrabble, limits, response, learning and stepping take longer. Progress goes to standard
error. The status is 2 for a section or an option that does not exist, 1 if a peer failed, and 0 if one is
missing: a line names it.
"""

import importlib
import inspect
import os
import platform
import sys
from typing import Any

from rich.console import Console

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.errors import Usage, unknown
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
    "limits",
    "response",
    "learning",
    "stepping",
)


def main(words: list[str]) -> int:
    """Print the tables of the requested sections, and return the exit status."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    build = "compiled" if compiled() else "pure Python"
    try:
        asked = [read(word) for word in words or SECTIONS]
    except Usage as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    console.print(
        f"Python {platform.python_version()}, {build}, {os.cpu_count()} cores, {platform.machine()}\n"
    )
    status = 0
    for name, section, runs, peers in asked:
        environment.wanted = peers
        try:
            with progress.begin(name):
                for options in runs:
                    progress.say("begins")
                    for table in section.tables(**options):
                        console.print(table)
                        console.print()
        except (Usage, ValueError) as error:  # ValueError: a word where a number is expected
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        except environment.PeerFailed as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 1
        finally:
            timing.unpin()
    return status


def read(word: str) -> tuple[str, Any, list[dict[str, str]], bool]:
    """Parse a section: its name, its module, the options of each of its runs, and whether peers are used.

    Raises Usage for a section, an option or a value that does not exist.
    """
    name, _, tail = word.partition(":")
    if name not in (*SECTIONS, *LONG):
        raise Usage(unknown("section", name, (*SECTIONS, *LONG)))
    section = importlib.import_module(f"benchmarks.{name}")
    options = dict(part.partition("=")[::2] for part in tail.split(",") if part)
    size, peers = options.pop("size", "usual"), options.pop("peers", "on")
    known = [*inspect.signature(section.tables).parameters, "size", "peers"]
    wrong = [option for option in options if option not in known]
    if wrong:
        raise Usage(unknown(f"option of {name}", wrong[0], known))
    if size not in ("usual", "smallest"):
        raise Usage(f"size is usual or smallest, not '{size}'")
    if peers not in ("on", "off"):
        raise Usage(f"peers is on or off, not '{peers}'")
    runs = section.SMALLEST if size == "smallest" else ({},)
    return name, section, [{**run, **options} for run in runs], peers == "on"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
