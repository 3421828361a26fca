"""Required facts of all texts: widths, and percentages of the counts beside them."""

import re
from collections.abc import Iterable

ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def check_width(lines: Iterable[str], width: int) -> None:
    """No line is wider, not counting escape sequences."""
    wide = [line for line in (ESCAPE.sub("", line) for line in lines) if len(line) > width]
    assert not wide, (width, wide[:3])


def check_results(text: str) -> int:
    """The score matches wins, draws and losses: `+5 =1 -2, 68.8 %`, `5  1  2  68.8 %`; returns the number."""
    matches = re.findall(r"\+([\d,]+) =([\d,]+) -([\d,]+), ([\d.]+) %", text)
    matches += re.findall(r" ([\d,]+) +([\d,]+) +([\d,]+) +([\d.]+) %", text)
    for *counts, share in matches:
        won, drawn, lost = (int(count.replace(",", "")) for count in counts)
        assert abs(100 * (won + drawn / 2) / (won + drawn + lost) - float(share)) <= 0.0501, (counts, share)
    return len(matches)
