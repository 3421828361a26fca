"""Stands in for msgspec, which is compiled and not part of Pyodide's core: its structs, as dataclasses.

Nothing is encoded in the page: it stores no games.
"""

import dataclasses
from typing import Any

field = dataclasses.field


class DecodeError(ValueError):
    """Never raised: nothing is decoded."""


class ValidationError(DecodeError):
    """Never raised either."""


class Struct:
    """A class whose annotations are its fields; an empty list, dict or set as a default is made anew."""

    def __init_subclass__(cls, eq: bool = True, frozen: bool = False, **options: Any) -> None:
        for name in cls.__annotations__:
            default = cls.__dict__.get(name)
            if isinstance(default, (list, dict, set)):
                setattr(cls, name, field(default_factory=type(default)))
        dataclasses.dataclass(eq=eq, frozen=frozen)(cls)


class structs:
    """`msgspec.structs`."""

    replace = staticmethod(dataclasses.replace)
    asdict = staticmethod(vars)
    force_setattr = staticmethod(object.__setattr__)
