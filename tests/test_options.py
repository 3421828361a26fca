"""The kinds of option values: accepted text, and the form of errors."""

from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.options import (
    ON_OFF,
    TEXT,
    Kind,
    MemorySize,
    Number,
    OneOf,
    Sum,
    Whole,
    bytes_of,
    check_option,
    format_option,
    kind_of,
    read_option,
)

pytestmark = pytest.mark.once

RIGHT: list[tuple[Kind, str, Any]] = [
    *((ON_OFF, word, True) for word in ("on", "YES", "true", "1", " on ")),
    *((ON_OFF, word, False) for word in ("off", "No", "false", "0")),
    (Whole(), "-12", -12),
    (Whole(0, 100), "0", 0),
    (Whole(0, 100), "100", 100),
    (Number(), "-1.5", -1.5),
    (Number(0, 1, open=True), "1e-9", 1e-9),
    (Number(0, 1, words=["auto"]), "AUTO", "auto"),
    (Number(0, 1, words=["auto"]), "0.50", "0.50"),
    (MemorySize("16KB", "64GB"), "16 kib", "16 kib"),
    (MemorySize("16KB", "64GB", off=True), "OFF", "OFF"),
    (OneOf(["soft", "hard"]), "Soft", "soft"),
    (Sum(["killer", "history"]), "killer + History", "killer+history"),
    (TEXT, "a b", "a b"),
]
WRONG = [
    (ON_OFF, "maybe", "on or off, not 'maybe'. Try: x=on"),
    (ON_OFF, "", "on or off, not ''. Try: x=on"),
    (Whole(), "1.5", "a whole number, not '1.5'. Try: x=DEFAULT"),
    (Whole(0, 100), "101", "a whole number from 0 to 100, not '101'. Try: x=100"),
    (Whole(0, 100), "-1", "a whole number from 0 to 100, not '-1'. Try: x=0"),
    (Whole(1), "0", "a whole number from 1 up, not '0'. Try: x=1"),
    (Whole(1, 255, unit="plies"), "x", "a whole number of plies from 1 to 255, not 'x'. Try: x=DEFAULT"),
    (Number(), "nan", "a number, not 'nan'. Try: x=DEFAULT"),
    (Number(), "inf", "a number, not 'inf'. Try: x=DEFAULT"),
    (Number(0, open=True), "0", "a number over 0, not '0'. Try: x=DEFAULT"),
    (Number(0, 10**6, open=True), "2e6", "a number over 0, up to 1,000,000, not '2e6'. Try: x=1000000"),
    (Number(0, 0.5, words=["auto"]), "1", "a number from 0 to 0.5 or auto, not '1'. Try: x=0.5"),
    (MemorySize("1MB", "2MB"), "1KB", "a size from 1MB to 2MB, such as 512MB, not '1KB'. Try: x=1MB"),
    (MemorySize("1MB", "2MB"), "3MB", "a size from 1MB to 2MB, such as 512MB, not '3MB'. Try: x=2MB"),
    (MemorySize("1MB", "2MB"), "off", "a size from 1MB to 2MB, such as 512MB, not 'off'. Try: x=1MB"),
    (
        MemorySize("1MB", "2MB", off=True),
        "1TB",
        "a size from 1MB to 2MB, such as 512MB, or off, not '1TB'. Try: x=DEFAULT",
    ),
    (OneOf(["soft", "hard"]), "sof", "soft or hard, not 'sof'. Try: x=soft"),
    (OneOf(["a", "b", "c"]), "d", "a, b or c, not 'd'. Try: x=DEFAULT"),
    (OneOf([]), "d", "none, not 'd'. Try: x=DEFAULT"),
    (
        Sum(["killer", "history"]),
        "killer+",
        "killer or history, or several joined by +, not 'killer+'. Try: x=killer",
    ),
]


@pytest.mark.parametrize(("kind", "text", "value"), RIGHT)
def test_a_kind_reads_its_values(kind: Kind, text: str, value: Any) -> None:
    number = read_option("owner", "x", text, kind)
    assert (number, type(number)) == (value, type(value))


@pytest.mark.parametrize(("kind", "text", "error"), WRONG)
def test_every_error_has_one_form(kind: Kind, text: str, error: str) -> None:
    with pytest.raises(Usage) as caught:
        read_option("owner", "x", text, kind, "DEFAULT")
    assert str(caught.value) == f"owner: x must be {error}"


def test_values_from_python_code() -> None:
    assert check_option("owner", "x", 7, Whole(0, 10)) == 7
    assert check_option("owner", "x", False, ON_OFF) is False
    assert check_option("owner", "x", "off", ON_OFF) is False
    assert check_option("owner", "x", 1, Number()) == 1.0
    assert check_option("owner", "x", None, TEXT) is None
    for value in (11, 2.0, True, None):
        with pytest.raises(Usage, match=f"^owner: x must be a whole number from 0 to 10, not {value!r}. Try"):
            check_option("owner", "x", value, Whole(0, 10), 1)


def test_a_default_implies_a_kind() -> None:
    assert kind_of(True) is ON_OFF and kind_of("") is TEXT and kind_of(None) is TEXT
    assert type(kind_of(1)) is Whole and type(kind_of(1.0)) is Number
    assert [format_option(value) for value in (True, False, 3, "a")] == ["on", "off", "3", "a"]


def test_sizes_in_bytes() -> None:
    assert [bytes_of(text) for text in ("off", "16KB", "1 MiB", "2g")] == [0, 2**14, 2**20, 2**31]
    with pytest.raises(ValueError):
        bytes_of("64")


@pytest.mark.parametrize("name", registry.engine_names())
def test_the_default_of_every_option_is_one_of_its_values(name: str) -> None:
    cls = registry.engine_class(name)
    for option, field in cls.options().items():
        assert check_option(name, option, field.default, cls.kind(option)) == field.default


@pytest.mark.parametrize("word", ["1", "on", "yes", "true"])
def test_games_and_engines_read_the_same_words(word: str) -> None:
    assert registry.game(f"nim:misere={word}").parameters == {"misere": True}
    assert registry.engine(f"iterative:mtdf={word}")[0].mtdf is True
