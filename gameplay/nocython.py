"""Stands in for the `cython` module where the hot modules run as plain Python: types without meaning."""

from contextlib import nullcontext
from typing import Any

compiled = False
int = uint = uchar = long = longlong = ulonglong = size_t = bint = double = Py_buffer = None
p_int = p_uint = p_double = p_ulonglong = p_schar = p_void = p_char = p_short = p_uchar = p_ushort = None
NULL = None
nogil: Any = nullcontext()
gil: Any = nullcontext()


def declare(_type: Any, value: Any = None) -> Any:
    """`cython.declare(cython.int, 3)` is 3."""
    return value


def cast(_type: Any, value: Any) -> Any:
    """A cast changes nothing: hot code masks what C would cut off."""
    return value


def _same(thing: Any) -> Any:
    return thing


cfunc = cclass = inline = final = _same


def exceptval(*_args: Any, **_keywords: Any) -> Any:
    """Decorator without effect."""
    return _same
