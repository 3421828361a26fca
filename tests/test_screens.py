"""Every test of a stored screen has another assertion that shows that the output is right."""

import ast

import pytest

from tests.support.paths import TESTS

pytestmark = pytest.mark.once

# What asserts in another place: `until` waits for a text, `draw_match` (support/themes.py) checks the size.
ELSEWHERE = ("check", "until", "draw_match")


def called_names(node: ast.AST) -> set[str]:
    """The names of the functions called within a function."""
    targets = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    return names | {target.attr for target in targets if isinstance(target, ast.Attribute)}


def asserts(node: ast.AST, functions: dict[str, ast.AST], seen: frozenset[str] = frozenset()) -> bool:
    """True if a function, or one of the same file that it calls, asserts or expects an exception."""
    names = called_names(node)
    if any(isinstance(child, ast.Assert) for child in ast.walk(node)) or "raises" in names:
        return True
    if any(name.startswith(ELSEWHERE) for name in names):
        return True
    own = names & set(functions) - seen
    return any(asserts(functions[name], functions, seen | own) for name in own)


def test_no_test_compares_a_screen_and_nothing_else() -> None:
    alone, compared = [], 0
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text()
        if "golden(" not in text:
            continue
        functions = {
            node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)
        }
        for name, node in functions.items():
            if name.startswith("test_") and "golden" in called_names(node):
                compared += 1
                alone += [] if asserts(node, functions) else [f"{file.relative_to(TESTS)}: {name}"]
    assert compared > 100 and not alone, "add an assertion about correctness (CONTRIBUTING.md)"
