"""The user's data folder, and GAMEPLAY_HOME, which replaces it and the configuration folder."""

import os
from pathlib import Path

from gameplay.errors import BadInput


def home_folder() -> Path | None:
    """The folder GAMEPLAY_HOME; None: use the system's folders. Raises BadInput if it is not a folder."""
    value = os.environ.get("GAMEPLAY_HOME")
    if not value:
        return None
    path = Path(value)
    if path.exists() and not path.is_dir():
        raise BadInput(f"GAMEPLAY_HOME is {value}, which is not a folder. Try: unset GAMEPLAY_HOME")
    return path


def data_folder() -> Path:
    """The user's data folder. Raises BadInput as `home_folder`."""
    folder = home_folder()
    if folder is not None:
        return folder
    import platformdirs

    return Path(platformdirs.user_data_path("gameplay"))
