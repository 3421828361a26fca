"""Tables for spreadsheets, pandas and databases: CSV, and Parquet by pyarrow.

    CSV       UTF-8, commas, a header line, lines end with a newline, quoting as in RFC 4180. An empty
              cell is a missing value. Text that a spreadsheet would take as a formula, because it begins
              with = + - or @, is prefixed with an apostrophe.
    Parquet   numbers are int64 and double, texts are strings; compressed with Zstandard; a row group
              holds at most 20,000 rows

In both, control characters and characters that reorder or conceal text are JSON escapes (`\\u001b`), since
names of players may come from untrusted files. Memory use is that of one row group.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from gameplay.extras import library
from gameplay.visible import one_line

GROUP = 20_000  # rows
MAX_INTEGER = (1 << 63) - 1  # integer of a column
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # also of full width

Row = Mapping[str, Any]


def csv_parts(columns: Mapping[str, type], rows: Iterable[Row]) -> Iterator[bytes]:
    """The rows as the parts of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    rows = iter(rows)
    while True:
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
        group = list(islice(rows, GROUP // 100))
        if not group:
            return
        writer.writerows([_cell(row.get(name)) for name in columns] for row in group)


def _cell(value: Any) -> Any:
    value = _sanitize(value)
    formula = isinstance(value, str) and value.lstrip().startswith(FORMULA)
    return f"'{value}" if formula else value


def _sanitize(value: Any) -> Any:
    """Escape control characters in text; clamp integers to 64 bits."""
    if isinstance(value, str):
        return one_line(value)
    return max(-MAX_INTEGER, min(MAX_INTEGER, value)) if isinstance(value, int) else value


def arrow() -> Any:
    """The library that writes Parquet. Raises Usage if it is not installed."""
    return library("pyarrow", "Parquet", "parquet")


def parquet_parts(columns: Mapping[str, type], rows: Iterable[Row]) -> Iterator[bytes]:
    """The rows as the parts of a Parquet file. Raises Usage without pyarrow."""
    pa, parquet = arrow(), library("pyarrow.parquet", "Parquet", "parquet")
    arrow_types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    schema = pa.schema([(name, arrow_types[kind]) for name, kind in columns.items()])
    file, rows_left = _Parts(), iter(rows)
    with parquet.ParquetWriter(pa.PythonFile(file, "w"), schema, compression="zstd") as writer:
        while group := list(islice(rows_left, GROUP)):
            table = {name: [_convert(row.get(name), kind) for row in group] for name, kind in columns.items()}
            writer.write_table(pa.Table.from_pydict(table, schema))
            yield file.take()
    yield file.take()


def _convert(value: Any, kind: type) -> Any:
    return None if value is None else kind(_sanitize(value))


class _Parts(io.RawIOBase):
    """A writable file whose bytes are collected as they are written."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def writable(self) -> bool:
        """Return True, as for any writable file."""
        return True

    def write(self, data: Any) -> int:
        """Store the bytes until `take`."""
        self.bytes += data
        return len(data)

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        part = bytes(self.bytes)
        self.bytes.clear()
        return part
