"""How wide the output is."""

import shutil
import sys


def columns(elsewhere: int = 0) -> int:
    """Columns of the terminal that the output goes to; `elsewhere` where it goes to none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else elsewhere
