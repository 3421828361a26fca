"""The folder that stands in for the user's own ones: what GAMEPLAY_HOME names."""

import os
from pathlib import Path

from gameplay.errors import TryLater


def home() -> Path | None:
    """What GAMEPLAY_HOME names; None: the system's folders. Raises TryLater where that is no folder."""
    named = os.environ.get("GAMEPLAY_HOME")
    if not named:
        return None
    path = Path(named)
    if path.exists() and not path.is_dir():
        raise TryLater(f"GAMEPLAY_HOME is {named}, which is not a folder: name one, or leave it out")
    return path


def data() -> Path:
    """The folder of what the user keeps. Raises TryLater as `home`."""
    place = home()
    if place is not None:
        return place
    import platformdirs

    return Path(platformdirs.user_data_path("gameplay"))
