"""The folder set by GAMEPLAY_HOME, which replaces the user's data and configuration folders."""

import os
from pathlib import Path

from gameplay.errors import TryLater


def home() -> Path | None:
    """The folder GAMEPLAY_HOME; None: use the system's folders. Raises TryLater if it is not a folder."""
    named = os.environ.get("GAMEPLAY_HOME")
    if not named:
        return None
    path = Path(named)
    if path.exists() and not path.is_dir():
        raise TryLater(f"GAMEPLAY_HOME is {named}, which is not a folder. Try: unset GAMEPLAY_HOME")
    return path


def data() -> Path:
    """The user's data folder. Raises TryLater as `home`."""
    place = home()
    if place is not None:
        return place
    import platformdirs

    return Path(platformdirs.user_data_path("gameplay"))
