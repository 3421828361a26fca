"""The cost of searches by depth: a table for each depth, and nodes over depth as curves."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.display.reports import plot
from gameplay.display.terminal.panel import format_count
from gameplay.value import format_value

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.suites.measuring import Effort, Iteration

THEORY_CURVES = ("b^d", "minimum")  # the curves of theory
FIGURES = ("nodes", "leaves", "evaluations", "TT hits", "first move", "branching", "ms", "value")


def figures(effort: "Effort", unit: int = 1) -> dict[str, str]:
    """The figures of an engine at a depth, by name; means over the positions, - where unknown.

    The value of a single position is from the view of the side to move, in the game's `unit`.
    """
    many = len(effort.values)
    cells = {
        "nodes": format_count(effort.nodes / many),
        "leaves": "-" if effort.leaves is None else format_count(effort.leaves / many),
        "evaluations": "-" if effort.evaluations is None else format_count(effort.evaluations / many),
        "TT hits": "-" if effort.hit_share is None else f"{effort.hit_share:.0%}",
        "first move": "-" if effort.first_share is None else f"{effort.first_share:.0%}",
        "branching": f"{effort.branching:.2f}",
        "ms": f"{1000 * effort.seconds / many:.1f}",
    }
    if many == 1:
        cells["value"] = format_value(effort.values[0], unit=unit)
    return cells


def level_table(level: "Iteration", width: int, unit: int = 1) -> str:
    """The table of one depth: a line for each engine, several if that is too wide."""
    rows = [(effort.spec, figures(effort, unit)) for effort in level.efforts]
    names = [name for name in FIGURES if name in rows[0][1]]
    sizes = {name: max(len(name), *(len(cells[name]) for _, cells in rows)) for name in names}
    left = max(len(spec) for spec, _ in rows)
    lines = []
    head = f"depth {level.depth}"
    if max(left, len(head)) + sum(size + 2 for size in sizes.values()) <= width:
        left = max(left, len(head))
        lines.append(f"{head:<{left}}" + "".join(f"  {name:>{sizes[name]}}" for name in names))
        for spec, cells in rows:
            lines.append(f"{spec:<{left}}" + "".join(f"  {cells[name]:>{sizes[name]}}" for name in names))
    else:
        lines.append(head)
        for spec, cells in rows:
            lines += textwrap.wrap(spec, width, break_on_hyphens=False)
            facts = ", ".join(f"{name} {cells[name]}" for name in names)
            lines += textwrap.wrap(facts, width, initial_indent="  ", subsequent_indent="  ")
    if level.theory is not None:
        theory = level.theory
        source = "" if theory.counted == level.depth else f", as at {theory.counted} plies"
        lines += _wrap(
            f"leaves by theory, with b = {theory.width:.2f}{source}: b^d {format_count(theory.full)}, "
            f"minimum {format_count(theory.minimum)}, b^(3d/4) {format_count(theory.random)}",
            width,
        )
    for equality in level.equalities:
        lines += _wrap(str(equality), width)
    return "\n".join(lines)


def curves(levels: "Sequence[Iteration]") -> dict[str, list[tuple[int, float]]]:
    """Nodes per position over depth by engine, and the two theoretical curves where they apply."""
    curves: dict[str, list[tuple[int, float]]] = {}
    for level in levels:
        for effort in level.efforts:
            curves.setdefault(effort.spec, []).append((level.depth, effort.nodes / len(effort.values)))
    for level in levels:
        if level.theory is not None:
            curves.setdefault(THEORY_CURVES[0], []).append((level.depth, level.theory.full))
            curves.setdefault(THEORY_CURVES[1], []).append((level.depth, level.theory.minimum))
    return curves


def picture(levels: "Sequence[Iteration]", theme: "Theme", width: int) -> str:
    """The curves in characters; "" for a single depth."""
    if len(levels) < 2:
        return ""
    return plot.log_plot(curves(levels), min(width, 80), theme.unicode)


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)


def document(levels: "Sequence[Iteration]") -> list[dict[str, Any]]:
    """The levels as plain data."""
    return [
        {
            "depth": level.depth,
            "engines": [effort.as_dict() for effort in level.efforts],
            "theory": None if level.theory is None else level.theory.as_dict(),
            "equal": [equality.as_dict() for equality in level.equalities],
        }
        for level in levels
    ]
