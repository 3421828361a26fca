"""Runs the code cells of a notebook in order, and stores their output as a notebook does."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FORMATS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def display(value: object) -> dict[str, Any]:
    """The formats in which a notebook displays a value."""
    data: dict[str, Any] = {"text/plain": repr(value)}
    for kind, method in FORMATS.items():
        own = getattr(type(value), method, None)
        shown = own(value) if own is not None else None
        if shown is not None:
            data[kind] = shown
    return {kind: text.splitlines(keepends=True) for kind, text in data.items()}


def run(code: str, scope: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; return its outputs."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, f"cell {number}", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), scope) if last else None
    outputs: list[dict[str, Any]] = []
    if out.getvalue():
        text = out.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        outputs.append(
            {
                "data": display(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def execute(path: Path) -> dict[str, Any]:
    """The notebook in a file with its current outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    scope: dict[str, Any] = {"__name__": "notebook"}
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, 1):
        cell["execution_count"], cell["outputs"] = number, run(source(cell), scope, number)
    return notebook


def text(notebook: dict[str, Any]) -> str:
    """The notebook as stored text."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
