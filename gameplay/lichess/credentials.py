"""The user's token: read from LICHESS_TOKEN or a file that only its owner can read, and never shown."""

import os
import re
import stat
from pathlib import Path

from gameplay import file_io
from gameplay.errors import BadInput, Usage

VARIABLE = "LICHESS_TOKEN"
WHERE = "https://lichess.org/account/oauth/token"
_FORM = re.compile(r"[A-Za-z0-9_]{8,200}$", re.ASCII)


class Token:
    """A secret, readable only as the header of a request."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def header(self) -> str:
        """The value of the header Authorization."""
        return f"Bearer {self._secret}"

    def __repr__(self) -> str:
        return "Token(...)"

    def __reduce__(self) -> str:
        raise TypeError("a token is not stored")


def token(file: Path | None, usual: Path) -> Token:
    """The token in `file`, else in LICHESS_TOKEN, else in the file `usual` if it exists.

    The variable is removed from the environment, so that no program started later inherits it. Raises Usage
    without a token, BadInput for a file that others can read or that holds none.
    """
    if file is None:
        given = os.environ.pop(VARIABLE, "").strip()
        if given:
            return _checked(given, VARIABLE)
        if not usual.exists():
            raise Usage(
                f"there is no token. Create one at {WHERE} (board:play for people, bot:play for engines), "
                f"and put it into the variable {VARIABLE}, or into {usual} with mode 600"
            )
    return _read(file or usual)


def _read(path: Path) -> Token:
    try:
        with file_io.opened(path) as source:
            mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
            if os.name == "posix" and mode & 0o077:
                raise BadInput(
                    f"{path} has mode {mode:o}: others can read it; expected 600. Try: chmod 600 {path}"
                )
            text = source.read(1_000).decode("ascii", "replace").strip()
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    return _checked(text, str(path))


def _checked(text: str, where: str) -> Token:
    if not _FORM.fullmatch(text):
        raise BadInput(f"{where} does not hold a token; expected letters and digits, as from {WHERE}")
    return Token(text)
