"""The user's token: read from LICHESS_TOKEN or a file that only its owner can read, and never shown."""

import os
import re
import stat
from pathlib import Path

from gameplay import file_io
from gameplay.errors import BadInput, Usage

VARIABLE = "LICHESS_TOKEN"
TOKEN_PATH = "/account/oauth/token"  # the page of a server that creates tokens
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_]{8,200}$", re.ASCII)


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


def token(file: Path | None, default_file: Path, url: str) -> Token:
    """The token for server `url` in `file`, else in LICHESS_TOKEN, else in `default_file` if it exists.

    The variable is removed from the environment, so no child process inherits it. Raises Usage
    without a token, BadInput for a file that others can read or without a token.
    """
    page = token_page(url)
    if file is None:
        value = os.environ.pop(VARIABLE, "").strip()
        if value:
            return _check_token(value, VARIABLE, page)
        if not default_file.exists():
            raise Usage(
                f"no token is set. Create one at {page} (board:play for people, bot:play for engines), "
                f"and put it into the variable {VARIABLE}, or into {default_file} with mode 600"
            )
    return _read(file or default_file, page)


def token_page(url: str) -> str:
    """The page of server `url` that creates tokens."""
    return url.rstrip("/") + TOKEN_PATH


def _read(path: Path, page: str) -> Token:
    try:
        with file_io.open_file(path) as source:
            mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
            if os.name == "posix" and mode & 0o077:
                raise BadInput(
                    f"{path} has mode {mode:o}: others can read it; expected 600. Try: chmod 600 {path}"
                )
            text = source.read(1_000).decode("ascii", "replace").strip()
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    return _check_token(text, str(path), page)


def _check_token(text: str, source: str, page: str) -> Token:
    if not _TOKEN_PATTERN.fullmatch(text):
        raise BadInput(f"{source} does not hold a token; expected letters and digits, as from {page}")
    return Token(text)
