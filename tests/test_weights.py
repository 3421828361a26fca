"""Files of weights, letter by letter: how rows fill lines, preserved comments, each refusal in full."""

import zlib
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from gameplay import file_io, weights
from gameplay.errors import BadInput
from gameplay.evaluation import Evaluation

pytestmark = pytest.mark.once


class Stones:
    """A game with an evaluation by integer weights, one by bytes, and one without weights."""


NUMBERS: Any = Evaluation("numbers", "words", {"one": 1, "row": (2, 3), "rows": ((4,), (5,))}, max_weight=9)
BYTES: Any = Evaluation("bytes", "words", b"abc", version=2)
BYTES.size = 3
Stones.evaluations = {"numbers": NUMBERS, "bytes": BYTES, "none": Evaluation("none")}
NUMBERS.game = BYTES.game = "stones"
FILE = f"""\
# By hand.
#  Twice.
game = "stones"
evaluation = "numbers"
version = 1
checksum = "{NUMBERS.checksum}"

[weights]
one = 1
row = [2, 3]
rows = [[4], [5]]
"""


def error_of(call: Any, *given: Any) -> str:
    with pytest.raises(BadInput) as error:
        call(*given)
    return str(error.value)


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    weights.write(NUMBERS, path, "By hand.\n Twice.\n")
    assert path.read_text() == FILE
    read = weights.read(path, Stones)
    assert read.weights == NUMBERS.weights and (read.file, read.name, read.game) == (
        path,
        "numbers",
        "stones",
    )
    assert weights.read(path, Stones) is read, "once a process"
    assert weights.companion_files(path) == [] == weights.companion_files(tmp_path / "none.toml")


def test_weights_preserve_comments_of_their_file(tmp_path: Path) -> None:
    path, other = tmp_path / "a.toml", tmp_path / "b.toml"
    text = FILE.replace("row = [2, 3]", "# two\nrow = [\n  2, # [one\n  3]  # of them")
    text = text.replace("[weights]", "[weights] # all")
    path.write_text(text)
    more = weights.read(path, Stones).with_weights({"one": -7, "row": [8, 9], "rows": [[0], [1]]})
    weights.write(more, other)
    expected = text.replace("one = 1", "one = -7").replace("  2, # [", "  8, # [").replace("  3]", "  9]")
    expected = expected.replace("[[4], [5]]", "[[0], [1]]").replace(NUMBERS.checksum, more.checksum)
    assert other.read_text() == expected
    weights.write(more, other, "New")
    assert other.read_text() == expected.replace("# By hand.\n#  Twice.\n", "# New\n")
    assert weights.read(other, Stones).weights == more.weights


def test_packed_weights_are_in_a_file_beside_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    weights.write(BYTES.with_weights(b"xyz"), path)
    text = path.read_text()
    assert text == (
        'game = "stones"\nevaluation = "bytes"\nversion = 2\n'
        f'checksum = "{BYTES.with_weights(b"xyz").checksum}"\nfile = "a.bin"\n'
    )
    packed = tmp_path / "a.bin"
    assert packed.read_bytes() == zlib.compress(b"xyz", 9)
    assert weights.read(path, Stones).weights == b"xyz" == weights.load_packed(path, 3)
    assert weights.companion_files(path) == [packed] and weights.load_packed(path, 1) == b"xy", (
        "one more than is wanted"
    )
    path.write_text(text.replace('file = "a.bin"', "file = 3"))
    assert weights.companion_files(path) == []
    missing = 'the weights are packed in another file. Try: file = "NAME"'
    assert error_of(weights.read, path, type("Stones", (Stones,), {})) == f"{path}: {missing}"
    path.write_text(text.replace("a.bin", "../a.bin"))
    elsewhere = "file is '../a.bin': expected the name of a file in the same folder"
    assert error_of(weights.read, path, type("Stones", (Stones,), {})) == f"{path}: {elsewhere}"
    path.write_text(text)
    for content, message in (
        (None, f"there is no file {packed}"),
        (b"xyz", f"file {packed} is not packed by zlib"),
        (zlib.compress(b"xy"), "2 bytes of weights; bytes has 3"),
        (zlib.compress(b"wxyz" * 9), "4 bytes of weights; bytes has 3"),
    ):
        packed.unlink(missing_ok=True)
        if content is not None:
            packed.write_bytes(content)
        assert error_of(weights.read, path, type("Stones", (Stones,), {})) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("version = 1", "versoin = 1", "unknown field 'versoin'; did you mean 'version'? "
         "(choose from: checksum, evaluation, file, game, version, weights)"),
        ('game = "stones"\n', "", 'game is missing. Try: game = "stones"'),
        ('game = "stones"', "game = 3", 'game is invalid. Try: game = "stones"'),
        ('evaluation = "numbers"\n', "", 'evaluation is missing. Try: evaluation = "..."'),
        ("version = 1\n", "", "version is missing. Try: version = 1"),
        ("version = 1", "version = true", "version is invalid. Try: version = 1"),
        ("version = 1", 'version = "1"', "version is invalid. Try: version = 1"),
        (f'checksum = "{NUMBERS.checksum}"', "checksum = 1", 'checksum is invalid. Try: checksum = "..."'),
        ('"numbers"', '"nummers"', "unknown evaluation with weights 'nummers'; did you mean 'numbers'? "
         "(choose from: bytes, numbers)"),
        ('"numbers"', '"none"', "unknown evaluation with weights 'none' (choose from: bytes, numbers)"),
        ("version = 1", "version = 2", "these weights are for version 2 of numbers; expected version 1"),
        (FILE.partition("\n\n")[2], "", "weights are missing: add a table [weights]"),
        ("one = 1", "one = 10", "weights: one: a weight must be from -9 to 9, not 10"),
        (f'checksum = "{NUMBERS.checksum}"\n', "",
         f'checksum is missing. If the weights are right, write checksum = "{NUMBERS.checksum}"'),
        (NUMBERS.checksum, "ab", "checksum is not that of the weights. If the weights are right, write "
         f'checksum = "{NUMBERS.checksum}"'),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    assert FILE.count(old)
    path.write_text(FILE.replace(old, new, 1))
    assert error_of(weights.read, path, Stones) == f"{path}: {words}"


