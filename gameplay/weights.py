"""Files of weights: evaluation parameters, learned or set by hand, with a version and a checksum.

The head of `gameplay.evaluation` describes the format. A file is read whole or rejected.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay.errors import BadInput, nearest, unknown
from gameplay.once import once

if TYPE_CHECKING:
    from gameplay.position import AbstractEvaluation, AbstractPosition

FIELDS = {
    "game": "The game",
    "evaluation": "Its evaluation whose weights these are",
    "version": "Version of that evaluation: weights of another version mean something else",
    "checksum": "Checksum of the weights; after a change the program prints the right one",
}
HELD = {
    "weights": "A weight for each term of the evaluation: a whole number, or a list of them",
    "file": "In place of `weights`: a file in the same folder, packed, where they are too many to read",
}
WIDTH = 100  # of a line of weights


@once
def read(path: Path, game: "type[AbstractPosition]") -> "AbstractEvaluation":
    """The evaluation of a game under the weights in a file; read once a process.

    Raises BadInput, saying what is wrong, where, and what would be right.
    """
    data = table(path)
    name = game.__name__.lower()
    if isinstance(data.get("game"), str) and data["game"] != name:
        raise BadInput(f"{path} holds weights for {data['game']}, and this is {name}")
    for key in data:
        if key not in (*FIELDS, *HELD):
            raise BadInput(f"{path}: {unknown('field', key, (*FIELDS, *HELD))}")
    for key in FIELDS:
        right = int if key == "version" else str
        if type(data.get(key)) is not right and not (key == "checksum" and key not in data):
            example = {"game": f'"{name}"', "version": "1"}.get(key, '"..."')
            raise BadInput(
                f"{path}: {key} is {'wrong' if key in data else 'missing'}: write {key} = {example}"
            )
    evaluations = {key: one for key, one in game.evaluations.items() if one.size or one.weights}
    if data["evaluation"] not in evaluations:
        raise BadInput(f"{path}: {unknown('evaluation with weights', data['evaluation'], evaluations)}")
    evaluation = evaluations[data["evaluation"]]
    if data["version"] != evaluation.version:
        which = f"{evaluation.name} is of version {evaluation.version} here"
        raise BadInput(f"{path}: version {data['version']}: {which}, and its weights are others")
    try:
        made = evaluation.weighed(_weights(path, data, evaluation.size), path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if data.get("checksum") != made.checksum:
        wrong = "is not that of the weights" if "checksum" in data else "is missing"
        raise BadInput(
            f'{path}: checksum {wrong}: if they are as they should be, write checksum = "{made.checksum}"'
        )
    return made


def write(evaluation: "AbstractEvaluation", path: Path, comment: str = "") -> None:
    """Write the weights of an evaluation into a file that `read` reads; bytes go beside it, into NAME.bin.

    The comments of the file that they came from are kept; the lines of `comment` replace those at its head.
    """
    head = [f"# {line}".rstrip() for line in comment.splitlines()]
    facts = [
        f'game = "{evaluation.game}"',
        f'evaluation = "{evaluation.name}"',
        f"version = {evaluation.version}",
    ]
    held = evaluation.weights
    if isinstance(held, bytes):
        import zlib

        packed = path.with_suffix(".bin")
        file_io.write(packed, [zlib.compress(held, 9)])
        body = f'file = "{packed.name}"\n'
    elif evaluation.file is not None:
        above, begun, below = re.split(r"(?m)^( *\[ *weights *\].*\n)", _text(evaluation.file), maxsplit=1)
        head = head or [line for line in above.splitlines() if line.startswith("#")]
        body = f"\n{begun}{_replaced(below, held)}"
    else:
        body = "\n[weights]\n" + "".join(f"{name} = {_row(one)}\n" for name, one in held.items())
    lines = [*head, *facts, f'checksum = "{evaluation.checksum}"']
    file_io.write(path, [("\n".join(lines) + "\n" + body).encode()])


def beside(path: Path) -> list[Path]:
    """The files that a file of weights names."""
    try:
        data = table(path)
    except BadInput:
        return []
    names = [data.get("file"), data.get("policy")]
    return [path.parent / name for name in names if isinstance(name, str)]


def unpacked(path: Path, size: int) -> bytes:
    """The bytes that lie beside a built-in file of weights."""
    weights: bytes = _weights(path, table(path), size)
    return weights


def table(path: Path) -> dict[str, Any]:
    """What a TOML file holds. Raises BadInput."""
    return file_io.toml(path)


def _weights(path: Path, data: dict[str, Any], size: int) -> Any:
    """The weights of a file, or of that beside it."""
    if not size:
        if "weights" not in data:
            raise BadInput("weights are missing: add a table [weights]")
        return data["weights"]
    if not isinstance(data.get("file"), str):
        raise BadInput('the weights lie in a file of their own: add file = "NAME"')
    return unpacked_beside(path, data["file"], size)


def unpacked_beside(path: Path, name: str, size: int) -> bytes:
    """The bytes that a file in the folder of `path` holds, packed by zlib; the first `size` + 1 of more.

    Raises BadInput.
    """
    import zlib

    if Path(name).name != name or not name.isprintable():
        raise BadInput(f"file is {name!r}: expected the name of a file in the same folder")
    packed = path.parent / name
    try:
        return zlib.decompressobj().decompress(file_io.content(packed), size + 1)
    except OSError as error:
        raise BadInput(file_io.unreadable(packed, error)) from None
    except zlib.error:
        raise BadInput(f"file {packed} is not packed by zlib") from None


def check(right: Any, given: Any, most: int, where: str) -> None:
    """Raise BadInput if weights have not the form of the right ones, or one is out of range."""
    if isinstance(right, bytes):
        raise BadInput(f"{where}: the weights are {len(right)} bytes")
    if isinstance(right, Mapping):
        if not isinstance(given, Mapping):
            raise BadInput(f"{where}: the weights are a table")
        for name in given:
            if name not in right:
                raise BadInput(f"weights: there is no {name} in {where}{nearest(name, right)}")
        for name in right:
            if name not in given:
                raise BadInput(f"weights: {name} is missing")
            check(right[name], given[name], most, f"weights: {name}")
    elif isinstance(right, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(right):
            size = len(given) if isinstance(given, (tuple, list)) else "no row"
            raise BadInput(f"{where}: {size} where {len(right)} are right")
        for number, (one, other) in enumerate(zip(right, given, strict=True), 1):
            check(one, other, most, f"{where}, number {number}")
    elif type(given) is not int:
        raise BadInput(f"{where}: a weight is a whole number, not {given!r}")
    elif abs(given) > most:
        raise BadInput(f"{where}: a weight is from -{most} to {most}, not {given}")


def frozen(weights: Any) -> Any:
    """The same weights, immutable."""
    if isinstance(weights, Mapping):
        return MappingProxyType({name: frozen(held) for name, held in weights.items()})
    return tuple([frozen(one) for one in weights]) if isinstance(weights, (tuple, list)) else weights


def _text(path: Path) -> str:
    return file_io.text(path)


def _row(held: Any) -> str:
    """Weights as TOML: `12`, `[1, 2]`; in as many lines as they fill."""
    if not isinstance(held, tuple):
        return str(held)
    items = [_row(one) for one in held]
    line = f"[{', '.join(items)}]"
    if len(line) <= WIDTH:
        return line
    width = max(1, (WIDTH - 4) // (max(map(len, items)) + 2))
    rows = [", ".join(items[i : i + width]) for i in range(0, len(items), width)]
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def _replaced(text: str, weights: Mapping[str, Any]) -> str:
    """The text of a table of weights with other numbers in it; all else stays."""
    for name, held in weights.items():
        match = re.search(rf"(?m)^ *{re.escape(name)} *= *", text)
        assert match is not None, name
        text = text[: match.end()] + _renumbered(text[match.end() :], flat(held))
    return text


def _renumbered(text: str, numbers: Iterator[int]) -> str:
    """The text with its first numbers, comments aside, replaced by these."""

    def one(match: re.Match[str]) -> str:
        return match[0] if match[0].startswith("#") else str(next(numbers, match[0]))

    return re.sub(r"#.*|[-+]?\w+", one, text)


def flat(held: Any) -> Iterator[Any]:
    """What nested tuples hold, in order."""
    if isinstance(held, tuple):
        for one in held:
            yield from flat(one)
    else:
        yield held
