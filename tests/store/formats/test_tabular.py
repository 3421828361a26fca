"""CSV and Parquet: round trips by csv and pyarrow, formulas, control characters, row groups."""

import csv
import io
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from gameplay.errors import Usage
from gameplay.store.formats import tabular

pytestmark = pytest.mark.once

COLUMNS = {"pair": int, "name": str, "value": float, "opening": bool}
ROWS: list[dict[str, Any]] = [
    {"pair": 0, "name": "new", "value": 12, "opening": True},
    {"pair": 1, "name": 'a,"b"\x1b[31m\n', "value": None, "opening": False},
    {"pair": -1, "name": "\u202eé", "value": -0.5, "opening": False, "more": 1},
]


def read_csv(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    text = b"".join(tabular.csv_parts(COLUMNS, rows)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def read_parquet(rows: list[dict[str, Any]]) -> Any:
    parquet = pytest.importorskip("pyarrow.parquet")
    return parquet.ParquetFile(io.BytesIO(b"".join(tabular.parquet_parts(COLUMNS, rows))))


def test_csv_reads_back() -> None:
    assert b"".join(tabular.csv_parts(COLUMNS, ROWS[:1])) == b"pair,name,value,opening\n0,new,12,True\n"
    rows = read_csv(ROWS)
    assert [row["pair"] for row in rows] == ["0", "1", "-1"], "a negative number is no formula"
    assert [row["value"] for row in rows] == ["12", "", "-0.5"]
    assert [row["name"] for row in rows] == ["new", r'a,"b"\u001b[31m\u000a', r"\u202eé"]


@pytest.mark.parametrize("name", ["=1+2", "+x", "-x", "@SUM(A1)", " =1", "\uff1d1"])
def test_a_name_is_no_formula(name: str) -> None:
    assert read_csv([{"name": name}])[0]["name"] == f"'{name}"
    assert read_parquet([{"name": name}]).read().to_pylist()[0]["name"] == name, "no spreadsheet reads it so"


def test_parquet_reads_back_with_types() -> None:
    read = read_parquet(ROWS).read()
    assert [str(kind) for kind in read.schema.types] == ["int64", "string", "double", "bool"]
    rows = read.to_pylist()
    assert rows[0] == ROWS[0] and rows[1] == {**ROWS[1], "name": r'a,"b"\u001b[31m\u000a'}
    assert rows[2] == {"pair": -1, "name": r"\u202eé", "value": -0.5, "opening": False}


def test_integers_beyond_64_bits_are_the_largest_ones() -> None:
    rows = [{"pair": 10**400, "value": -(10**400)}]
    assert read_parquet(rows).read().to_pylist()[0]["pair"] == 2**63 - 1
    assert read_csv(rows)[0]["value"] == str(-(2**63) + 1)


@pytest.mark.parametrize("write", [tabular.csv_parts, tabular.parquet_parts])
def test_rows_are_written_as_they_come(monkeypatch: pytest.MonkeyPatch, write: Any) -> None:
    """Writing a part of a table requests at most one more group of its rows."""
    monkeypatch.setattr(tabular, "GROUP", 100)
    asked = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal asked
        for asked in range(1, 1001):
            yield {"pair": asked}

    parts = write(COLUMNS, rows())
    counts = [asked for _ in parts]
    assert asked == 1000 and len(counts) > 10
    assert all(later - before <= 100 for before, later in pairwise(counts))


def test_row_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabular, "GROUP", 100)
    file = read_parquet([{"pair": number} for number in range(250)])
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [100, 100, 50]
    assert file.read().column("pair").to_pylist() == list(range(250))
    assert read_parquet([]).read().num_rows == 0


def test_pyarrow_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Usage, match=r"Parquet needs pyarrow: pip install 'gameplay\[parquet\]'"):
        next(tabular.parquet_parts(COLUMNS, ROWS))
