"""`python -m benchmarks [SECTION ...]`: all, or of yardstick, plain, reports, peers, matches, startup."""

import importlib
import os
import platform
import sys

from rich.console import Console

from gameplay.kernel import compiled

SECTIONS = ("yardstick", "plain", "reports", "peers", "matches", "startup")


def main() -> int:
    """Print the tables of the sections asked for; 2 for a section that there is not."""
    wanted = sys.argv[1:] or list(SECTIONS)
    wrong = [name for name in wanted if name not in SECTIONS]
    if wrong:
        print(f"there is no section {wrong[0]} (there are: {', '.join(SECTIONS)})", file=sys.stderr)
        return 2
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    build = "compiled" if compiled() else "pure Python"
    console.print(
        f"Python {platform.python_version()}, {build}, {os.cpu_count()} cores, {platform.machine()}\n"
    )
    for name in wanted:
        for table in importlib.import_module(f"benchmarks.{name}").tables():
            console.print(table)
            console.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
