"""Prints the windows of a search as a table: one row for each node."""

from collections.abc import Iterator

from gameplay.plural import plural
from gameplay.tracing.trace import format_traced
from gameplay.tracing.windows import NodeWindow, WindowTable

SIGNS = {"lower": ">= ", "upper": "<= "}
HEADS = ("no", "node", "", "alpha in", "beta in", "alpha out", "beta out", "value", "cut")
LEFT_COLUMNS = (1, 2, 8)  # columns that are aligned to the left
MAX_PATH = 32  # characters of the moves from the root


def lines(table: WindowTable, unit: int) -> Iterator[str]:
    """The table, then how many nodes it leaves out."""
    rows = [HEADS, *(_format_row(row, unit) for row in table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    yield "windows of MAX at each node, when it is entered (in) and when it is left (out):"
    for row in rows:
        cells = [
            f"{text:<{width}}" if column in LEFT_COLUMNS else f"{text:>{width}}"
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    more = table.count - len(table.rows)
    if more:
        yield f"and {plural(more, 'more node')}"


def _format_row(row: NodeWindow, unit: int) -> tuple[str, ...]:
    ends = [format_traced(end, unit) for end in (*row.entry, *row.exit)]
    value = "stopped" if row.value is None else f"{SIGNS.get(row.bound, '')}{format_traced(row.value, unit)}"
    cut = f"{row.cut} ({row.unsearched} unsearched)" if row.unsearched else row.cut
    return (str(row.number), _format_path(row), "leaf" if row.leaf else row.role, *ends, value, cut)


def _format_path(row: NodeWindow) -> str:
    """The moves from the root; of long lines the last ones."""
    if not row.level:
        return f"root ({row.name})" if row.name != "search" else "root"
    name = " ".join(filter(None, row.path)) or "root"
    name = name if len(name) <= MAX_PATH else f"...{name[3 - MAX_PATH :]}"
    return f"{name} ({row.name})" if row.name else name
