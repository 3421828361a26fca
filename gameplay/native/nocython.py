"""Replaces the `cython` module where compiled modules run as plain Python: types have no effect."""

import math
from contextlib import nullcontext
from typing import Any

compiled = False


class _Number:
    """A number type; `cython.double[8]` is an array of eight numbers."""

    def __getitem__(self, _size: Any) -> None:
        return None


class _Whole(_Number):
    """A type of whole numbers."""


int = uint = uchar = long = longlong = ulonglong = size_t = Py_ssize_t = _Whole()
_Float = float  # the name is that of a type of C from here on
double = float = _Number()
bint = Py_buffer = None
p_int = p_uint = p_double = p_ulonglong = p_schar = p_void = p_char = p_short = p_uchar = p_ushort = None
p_float = p_longlong = None
NULL = None
nogil: Any = nullcontext()
gil: Any = nullcontext()


def declare(_type: Any, value: Any = None) -> Any:
    """`cython.declare(cython.int, 3)` is 3."""
    return value


def cast(kind: Any, value: Any) -> Any:
    """A cast to whole numbers drops what is behind the point; else it changes nothing: hot code masks."""
    return math.trunc(value) if isinstance(kind, _Whole) and isinstance(value, _Float) else value


def _same(thing: Any) -> Any:
    return thing


cfunc = final = _same
