"""Text that is too wide, folded at every width: prose between words, tables between their columns."""

import pytest

from gameplay.display.folding import fit_lines, split_table, wrap_indented, wrap_text
from tests.support.facts.text import check_width
from tests.support.golden import golden

pytestmark = pytest.mark.once

TEXTS = {
    "a table with names": """\
engine         nodes  time   value
iterative      1,217  3.36   +0.20
mcts             888  1.79   -0.05
a longer name      1         +1""",
    "heads over two columns": """\
           minimax          left by alpha-beta
depth  lecture  ours        lecture  ours
    1        8     8         100.0%  100.0%
    2       72    72         100.0%  40.3%""",
    "long names": """\
  alphabeta:order=hint+killer,table=1MB    1,217  3.36
  iterative                                  888  1.79""",
    "a wide last column": """\
move  value  line
e4    +0.25  e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7
d4    +0.20  d4 d5""",
    "an indented table": """\
    a   b     c
    1   22    333
    10  2200  333000""",
    "prose": """\
Some words that are folded, however long the line may be in which they stand.
    Words below an indentation keep it where they go on-line, whatever hyphens there are.
""",
    "short columns": """\
name     a   b    c     d      e
first    1   22   333   4444   55555
second   1   22   333   4444   55555""",
    "one row": "one  line  of  several  words  with  gaps",
    "prose, a table, prose": "What follows is a table.\nname  one  two\nx     1    2\nThat was it.\n\nMore.",
    "empty columns": "a   b    c\n1        3\n2        4",
    "no gap in common": "ab  cde\nabc  de\na  bcde",
}


def test_texts_are_folded_at_every_width() -> None:
    log: list[str] = []
    for name, text in TEXTS.items():
        lines, before = text.split("\n"), list[str]()
        wide = max(map(len, lines))
        for width in range(wide + 1, min(9, wide // 2), -1):
            results = list(fit_lines(lines, width))
            log += [f"-- {name}, {width}", *results] if results != before else []
            longest = max(len(word) for line in lines for word in line.split("  "))
            check_width(results if name == "prose" or width > longest else [], width)
            if name == "prose":
                assert "".join("".join(results).split()) == "".join(text.split()), "every word is kept"
            before = results
    golden("folded", "\n".join(log) + "\n")


def test_table_is_written_when_its_last_row_is_complete() -> None:
    log = []

    def lines() -> object:
        for line in ("a  b", "c  d", "prose", "e  f"):
            log.append(line)
            yield line

    rows = fit_lines(lines(), 9)
    assert [next(rows), len(log)] == ["a  b", 3]
    assert list(rows) == ["c  d", "prose", "e  f"]
    assert split_table([], 5) == [] and list(fit_lines([], 5)) == []


def test_prose_keeps_figures_together() -> None:
    line = "pairs    0: 1  0.5: 12  1: 0  Elo >= -183, +0 ± 380, 95 % of it, seed 7"
    for width in range(20, 60):
        text = wrap_text(line, width, 9)
        assert text.split() == line.split() and max(map(len, text.splitlines())) <= width
        assert all(pair in text for pair in ("0: 1", "0.5: 12", ">= -183", "+0 ± 380", "95 %", "seed 7")), (
            width
        )
        assert all(row.startswith(" " * 9) for row in text.splitlines()[1:])
    assert wrap_text("short  line", 40, 9) == "short  line"


def test_a_line_of_a_trace_is_folded_below_its_bars() -> None:
    line = "| | | alpha cutoff: MIN can already hold MAX to -1 here; not searched: c1, a2, b2, c2, a3, b3, c3"
    assert wrap_indented(line, len(line)) == line and wrap_indented("|" * 40 + line, 60) == "|" * 40 + line
    for width in range(32, len(line)):
        first, *others = wrap_indented(line, width).split("\n")
        check_width([first, *others], width)
        assert others and all(other.startswith("| | |   ") and other[8] != " " for other in others)
        assert [*first.split(), *(word for other in others for word in other[8:].split())] == line.split()
