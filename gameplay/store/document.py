"""JSON documents on disk: read whole or refused, never half written."""

from pathlib import Path
from typing import TypeVar

import msgspec

from gameplay import file_io
from gameplay.errors import BadInput

Kind = TypeVar("Kind", bound=msgspec.Struct)


def read(path: Path, kind: type[Kind]) -> Kind:
    """What a file holds, or a new one where there is none; `schema`, a field of it, is the version.

    Raises BadInput for a file that is damaged or of another version.
    """
    new = kind()
    try:
        document = msgspec.json.decode(file_io.content(path), type=kind)
    except (FileNotFoundError, NotADirectoryError):
        return new
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path} is damaged: {error}; move it away to begin anew") from None
    schema, ours = (one.schema for one in (document, new))  # type: ignore[attr-defined]
    if schema != ours:
        raise BadInput(f"{path} has schema {schema}; this version reads {ours}")
    return document


def write(path: Path, document: msgspec.Struct) -> None:
    """Keep it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file_io.write(path, [msgspec.json.encode(document, enc_hook=str), b"\n"])


def decoded(text: bytes, kind: type[Kind], where: str, what: str) -> Kind:
    """The document in JSON. Raises BadInput, naming `where`, if it is not `what` is expected there."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{where} is not {what}: {error}") from None
