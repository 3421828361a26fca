"""The number of colours of a terminal, from its compiled entry in the terminfo database (term(5)).

header    six 16-bit numbers: magic, bytes of the names, booleans, numbers, strings, bytes of the strings
names     booleans    a zero byte if the offset is odd    numbers, of 16 bits, or of 32 with another magic
"""

import os
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress

FOLDERS = (
    "/etc/terminfo",
    "/lib/terminfo",
    "/usr/share/terminfo",
    "/usr/lib/terminfo",
    "/usr/local/share/terminfo",
)
NUMBER_FORMATS = {0o432: "h", 0o1036: "i"}  # by magic
COLOURS = 13  # the index of max_colors among the numbers
MONOCHROME = re.compile(r"vt[1-4]?\d\d|.*-m(ono)?")  # names of terminals without colours
LARGEST = 65_536  # bytes of an entry


def colour_count(env: Mapping[str, str]) -> int | None:
    """The number of colours of the terminal TERM, 0 for one without.

    Without an entry, 0 for the name of a terminal without colours, else None.
    """
    name = env.get("TERM", "")
    if not name or "/" in name or name.startswith("."):
        return None
    for folder in _folders(env):
        for letter in (name[0], f"{ord(name[0]):02x}"):  # hexadecimal where file names ignore case
            with suppress(OSError, struct.error, KeyError), open(f"{folder}/{letter}/{name}", "rb") as file:
                return _colours(file.read(LARGEST))
    return 0 if MONOCHROME.fullmatch(name) else None


def _folders(env: Mapping[str, str]) -> Iterator[str]:
    """The folders of the database in the order of ncurses."""
    if own := env.get("TERMINFO"):
        yield own
    yield os.path.join(env.get("HOME") or os.path.expanduser("~"), ".terminfo")
    yield from filter(None, env.get("TERMINFO_DIRS", "").split(":"))
    yield from FOLDERS


def _colours(entry: bytes) -> int:
    """The number of colours of a compiled entry. Raises struct.error or KeyError for another file."""
    magic, names, booleans, numbers, _, _ = struct.unpack_from("<6h", entry)
    number = NUMBER_FORMATS[magic]
    if numbers <= COLOURS:
        return 0  # the numbers after the last one of an entry are absent
    first = 12 + names + booleans
    (count,) = struct.unpack_from(f"<{number}", entry, first + first % 2 + COLOURS * struct.calcsize(number))
    return max(0, int(count))