def test_a_file_of_another_game_or_none(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(FILE.replace("stones", "sticks"))
    assert error_of(weights.read, path, Stones) == f"{path} holds weights for sticks, and this is stones"
    for content, words in (
        (b"game = ", "{} is not TOML: Invalid value (at end of document)"),
        (b"game = '\xff'", "{} is not a text file"),
        (None, "there is no file {}"),
    ):
        other = tmp_path / f"{len(words)}.toml"
        if content is not None:
            other.write_bytes(content)
        assert error_of(file_io.toml, other) == words.format(other)


def test_weights_have_the_form_of_the_right_ones() -> None:
    right = {"one": 1, "row": (2, 3), "rows": ((4,), (5,))}
    good: dict[str, Any] = {"one": -9, "row": [9, 0], "rows": [[-9], (9,)]}
    weights.check(right, good, 9, "x")
    for given, message in (
        (3, "x: expected a table of weights"),
        ({**good, "rwo": 1}, "weights: unknown rwo in x; did you mean 'row'?"),
        ({"one": 1, "row": [1, 2]}, "weights: rows is missing"),
        ({**good, "one": 10}, "weights: one: a weight must be from -9 to 9, not 10"),
        ({**good, "one": -10}, "weights: one: a weight must be from -9 to 9, not -10"),
        ({**good, "one": True}, "weights: one: a weight must be a whole number, not True"),
        ({**good, "one": [1]}, "weights: one: a weight must be a whole number, not [1]"),
        ({**good, "row": 3}, "weights: row: no numbers; expected 2"),
        ({**good, "row": [1, 2, 3]}, "weights: row: 3 numbers; expected 2"),
        ({**good, "row": [1, 10]}, "weights: row, number 2: a weight must be from -9 to 9, not 10"),
        ({**good, "rows": [[1], [1, 2]]}, "weights: rows, number 2: 2 numbers; expected 1"),
        (
            {**good, "rows": [[1], [0.5]]},
            "weights: rows, number 2, number 1: a weight must be a whole number, not 0.5",
        ),
    ):  # fmt: skip
        assert error_of(weights.check, right, given, 9, "x") == message
    assert error_of(weights.check, b"abc", {}, 9, "x") == "x: expected 3 bytes of weights"


def test_frozen_weights_cannot_be_changed() -> None:
    held = weights.freeze({"a": [1, [2, (3,)]], "b": {"c": 4}, "d": b"e"})
    assert held == {"a": (1, (2, (3,))), "b": {"c": 4}, "d": b"e"}
    assert type(held) is MappingProxyType and type(held["b"]) is MappingProxyType
    assert type(held["a"]) is tuple and type(held["a"][1]) is tuple


def test_rows_fill_lines_of_a_hundred() -> None:
    assert (
        weights._format_weights(12) == "12"
        and weights._format_weights((1, -2)) == "[1, -2]"
        and weights._format_weights(()) == "[]"
    )
    assert weights._format_weights(((1, 2), (3,))) == "[[1, 2], [3]]"
    for last, lines in ((22, 1), (222, 4)):  # a line of a hundred letters, and of one more
        row = (*[11] * 24, last)
        assert len(f"[{', '.join(map(str, row))}]") == 100 + (lines > 1)
        rows = weights._format_weights(row)
        if lines == 1:
            assert rows == f"[{', '.join(map(str, row))}]"
        else:  # 19 items of three letters, a comma and a blank fit into 96
            assert rows == f"[\n    {', '.join(['11'] * 19)},\n    {', '.join(['11'] * 5 + ['222'])},\n]"
    wide = (11111111111111111111111111111111111111111111111111, 2) * 2
    assert weights._format_weights(wide) == "[\n" + "".join(f"    {weight},\n" for weight in wide) + "]"


def test_only_numbers_are_replaced() -> None:
    text = (
        "a = 1 # one\nab = [1, 2]\nlong = [ # 5 [\n    1, +2,   3,\n    # 4]\n  1_000,\n]\nb.a = 2\n"
        " rows = [\n    [1], [2],\n    [3],\n]\n"
    )
    held = {"a": 7, "ab": (8, 9), "long": (-1, 6, 1, 5), "rows": ((6,), (7,), (8,))}
    assert weights._replace_weights(text, held) == (
        "a = 7 # one\nab = [8, 9]\nlong = [ # 5 [\n    -1, 6,   1,\n    # 4]\n  5,\n]\nb.a = 2\n"
        " rows = [\n    [6], [7],\n    [8],\n]\n"
    )
    assert (
        weights._replace_weights("a=1", {"a": 5}) == "a=5"
        and weights._replace_weights("a = 1  \n", {"a": 5}) == "a = 5  \n"
    )
