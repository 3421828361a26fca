"""Files of weights: evaluation parameters, learned or set by hand, with a version and a checksum.

`gameplay.evaluation` describes the format.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gameplay import file_io
from gameplay.errors import BadInput, nearest, unknown_name
from gameplay.once import once_per_file

if TYPE_CHECKING:
    from gameplay.position import AbstractEvaluation, AbstractPosition

FIELDS = {
    "game": "The game",
    "evaluation": "One of the game's evaluations",
    "version": "Version of that evaluation: weights of other versions are rejected",
    "checksum": "Checksum of the weights; after a change the error message has the new one",
}
CONTENTS = {
    "weights": "A weight for each term of the evaluation: a whole number, or a list of them",
    "file": "In place of `weights`: a file in the same folder that has them packed",
}
WIDTH = 100  # of a line of weights


@once_per_file
def read(path: Path, game: "type[AbstractPosition]") -> "AbstractEvaluation":
    """The evaluation of a game under the weights in a file, cached until it changes. Raises BadInput."""
    data = file_io.toml(path)
    name = game.__name__.lower()
    if isinstance(data.get("game"), str) and data["game"] != name:
        raise BadInput(f"{path} holds weights for {data['game']}, and this is {name}")
    for key in data:
        if key not in (*FIELDS, *CONTENTS):
            raise BadInput(f"{path}: {unknown_name('field', key, (*FIELDS, *CONTENTS))}")
    for key in FIELDS:
        expected = int if key == "version" else str
        if type(data.get(key)) is not expected and not (key == "checksum" and key not in data):
            example = {"game": f'"{name}"', "version": "1"}.get(key, '"..."')
            raise BadInput(
                f"{path}: {key} is {'invalid' if key in data else 'missing'}. Try: {key} = {example}"
            )
    evaluations = {
        key: evaluation
        for key, evaluation in game.evaluations.items()
        if evaluation.size or evaluation.weights
    }
    if data["evaluation"] not in evaluations:
        raise BadInput(f"{path}: {unknown_name('evaluation with weights', data['evaluation'], evaluations)}")
    evaluation = evaluations[data["evaluation"]]
    if data["version"] != evaluation.version:
        raise BadInput(
            f"{path}: these weights are for version {data['version']} of {evaluation.name}; "
            f"expected version {evaluation.version}"
        )
    try:
        made = evaluation.with_weights(_weights(path, data, evaluation.size), path)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if data.get("checksum") != made.checksum:
        wrong = "is not that of the weights" if "checksum" in data else "is missing"
        raise BadInput(
            f'{path}: checksum {wrong}. If the weights are right, write checksum = "{made.checksum}"'
        )
    return made


def write(evaluation: "AbstractEvaluation", path: Path, comment: str = "") -> None:
    """Write the weights of an evaluation in the format of `read`; bytes are packed into NAME.bin next to it.

    Comments of the file they were read from are kept, except that `comment` replaces those at its head.
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
        text = file_io.text(evaluation.file)
        above, heading, below = re.split(r"(?m)^( *\[ *weights *\].*\n)", text, maxsplit=1)
        head = head or [line for line in above.splitlines() if line.startswith("#")]
        body = f"\n{heading}{_replace_weights(below, held)}"
    else:
        body = "\n[weights]\n" + "".join(
            f"{name} = {_format_weights(weight)}\n" for name, weight in held.items()
        )
    lines = [*head, *facts, f'checksum = "{evaluation.checksum}"']
    file_io.write(path, [("\n".join(lines) + "\n" + body).encode()])


def companion_files(path: Path) -> list[Path]:
    """The files that a file of weights names."""
    try:
        data = file_io.toml(path)
    except BadInput:
        return []
    names = [data.get("file"), data.get("policy")]
    return [path.parent / name for name in names if isinstance(name, str)]


def load_packed(path: Path, size: int) -> bytes:
    """The packed weights that a built-in file of weights names: `size` bytes."""
    weights: bytes = _weights(path, file_io.toml(path), size)
    return weights


def _weights(path: Path, data: dict[str, Any], size: int) -> Any:
    """The weights in a file, or in the packed file that it names."""
    if not size:
        if "weights" not in data:
            raise BadInput("weights are missing: add a table [weights]")
        return data["weights"]
    if not isinstance(data.get("file"), str):
        raise BadInput('the weights are packed in another file. Try: file = "NAME"')
    return unpack(path, data["file"], size)


def unpack(path: Path, name: str, size: int) -> bytes:
    """Decompress the file `name` in the folder of `path`, up to `size` + 1 bytes. Raises BadInput."""
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
    """Raise BadInput unless `given` has the names and shape of `right` and every weight is in range."""
    if isinstance(right, bytes):
        raise BadInput(f"{where}: expected {len(right)} bytes of weights")
    if isinstance(right, Mapping):
        if not isinstance(given, Mapping):
            raise BadInput(f"{where}: expected a table of weights")
        for name in given:
            if name not in right:
                raise BadInput(f"weights: unknown {name} in {where}{nearest(name, right)}")
        for name in right:
            if name not in given:
                raise BadInput(f"weights: {name} is missing")
            check(right[name], given[name], most, f"weights: {name}")
    elif isinstance(right, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(right):
            size = len(given) if isinstance(given, (tuple, list)) else "no"
            raise BadInput(f"{where}: {size} numbers; expected {len(right)}")
        for number, (one, other) in enumerate(zip(right, given, strict=True), 1):
            check(one, other, most, f"{where}, number {number}")
    elif type(given) is not int:
        raise BadInput(f"{where}: a weight must be a whole number, not {given!r}")
    elif abs(given) > most:
        raise BadInput(f"{where}: a weight must be from -{most} to {most}, not {given}")


def freeze(weights: Any) -> Any:
    """Make weights immutable: mapping proxies and tuples."""
    if isinstance(weights, Mapping):
        return MappingProxyType({name: freeze(held) for name, held in weights.items()})
    return tuple([freeze(weight) for weight in weights]) if isinstance(weights, (tuple, list)) else weights


def _format_weights(held: Any) -> str:
    """Format weights as TOML: `12`, `[1, 2]`, wrapped to WIDTH."""
    if not isinstance(held, tuple):
        return str(held)
    items = [_format_weights(weight) for weight in held]
    line = f"[{', '.join(items)}]"
    if len(line) <= WIDTH:
        return line
    width = max(1, (WIDTH - 4) // (max(map(len, items)) + 2))
    rows = [", ".join(items[i : i + width]) for i in range(0, len(items), width)]
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def _replace_weights(text: str, weights: Mapping[str, Any]) -> str:
    """Replace the numbers in the text of a table of weights, keeping comments and layout."""
    for name, held in weights.items():
        match = re.search(rf"(?m)^ *{re.escape(name)} *= *", text)
        assert match is not None, name
        text = text[: match.end()] + _replace_numbers(text[match.end() :], flatten(held))
    return text


def _replace_numbers(text: str, numbers: Iterator[int]) -> str:
    """Replace the first numbers of the text, except in comments."""

    def one(match: re.Match[str]) -> str:
        return match[0] if match[0].startswith("#") else str(next(numbers, match[0]))

    return re.sub(r"#.*|[-+]?\w+", one, text)


def flatten(held: Any) -> Iterator[Any]:
    """The items of nested tuples, in order."""
    if isinstance(held, tuple):
        for weight in held:
            yield from flatten(weight)
    else:
        yield held
