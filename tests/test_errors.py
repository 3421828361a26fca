"""Errors are printed in one line, with the status that the help lists."""

import pytest

from gameplay import errors
from gameplay.errors import STATUS, describe_exception, nearest, unknown_name

pytestmark = pytest.mark.once


def test_each_error_has_its_status():
    """The statuses are those of README and every help; from 128 on plus the number of the signal."""
    assert list(STATUS) == [0, 1, 2, 3, 4, 5, 6, 75, 128 + 2, 128 + 13, 128 + 15]
    names = ("GameplayError", "Usage", "Mismatch", "Unfinished", "Fault", "EngineFault")
    names += ("BadInput", "IllegalMove", "TryLater")
    assert [getattr(errors, name).status for name in names] == [1, 2, 3, 4, 5, 5, 6, 6, 75]


def test_fault_keeps_its_seat():
    plain, full = errors.Fault("it hung"), errors.Fault("it died", "crash", ["a", "b"])
    assert (str(plain), plain.kind, plain.seat, plain.log) == ("it hung", "", None, ())
    assert (str(full), full.kind, full.seat, full.log) == ("it died", "crash", None, ("a", "b"))


def test_message_is_one_printable_line():
    error = errors.BadInput("a\nb\x1b[31m\ud800\tc\u202e")
    assert str(error) == "a\\u000ab\\u001b[31m\\ud800\\u0009c\\u202e"
    assert str(errors.Fault("plain – ok")) == "plain – ok" and str(errors.Usage()) == ""


@pytest.mark.parametrize(
    ("word", "choices", "message"),
    [
        ("dep", ["Depth", "nodes"], "; did you mean 'Depth'?"),  # 2 * 3 letters of 8 are alike: 0.75
        ("DEPT", ["Depth"], "; did you mean 'Depth'?"),
        ("abcde", ["abcxy"], "; did you mean 'abcxy'?"),  # 6 of 10: 0.6 is enough
        ("abcdef", ["abcxy"], ""),  # 6 of 11
        ("a1", ["a2"], ""),
        ("abd", ["abc", "abd2"], "; did you mean 'abd2'?"),
        ("abd", [], ""),
    ],
)
def test_nearest_word_is_suggested_if_close(word, choices, message):
    assert nearest(word, iter(choices)) == message


def test_unknown_name_error_lists_alternatives():
    assert unknown_name("game", "ches", iter(["nim", "chess"])) == (
        "unknown game 'ches'; did you mean 'chess'? (choose from: chess, nim)"
    )
    assert unknown_name("option", "x", []) == "unknown option 'x' (there are none)"


def caught(code, file):
    """The exception raised by the code of a file."""
    try:
        exec(compile(code, file, "exec"), {"nearest": nearest})
    except Exception as error:
        return error
    raise AssertionError


def test_exception_whose_message_fails_is_described_by_its_type():
    class Silent(Exception):
        def __str__(self):
            raise RuntimeError("no")

    assert describe_exception(Silent()) == errors.exception_text(Silent()) == "Silent"
    assert errors.exception_text(KeyError()) == "KeyError"


def test_raised_exception_names_the_last_user_line():
    """Lines of the package outside its games, and those without a file, are not a user's."""
    package = errors.__file__.removesuffix("errors.py")
    assert describe_exception(KeyError(3)) == "KeyError: 3"
    assert describe_exception(ValueError()) == "ValueError"
    assert describe_exception(ValueError("a\n   b")) == "ValueError: a b"
    assert (
        describe_exception(caught("\n1 / 0", "/a/mine.py"))
        == "ZeroDivisionError: division by zero (mine.py, line 2)"
    )
    assert describe_exception(caught("\n\nnearest(3, [])", "/a/mine.py")).endswith(" (mine.py, line 3)")
    dice = caught("1 / 0", f"{package}games/dice.py")
    assert describe_exception(dice) == "ZeroDivisionError: division by zero (dice.py, line 1)"
    for file in (f"{package}search/dice.py", "<string>"):
        message = describe_exception(caught("1 / 0", file))
        assert message.startswith("ZeroDivisionError: division by zero (test_errors.py, line ")
