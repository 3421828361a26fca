"""The network inputs of an infoset: its player, and the moves as that player observed them, word by word."""

from typing import TYPE_CHECKING

from gameplay.learning.deepcfr.traversal import Encoding

if TYPE_CHECKING:
    from gameplay.engines.cfr.extensive import ExtensiveForm
    from gameplay.position import AbstractPosition

Feature = tuple[int | str, str]  # the place of a word and the word


def encode_infosets(form: "ExtensiveForm", start: "AbstractPosition") -> tuple[Encoding, int, int]:
    """Return the encoding of all infosets, the number of inputs and the number of outputs.

    An input is 1 if a certain word is at a certain place, so infosets with a common prefix share inputs. If
    two infosets of a player have the same words, the key of each infoset is one more input. An output is a
    move name, shared by all infosets with that move.
    """
    rows: list[list[Feature]] = []
    for infoset in form.infosets:
        words = infoset.observed_path(start).split()
        rows.append([("player", str(infoset.player)), *enumerate(words)])
    if len({tuple(row) for row in rows}) < len(rows):
        for row, infoset in zip(rows, form.infosets, strict=True):
            row.append(("known", repr(infoset.key)))
    inputs: dict[Feature, int] = {}
    features = [[inputs.setdefault(feature, len(inputs)) for feature in row] for row in rows]
    moves: dict[str, int] = {}
    outputs = [0] * form.slots
    for infoset in form.infosets:
        for place, word in enumerate(infoset.move_names):
            outputs[infoset.slot + place] = moves.setdefault(word, len(moves))
    return Encoding(features, outputs), len(inputs), len(moves)
