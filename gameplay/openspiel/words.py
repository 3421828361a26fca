"""Action strings of OpenSpiel as words that can be typed: one word each, plain characters, distinct."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

MAX_LENGTH = 48  # characters; longer words are cut and get the number of the action
KEPT = 28  # characters kept then
SIGNS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "←": "<-", "→": "->", "×": "x", "−": "-"})
_TIGHT = re.compile(r"(?<=[,:;(\[=]) +| +(?=[,:;)\]=])")


def words(actions: Sequence[int], texts: Sequence[str]) -> Mapping[int, str]:
    """The word of each action; those that would be equal get the number of the action behind a #."""
    plain = [_word(action, text) for action, text in zip(actions, texts, strict=True)]
    count: dict[str, int] = {}
    for word in plain:
        count[word] = count.get(word, 0) + 1
    return {
        action: word if count[word] == 1 and word else f"{word}#{action}"
        for action, word in zip(actions, plain, strict=True)
    }


@lru_cache(maxsize=20_000)
def _word(action: int, text: str) -> str:
    """One action: `B m4` is B_m4, `648 - Bar/20` (the number of the action before it) is Bar/20."""
    text = unicodedata.normalize("NFKD", text.translate(SIGNS))
    text = " ".join(
        "".join([letter if " " < letter <= "~" else " " for letter in text if letter < "\u0300"]).split()
    )
    text = text.removeprefix(f"{action} - ")
    word = _TIGHT.sub("", text).replace(" ", "_").rstrip(";,_").lstrip(",_")
    return word if len(word) <= MAX_LENGTH else f"{word[:KEPT]}#{action}"
