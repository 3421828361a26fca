"""Optional libraries: each belongs to an extra of the package, such as `gameplay[cluster]`."""

import importlib
from typing import Any

from gameplay.errors import Usage


def library(module: str, user: str, extra: str) -> Any:
    """A module of an optional library, imported only when `user`, such as an option, needs it.

    Raises Usage, which names the extra to install, if the library is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise Usage(f"{user} needs {name}: pip install 'gameplay[{extra}]'") from None
