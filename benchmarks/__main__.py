"""`python -m benchmarks [SECTION[:OPTION=VALUE,...] ...]`: compare gameplay with other projects.

Every section has the options

    size=smallest     run each table at its smallest size, which takes seconds
    peers=off         do not install, build or run programs of other projects

The error for an unknown option lists the options of the section. Without arguments, the sections that take
minutes run. These take longer: tactics, strength, levels, ffo, backgammon, star, manyplayers, mcts, monopoly,
go, tables, solver, proof, cfr, bridge, scrabble, limits, response, learning, stepping.

Tables go to standard output, progress and skipped peers to standard error. Exit status: 0 on success, also if
a peer is missing; 1 if a peer failed; 2 for an unknown section, an unknown option or an invalid value.
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
from gameplay.errors import Usage, unknown_name
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


def main(arguments: list[str]) -> int:
    """Print the tables of the requested sections and return the exit status."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    build = "compiled" if compiled() else "pure Python"
    try:
        requests = [parse(argument) for argument in arguments or SECTIONS]
    except Usage as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    console.print(
        f"Python {platform.python_version()}, {build}, {os.cpu_count()} cores, {platform.machine()}\n"
    )
    status = 0
    for name, section, runs, peers_enabled in requests:
        environment.peers_enabled = peers_enabled
        try:
            with progress.begin(name):
                for options in runs:
                    progress.show("starting")
                    for table in section.tables(**options):
                        console.print(table)
                        console.print()
        except (Usage, ValueError) as error:  # ValueError: the value of an option is not a number
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        except environment.PeerFailed as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 1
        finally:
            timing.unpin()
    return status


def parse(argument: str) -> tuple[str, Any, list[dict[str, str]], bool]:
    """Parse `SECTION:OPTION=VALUE,...` into name, module, the options of each run, and whether peers run.

    Raises Usage for an unknown section, an unknown option or an invalid value.
    """
    name, _, tail = argument.partition(":")
    if name not in (*SECTIONS, *LONG):
        raise Usage(unknown_name("section", name, (*SECTIONS, *LONG)))
    section = importlib.import_module(f"benchmarks.{name}")
    options = dict(part.partition("=")[::2] for part in tail.split(",") if part)
    size, peers = options.pop("size", "usual"), options.pop("peers", "on")
    known = [*inspect.signature(section.tables).parameters, "size", "peers"]
    unknown_options = [option for option in options if option not in known]
    if unknown_options:
        raise Usage(unknown_name(f"option of {name}", unknown_options[0], known))
    if size not in ("usual", "smallest"):
        raise Usage(f"size must be usual or smallest, not '{size}'")
    if peers not in ("on", "off"):
        raise Usage(f"peers must be on or off, not '{peers}'")
    runs = section.SMALLEST if size == "smallest" else ({},)
    return name, section, [{**run, **options} for run in runs], peers == "on"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
