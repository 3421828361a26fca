"""The page on the library: every name of `gameplay.__all__` with its signature and docstring.

The names are loaded from the .py files: compiled functions have no signature.
"""

import inspect
import re
from typing import Any

import gameplay
from reference.markdown import page, paragraphs


def pages() -> dict[str, str]:
    """One page."""
    intro = "What `from gameplay import NAME` offers; all of it is typed."
    names = sorted(vars(gameplay)["__all__"], key=str.lower)
    parts = [_described(name, getattr(gameplay, name)) for name in names]
    return {"index": page("Python API", intro, "```{py:currentmodule} gameplay\n```", *parts)}


def _described(name: str, value: Any) -> str:
    heading = f"## {name}\n\n"
    if inspect.isclass(value):
        members = [text for key, one in vars(value).items() if (text := _member(key, one))]
        body = "\n\n".join([paragraphs(inspect.getdoc(value) or ""), *members])
        return heading + _directive("class", name + _signature(value), body, 5)
    if inspect.isfunction(value):
        return heading + _directive("function", name + _signature(value), paragraphs(_doc(value)), 4)
    return heading + _directive("data", name, f"Value: `{value!r}`", 4)


def _member(name: str, value: Any) -> str:
    """A public method or property of a class."""
    if name.startswith("_"):
        return ""
    if isinstance(value, property):
        return _directive("property", name, paragraphs(_doc(value)), 4)
    function = getattr(value, "__func__", value)
    if not inspect.isfunction(function):
        return ""
    kinds = {classmethod: "\n:classmethod:", staticmethod: "\n:staticmethod:"}
    signature = _signature(function, bound=not isinstance(value, staticmethod))
    return _directive("method", name + signature + kinds.get(type(value), ""), paragraphs(_doc(function)), 4)


def _doc(value: Any) -> str:
    return inspect.cleandoc(value.__doc__ or "")


def _signature(value: Any, bound: bool = False) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    given = list(signature.parameters.values())[bound:]
    text = str(signature.replace(parameters=given))
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text.replace("<factory>", "..."))


def _directive(kind: str, head: str, body: str, ticks: int) -> str:
    fence = ":" * ticks
    return f"{fence}{{py:{kind}}} {head}\n\n{body}\n{fence}"
