"""Word list files: text with one word a line, or the automaton built from it.

gameplay words 1            the format, and its version
name ENABLE                 the name of the list; other lines give further facts
words 168551
root 152000                 the first state
checksum 8d0e52a9c3f1b764   blake2b of the edges, 16 hex digits
                            an empty line, then the edges in the layout of `lexicon.py`, 4 bytes each, the
                            lowest first
"""

import hashlib
import re
import sys
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from gameplay import file_io
from gameplay.errors import BadInput, UnreadableFile
from gameplay.games.scrabble.lexicon import Lexicon

MAGIC = b"gameplay words 1\n"
MAX_LETTERS = 15  # letters of a word
MAX_BYTES = 50_000_000  # bytes of a file
ENABLE = Path(__file__).with_name("enable.words")

_WORD = re.compile(r"[A-Za-z]+")
_ROOT = re.compile(r"\d{1,9}", re.ASCII)


def build_automaton(words: Iterable[str]) -> tuple["array[int]", int]:
    """The edges of the minimal automaton of words, and its first state. Raises BadInput if there are none.

    After Daciuk and others, Incremental construction of minimal acyclic finite-state automata, Computational
    Linguistics 26, 2000: words are added in order; states that no later word can change are shared at once.
    """
    sorted_words = sorted({word.upper() for word in words if 2 <= len(word) <= MAX_LETTERS})
    if not sorted_words:
        raise BadInput("there are no words of 2 to 15 letters")
    edges = array("I", [0])
    state_indices: dict[tuple[int, ...], int] = {}
    path: list[list[int]] = [[] for _ in range(MAX_LETTERS + 1)]  # the open state after so many letters

    def freeze_states(length: int, min_depth: int) -> None:
        """Freeze the open states deeper than `min_depth`, from `length` down."""
        for depth in range(length, min_depth, -1):
            state = tuple(path[depth])
            path[depth] = []
            if state and state not in state_indices:
                state_indices[state] = len(edges)
                edges.extend(state[:-1])
                edges.append(state[-1] | 1 << 6)
            if state:
                path[depth - 1][-1] |= state_indices[state] << 7

    previous_word = ""
    for word in sorted_words:
        first_difference = next(
            (
                i
                for i, letters in enumerate(zip(previous_word, word, strict=False))
                if letters[0] != letters[1]
            ),
            None,
        )
        shared = min(len(previous_word), len(word)) if first_difference is None else first_difference
        freeze_states(len(previous_word), shared)
        for depth in range(shared, len(word)):
            path[depth].append(ord(word[depth]) - 64)
        path[len(word) - 1][-1] |= 1 << 5
        previous_word = word
    freeze_states(len(previous_word), 0)
    root = len(edges)
    edges.extend(path[0][:-1])
    edges.append(path[0][-1] | 1 << 6)
    return edges, root


def pack(lexicon: Lexicon, facts: Mapping[str, str]) -> bytes:
    """The contents of an automaton file."""
    body = array("I", lexicon.edge_array)
    if sys.byteorder == "big":
        body.byteswap()
    raw = body.tobytes()
    lines = {**facts, "words": str(lexicon.words), "root": str(lexicon.root), "checksum": _checksum(raw)}
    return MAGIC + "".join(f"{name} {value}\n" for name, value in lines.items()).encode() + b"\n" + raw


def _checksum(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


@cache
def load(path: Path) -> tuple[Lexicon, Mapping[str, str]]:
    """Read a word list and its facts. Raises BadInput with the place of an error."""
    try:
        with file_io.open_file(path) as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(file_io.unreadable(path, error)) from None
    try:
        if len(raw) > MAX_BYTES:
            raise BadInput(f"it is too large for a list of words, {MAX_BYTES:,} bytes at most")
        if raw.startswith(MAGIC):
            return _unpack(raw)
        return Lexicon(*build_automaton(_parse_list(raw))), {"name": path.stem}
    except (BadInput, ValueError) as error:
        raise BadInput(f"{path}: {error}") from None


def _parse_list(raw: bytes) -> list[str]:
    """The words of a text; lines that begin with # are comments."""
    words = []
    for number, line in enumerate(raw.decode("utf-8-sig", "replace").splitlines(), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        if not _WORD.fullmatch(word):
            raise BadInput(f"line {number}: '{word[:30]}' is not a word of the letters A to Z")
        words.append(word)
    return words


def _unpack(raw: bytes) -> tuple[Lexicon, Mapping[str, str]]:
    head, _, body = raw.partition(b"\n\n")
    facts: dict[str, str] = {}
    for line in head.decode("utf-8", "replace").splitlines()[1:]:
        name, _, value = line.partition(" ")
        facts[name] = value
    if len(body) % 4 or facts.get("checksum") != _checksum(body):
        raise BadInput("the checksum is not that of the words: the file is damaged")
    edges = array("I", body)
    if sys.byteorder == "big":
        edges.byteswap()
    root = facts.get("root", "")
    if not _ROOT.fullmatch(root):
        raise BadInput("root must be the number of a state")
    return Lexicon(edges, int(root)), facts
