"""Converts action strings of OpenSpiel to move notation: distinct ASCII words without spaces."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

MAX_LENGTH = 48  # characters; longer words are cut and get the action number as a suffix
CUT_LENGTH = 28  # characters of a cut word
SIGNS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "←": "<-", "→": "->", "×": "x", "−": "-"})
_TIGHT = re.compile(r"(?<=[,:;(\[=]) +| +(?=[,:;)\]=])")


def words(actions: Sequence[int], texts: Sequence[str]) -> Mapping[int, str]:
    """The word of each action; equal words get the action number as a suffix, after a #."""
    names = [_format_action(action, text) for action, text in zip(actions, texts, strict=True)]
    count: dict[str, int] = {}
    for word in names:
        count[word] = count.get(word, 0) + 1
    return {
        action: word if count[word] == 1 and word else f"{word}#{action}"
        for action, word in zip(actions, names, strict=True)
    }


@lru_cache(maxsize=20_000)
def _format_action(action: int, text: str) -> str:
    """The word of one action: B_m4 for `B m4`, Bar/20 for `648 - Bar/20`, in which 648 is the action."""
    text = unicodedata.normalize("NFKD", text.translate(SIGNS))
    text = " ".join(
        "".join([letter if " " < letter <= "~" else " " for letter in text if letter < "\u0300"]).split()
    )
    text = text.removeprefix(f"{action} - ")
    name = _TIGHT.sub("", text).replace(" ", "_").rstrip(";,_").lstrip(",_")
    return name if len(name) <= MAX_LENGTH else f"{name[:CUT_LENGTH]}#{action}"
