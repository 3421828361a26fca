"""SGF trees: nodes with their raw properties, and the charset of a file."""

import codecs
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.store.formats import charset, text
from gameplay.store.formats.pgn import Sheet

MOVES = ("B", "W")
SETUP = ("AB", "AW", "AE")  # setup properties: stones added or removed
NO_MOVE = "--"  # ... stand for no move: from here on a variation is kept as text
LETTERS = "ABCDEFGHJKLMNOPQRST"  # column letters, without I
DEFAULT_SIZE = "19"  # the board size, if none is given
NAMES = {"Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO", "White": "PW", "Black": "PB"}
MARKS = {"TE": (1, 3), "BM": (2, 4), "IT": (5, 5), "DO": (6, 6)}  # as marks: single, and emphasized
Values = dict[str, list[str]]
_CHARSET = re.compile(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]")
_TOKEN = re.compile(
    r"\s*(?:\[(?P<value>(?:[^\\\]]++|\\.)*+)\]|(?P<name>[A-Za-z]+)|(?P<sign>[();])|(?P<wrong>\S))", re.DOTALL
)


@dataclass
class SgfNode:
    """A node, which follows a `;`: raw properties by name, line number and children."""

    at: int  # the line of the file
    more: Values = field(default_factory=dict)
    children: list["SgfNode"] = field(default_factory=list)
    has_moves: bool = field(init=False)  # a move is made or stones are set up here or below


class SgfError(Exception):
    """A syntax error with its line number."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(" ".join(message.split()))
        self.at = at


def lines(path: Path) -> Iterator[str]:
    """The lines of a file, decoded by its declared or most likely charset. Raises OSError."""
    data = file_io.content(path)
    encoding = text.wide(data)
    if not encoding:
        data = data.removeprefix(codecs.BOM_UTF8).replace(b"\x1a", b"")
        encoding = "utf-8"
        if not data.isascii():
            encoding = _declared_charset(data) or charset.guess(data)
    decoded = data.decode(encoding, "replace").removeprefix("\ufeff")
    return iter(decoded.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n").split("\n"))


def _declared_charset(data: bytes) -> str:
    """The declared charset, if known and valid for the file; otherwise an empty string."""
    charset = _CHARSET.search(data)
    with suppress(LookupError, UnicodeError):
        if charset is not None:
            name = codecs.lookup(charset[1].decode("ascii")).name
            name = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "iso8859-1": "cp1252"}.get(
                name, name
            )
            if name not in ("ascii", "utf-8"):
                data.decode(name)
                return name
    return ""


def read_tree(data: str, start: int, row: int, sheet: Sheet) -> tuple[SgfNode, int]:
    """Parse the game at an offset and row; returns its root node and end offset.
    A missing `;` after `(` is implied, a second move in a node begins another node, and the end of the file
    closes all variations.
    """
    place, row = start, row
    nodes: list[SgfNode] = []
    branches: list[SgfNode | None] = []  # the start of each open variation
    last: SgfNode | None = None  # the parent of the next node
    at_start = False  # in a variation without a node yet
    property_name = ""  # the current property
    values: list[str] = []
    count = 0  # its values

    def add_node(at: int) -> SgfNode:
        nonlocal last, at_start
        node = SgfNode(at)
        nodes.append(node)
        if last is not None:
            last.children.append(node)
        last, at_start = node, False
        return node

    while True:
        token = _TOKEN.match(data, place)
        if token is None:
            break
        kind, begin = token.lastgroup, token.start(token.lastgroup or 0)
        row += data.count("\n", place, begin)
        if kind == "wrong" and token["wrong"] == "[":
            raise _syntax_error("[", data, begin, row)
        if property_name and not count and kind != "value":
            raise SgfError(row, f"{property_name} has no value: write {property_name}[...]")
        if kind == "value":
            if not property_name or last is None:
                raise SgfError(row, f"'{_shorten('[' + token['value'] + ']')}' is a value without a property")
            if property_name in MOVES and count:  # a second move of one side
                warn(sheet, row, f"{property_name}[{token['value'][:20]}] is a second move in one node")
                values = add_node(row).more.setdefault(property_name, [])
            values.append(token["value"])
            count += 1
        elif kind == "name":
            if last is None and not at_start:
                raise SgfError(row, f"'{_shorten(token['name'])}' has no meaning here")
            node = add_node(row) if at_start or last is None else last
            property_name = re.sub("[a-z]", "", token["name"]) or token["name"].upper()
            if (
                property_name in MOVES
                and node is not nodes[0]
                and not node.more.keys().isdisjoint({*MOVES, *SETUP})
            ):
                if not node.more.keys().isdisjoint(MOVES):
                    warn(sheet, row, f"{property_name} is a second move in one node")
                node = add_node(row)
            elif property_name in SETUP and node is not nodes[0] and not node.more.keys().isdisjoint(MOVES):
                warn(sheet, row, f"{property_name} is in one node with a move")
                node = add_node(row)
            values = node.more.setdefault(property_name, [])
            count = 0
        elif kind == "wrong":
            raise _syntax_error(token["wrong"], data, begin, row)
        else:
            property_name = ""
            if token["sign"] == "(":
                branches.append(last)
                at_start = True
            elif token["sign"] == ";":
                add_node(row)
            else:
                last, at_start = branches.pop(), False
        row += data.count("\n", begin, token.end())
        place = token.end()
        if not branches:
            break
    if branches:
        if property_name and not count:
            raise SgfError(row, f"{property_name} has no value: write {property_name}[...]")
        warn(sheet, row, "the file ends within the game: ')' is missing")
        place = len(data)
    if not nodes:
        raise SgfError(row, "the game has no node: write (;GM[1]...)")
    for node in reversed(nodes):
        node.has_moves = not node.more.keys().isdisjoint({*MOVES, *SETUP})
        node.has_moves = node.has_moves or any(child.has_moves for child in node.children)
    return nodes[0], place


def warn(sheet: Sheet, at: int, warning: str) -> None:
    sheet.warnings.append(f"line {at}: {' '.join(warning.split())}")


def _syntax_error(sign: str, data: str, place: int, row: int) -> SgfError:
    """The error for unparsable text at an offset."""
    column = place - data.rfind("\n", 0, place)
    if sign == "[":
        return SgfError(row, f"column {column}: a value is not closed: ']' is missing")
    return SgfError(row, f"column {column}: '{_shorten(data[place : place + 80])}' has no meaning here")


def _shorten(words: str) -> str:
    plain = " ".join(words[:80].split())
    return plain if len(plain) <= 20 else plain[:20] + "..."


@cache
def grammar() -> Any:
    """The grammar module of sgfmill, imported without warnings about its escape sequences."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sgfmill import sgf_grammar

    return sgf_grammar


def format_size(tag: str) -> str:
    """The value of SZ: one number for a square board, as the format requires."""
    columns, _, rows = tag.partition(":")
    return columns if rows in ("", columns) else tag
