"""JSON documents on disk, validated when read and written atomically."""

from pathlib import Path
from typing import TypeVar

import msgspec

from gameplay import file_io
from gameplay.errors import BadInput

Kind = TypeVar("Kind", bound=msgspec.Struct)


def read(path: Path, kind: type[Kind]) -> Kind:
    """The document in a file, or a new one if there is no file; its field `schema` is the version.

    Raises BadInput if the file is damaged or has another version.
    """
    new = kind()
    try:
        document = msgspec.json.decode(file_io.content(path), type=kind)
    except (FileNotFoundError, NotADirectoryError):
        return new
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path} is damaged: {error}; move it away to start afresh") from None
    schema, supported = (version.schema for version in (document, new))  # type: ignore[attr-defined]
    if schema != supported:
        raise BadInput(f"{path} has schema {schema}; this version reads {supported}")
    return document


def write(path: Path, document: msgspec.Struct) -> None:
    """Write a document atomically. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file_io.write(path, [msgspec.json.encode(document, enc_hook=str), b"\n"])


def decode(text: bytes, kind: type[Kind], where: str, what: str) -> Kind:
    """Decode a JSON document. Raises BadInput, `WHERE is not WHAT: ...`, if it is invalid."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{where} is not {what}: {error}") from None
