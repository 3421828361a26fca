"""Hash functions against published numbers and against their definitions."""

import importlib
import re
from ast import literal_eval
from pathlib import Path
from random import Random

import pytest

import gameplay
from gameplay.native import bits, hashing
from tests.support.files import find_files

PACKAGE = Path(gameplay.__file__).parent
ENUMERATED = re.compile(r"(\w+) = (-?\d+)")
DEFINED = re.compile(r"#define gameplay_(\w+) (\w+?)U?L*\n")
# The first outputs of SplitMix64 from the state 1234567 (rosettacode.org, Pseudo-random numbers).
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_splitmix_gives_the_published_numbers() -> None:
    state, outputs = 1234567, []
    for _ in PUBLISHED:
        outputs.append(hashing.splitmix(state))
        state = (state + hashing.GOLDEN) % 2**64
    assert outputs == PUBLISHED


def test_products_keep_64_bits() -> None:
    rng = Random(1)
    for _ in range(100):
        key, number = rng.getrandbits(64), rng.getrandbits(64)
        assert hashing.spread(key) == key * hashing.GOLDEN % 2**64
        assert hashing.fold(key, number) == hashing.spread(key ^ number)
        assert hashing.splitmix(key) == hashing.finalize((key + hashing.GOLDEN) % 2**64)


def test_headers_hold_the_same_numbers() -> None:
    """Compiled modules use the numbers of the header, others those of the module."""
    for module, names in ((hashing, ("GOLDEN", "MIX_1", "MIX_2", "XX_2")), (bits, ("ONE", "M32", "M64"))):
        header = Path(str(module.__file__)).with_suffix(".pxd").read_text()
        defined = dict(re.findall(DEFINED, header))
        assert {name: int(defined[name], 0) for name in names} == {name: vars(module)[name] for name in names}


HEADERS = [
    *(PACKAGE / f"{name}.pxd" for name in ("position", "value", "search/trace")),
    *find_files(PACKAGE / "games", "**/layout.pxd"),
]


@pytest.mark.parametrize("header", HEADERS, ids=lambda file: f"{file.parent.name}.{file.stem}")
def test_headers_of_constants_hold_the_same_numbers(header: Path) -> None:
    name = ".".join(header.relative_to(PACKAGE.parent).with_suffix("").parts)
    numbers = {
        name: value
        for name, value in vars(importlib.import_module(name)).items()
        if name.isupper() and type(value) in (int, float)
    }
    defined = [*re.findall(ENUMERATED, header.read_text()), *re.findall(DEFINED, header.read_text())]
    assert {name: literal_eval(value) for name, value in defined} == numbers


def test_each_number_is_defined_once() -> None:
    numbers = re.compile("9E3779B97F4A7C15|BF58476D1CE4E5B9|94D049BB133111EB|C2B2AE3D27D4EB4F", re.IGNORECASE)
    users = {
        file.name
        for file in PACKAGE.rglob("*.p*")
        if file.suffix in (".py", ".pxd") and numbers.search(file.read_text())
    }
    assert users == {"hashing.py", "hashing.pxd"}
