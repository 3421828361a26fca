"""Positions with operations: real files are read, round trips are equal, errors name their place."""

import random

import pytest

from gameplay.errors import BadInput
from gameplay.store.formats import epd, text

pytestmark = pytest.mark.once

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


@pytest.mark.parametrize(
    ("line", "position", "operations"),
    [
        (START, START, {}),
        (f"{START} 0 1", f"{START} 0 1", {}),
        (f'{START} bm e4 d4; id "a name; quoted";', START, {"bm": ["e4", "d4"], "id": ["a name; quoted"]}),
        (f"{START} bm Nf3", START, {"bm": ["Nf3"]}),
        (f"{START} ;D1 20 ;D2 400", START, {"D1": ["20"], "D2": ["400"]}),
        (f"{START} 0 1;D1 20;D2 400", f"{START} 0 1", {"D1": ["20"], "D2": ["400"]}),
        (f"{START};perft1 20", START, {"perft1": ["20"]}),
        (f"{START} hmvc 3; fmvn 9;", f"{START} 3 9", {"hmvc": ["3"], "fmvn": ["9"]}),
        (f"{START} ce -31; acd 12; noop;", START, {"ce": ["-31"], "acd": ["12"], "noop": []}),
        ("B:W18,24:B12,K22 bm 12-16;", "B:W18,24:B12,K22", {"bm": ["12-16"]}),
        ("B:W18,24:B12,K22", "B:W18,24:B12,K22", {}),
        (f"{START} hmvc 3;", START, {"hmvc": ["3"]}),
        (f"{START} fmvn 9;", START, {"fmvn": ["9"]}),
        (f"{START} hmvc; fmvn 7 8;", f"{START} 0 7", {"hmvc": [], "fmvn": ["7", "8"]}),
        (f"{START} hmvc 3; fmvn;", f"{START} 3 1", {"hmvc": ["3"], "fmvn": []}),
        (f"{START} 4 5 hmvc 3; fmvn 9;", f"{START} 4 5", {"hmvc": ["3"], "fmvn": ["9"]}),
        (f"{START} 0 1 acd 5", f"{START} 0 1", {"acd": ["5"]}),
        (
            f'{START} a "foo\\"bar";; ; b "x\\\\"; - ; c "C:\\";',
            START,
            {"a": ['foo"bar'], "b": ["x\\"], "c": ["C:\\"]},
        ),
        (f'{START} bm e4; bm "d 4";c0 ""', START, {"bm": ["e4", "d 4"], "c0": [""]}),
    ],
)
def test_real_lines_are_read_and_written_back(line, position, operations):
    entry = epd.parse(line)
    assert (entry.position, entry.operations) == (position, operations)
    again = epd.parse(epd.write(entry))
    assert (again.position, again.operations) == (position, operations)


def test_the_usual_line_is_written_byte_for_byte():
    line = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'
    assert epd.write(epd.parse(line)) == line
    assert (
        epd.parse(line).line == 0
        and epd.parse(line).first("bm") == "Qd1+"
        and epd.parse(line).first("am", "none") == "none"
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{START} Nf3;", None),  # a name as good as any
        (f"{START} 20;", "'20' is not an opcode such as bm or id"),
        (f"{START} 0;", "'0' is not an opcode such as bm or id"),
        (f"{START} 0 bm e4;", "'0' is not an opcode such as bm or id"),
        (f"{START} 0 1 2 e4;", "'2' is not an opcode such as bm or id"),
        (f"{START} hmvc x; fmvn 1;", "hmvc expects a number of moves, not 'x'"),
        (f"{START} hmvc 1; fmvn -1;", "fmvn expects a number of moves, not '-1'"),
        (f'{START} "bm" e4;', "is not an opcode"),
        (f'{START} id "open;', "a quotation mark is not closed"),
        ("8/8/8/8/8/8/8/8 w; bm e4;", "expected side to move"),
        (" ; bm e4;", "there is no position"),
    ],
)
def test_errors_name_file_and_line(line, words):
    lines = ["# a comment", "% another", START, line]
    if words is None:
        assert len(list(epd.read(lines, "x.epd"))) == 2
        return
    with pytest.raises(BadInput, match=words) as error:
        list(epd.read(lines, "x.epd"))
    assert str(error.value).startswith("x.epd, line 4: ")


def test_any_text_is_an_entry_or_bad_input():
    rng = random.Random(7)
    for _ in range(2000):
        line = "".join(rng.choice(' \t;"/wKQ-1aé#') for _ in range(rng.randrange(30)))
        try:
            entry = epd.parse(line)
        except BadInput:
            continue
        assert epd.parse(epd.write(entry)) == entry


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"\xef\xbb\xbfone\r\ntwo\r\n", ["one", "two"]),
        (b"one\rtwo\n\nthree", ["one", "two", "", "three"]),
        (b"one\n\xef\xbb\xbftwo\n", ["one", "\ufefftwo"]),
        (b"one\r\r\ntwo\n\r\n\n", ["one", "", "two", "", ""]),
        ("Müller\n".encode("latin-1") + "Müller\n".encode(), ["Müller", "Müller"]),
        (b"", []),
    ],
)
def test_text_of_any_origin_is_read(tmp_path, raw, lines):
    file = tmp_path / "a.txt"
    file.write_bytes(raw)
    assert list(text.lines(file)) == lines


def test_binary_files_are_refused(tmp_path):
    file = tmp_path / "a.pgn"
    file.write_bytes(b"SQLite\0")
    with pytest.raises(BadInput, match="is not a text file"):
        list(text.lines(file))
