"""Writes Go games in SGF."""

import re
from collections.abc import Sequence
from typing import Any

from gameplay import __version__
from gameplay.store.formats.pgn import ROSTER, Line, Note, Sheet, Step
from gameplay.store.formats.sgf_tree import (
    DEFAULT_SIZE,
    LETTERS,
    MARKS,
    NAMES,
    NO_MOVE,
    SETUP,
    Values,
    format_size,
    grammar,
)


def write(sheet: Sheet) -> str:
    """The text of a game, ending with a newline."""
    tags = sheet.tags
    root: Values = {"FF": ["4"], "GM": ["1"], "CA": ["UTF-8"], "AP": [f"gameplay:{__version__}"]}
    for tag, name in NAMES.items():
        words = tags.get(tag, "?")
        if words != ROSTER[tag]:
            root[name] = [_escape(words.replace(".", "-") if tag == "Date" else words)]
    for name in ("SZ", "KM", "RU", "HA", "PL", "RE"):
        if tags.get(name):
            root[name] = [format_size(tags[name]) if name == "SZ" else _escape(tags[name])]
    for name in SETUP[:2]:
        if tags.get(name):
            root[name] = tags[name].split()
    if control := tags.get("TimeControl", "-").replace("-", ""):
        main = re.match(r"(\d+(?:\.\d+)?)(?=\+|$)", control)
        root |= {"TM": [main[1]]} if main else {}
        root |= {"OT": [_escape(control)]} if not main or main[1] != control else {}
    size = tags.get("SZ", DEFAULT_SIZE)
    rows = int(size.rpartition(":")[2])
    line = Line(sheet.line.notes, sheet.line.steps, root | sheet.line.more)
    line.more["CA"] = ["UTF-8"]
    before = [Step(word[1:], mover="BW".index(word[0])) for word in tags.get("Before", "").split()]
    steps = [*before, *line.steps]
    handicap = int(tags.get("HA") or 0)
    if 0 < handicap <= len(steps) and tags.get("Free") and not any(step.notes for step in steps[:handicap]):
        line.more["AB"] = [_point(step.word, rows) for step in steps[:handicap]]
        steps = steps[handicap:]
    elif handicap and tags.get("Given") and steps[:handicap] and steps[0].word in tags["Given"].split():
        steps = steps[handicap:]
    line.steps = steps
    tree = grammar().Coarse_game_tree()
    _add_line(tree, line, rows)
    return str(grammar().serialise_game_tree(tree).decode())


def _escape(words: str) -> str:
    return str(grammar().escape_text(words.encode()).decode())


def _point(word: str, rows: int) -> str:
    """A move in SGF."""
    return "" if word == "pass" else chr(97 + LETTERS.index(word[0])) + chr(97 + rows - int(word[1:]))


def _add_line(tree: Any, line: Line, rows: int) -> None:
    """Add a line and its variations to an sgfmill tree."""
    if line.notes or line.more:
        tree.sequence.append(_properties({}, line.notes, line.more))
    for step in line.steps:
        variations = [note for note in step.notes if isinstance(note, Line)]
        if variations:
            if not tree.sequence:
                tree.sequence.append({})
            trees = [grammar().Coarse_game_tree() for _ in range(1 + len(variations))]
            tree.children.extend(trees)
            for variation, child in zip(variations, trees[1:], strict=True):
                _add_line(child, variation, rows)
            tree = trees[0]
        own = {} if step.word == NO_MOVE else {"BW"[step.mover]: [_point(step.word, rows)]}
        tree.sequence.append(_properties(own, step.notes, step.more))


def _properties(own: Values, notes: Sequence[Note], more: Values) -> dict[str, list[bytes]]:
    """The properties of a node in sgfmill's representation."""
    properties = own | more
    comments = [note for note in notes if isinstance(note, str)]
    if comments:
        properties["C"] = [_escape("\n\n".join(comments))]
    for name, (plain, strong) in MARKS.items():
        if strong in notes or plain in notes:
            properties[name] = [
                "2" if plain != strong and strong in notes else "" if plain == strong else "1"
            ]
    return {name: [value.encode() for value in values] for name, values in properties.items()}
